import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { london } from '../../../emulator/engine/calendar.js';
import { day, dayOf, hour } from '../../../emulator/engine/time.js';
import { byCell, type Happened, of, only } from './payloads.js';
import { play } from './play.js';
import { playInOneHousehold } from './same-household.js';

const debts = (branches: Record<string, string>) => play('debt-path', { seed: 3, instances: 30, branches });
const local = ({ at }: Happened) => DateTime.fromMillis(at, { zone: 'Europe/London' });
const isNight = (emission: Happened) => {
  const minutes = local(emission).hour * 60 + local(emission).minute;
  return minutes >= 30 && minutes < 5 * 60;
};
const types = (events: readonly Happened[]) => [
  ...new Set(events.map(({ envelope }) => envelope.event_type.replace('collection_process.', ''))),
];

describe('debt-path', () => {
  it('follows up debts from fifty pounds on', async () => {
    const start = Date.parse('2026-08-02T09:00:00Z');
    for (const scenario of ['debt-path', 'debt-write-back', 'late-fees-service'] as const) {
      const emissions = await play(scenario, { seed: 5, instances: 150, start });
      const changed = of(emissions, 'delinquent_debt.position_changed', 'v2');
      const debts = changed.map(({ payload }) => payload.new_value).filter((debt) => debt > 0);
      expect(debts.length).toBeGreaterThan(100);
      expect(Math.min(...debts)).toBeGreaterThanOrEqual(5_000);
      expect(new Set(emissions.map(({ cell }) => cell)).size).toBeGreaterThanOrEqual(147);
    }
  });

  it.each([
    ['paid-in-dunning', 'dunning_path_withdrawn'],
    ['paid-in-collection', 'withdrawn'],
    ['agency', 'collection_proceeding.created'],
    ['terminated', 'billing.billing_document_representation.dispatched'],
    ['terminated-then-paid', 'reactivated'],
  ])('ends, if %s, with %s', async (end, last) => {
    for (const events of byCell(await debts({ end }))) {
      expect(types(events).at(-1)).toBe(last);
      expect(of(events, 'collection_process.raised', 'v1')).toHaveLength(end === 'paid-in-dunning' ? 0 : 1);
    }
  });

  it('raises the position at night, and lowers it by the allocation', async () => {
    for (const end of ['paid-in-dunning', 'paid-in-collection', 'terminated-then-paid']) {
      for (const events of byCell(await debts({ end }))) {
        const [owed, paid] = of(events, 'delinquent_debt.position_changed', 'v2');
        if (owed === undefined || paid === undefined) throw new Error('the position did not change twice');
        expect(owed.payload.new_value).toBeGreaterThan(1_000);
        expect(paid.payload.previous_value).toBe(owed.payload.new_value);
        const allocated = of(events, 'delinquent_debt.allocation_created', 'v1');
        const sum = allocated.reduce((total, { payload }) => total + payload.amount, 0);
        expect(sum).toBe(paid.payload.previous_value - paid.payload.new_value);
        const payment = only(events, 'billing.ledger.entry_posted', 'v2');
        for (const { payload } of allocated) {
          expect(payload.fulfilment.source_identifier).toBe(String(payment.payload.entry.id));
        }
        expect([owed, paid].map(isNight)).toEqual([true, true]);
        expect(owed.payload.changed_on).toBe(local(owed).toISODate());
      }
    }
  });

  it('keeps one dunning process, and resumes it when its pause ends', async () => {
    for (const events of byCell(await debts({ dunning: 'paused' }))) {
      const started = only(events, 'dunning_path_started', 'v1');
      const paused = only(events, 'dunning_path_paused', 'v1');
      const resumed = only(events, 'dunning_path_unpaused', 'v1');
      const withdrawn = only(events, 'dunning_path_withdrawn', 'v1');
      const order = [started, paused, resumed, withdrawn];
      expect(order.map(({ at }) => at)).toEqual(order.map(({ at }) => at).sort((a, b) => a - b));
      expect(new Set(order.map(({ payload }) => payload.dunning_process_id)).size).toBe(1);
      expect(local(resumed).toISODate()).toBe(paused.payload.pause_end_date);
      expect(local(paused).toISODate()).toBe(paused.payload.pause_start_date);
      expect(isNight(resumed)).toBe(true);
    }
  });

  it('sends each letter once, in order and on working mornings, and pauses after them', async () => {
    const letters = ['reminder_1', 'reminder_2', 'final_notice', 'letter_before_action'];
    for (const events of byCell(await debts({ end: 'agency', collection: 'paused' }))) {
      const steps = of(events, 'collection_process.comm_step_resolved', 'v1');
      expect(steps.length).toBeGreaterThanOrEqual(2);
      expect(steps.map(({ payload }) => payload.step_identifier)).toEqual(letters.slice(0, steps.length));
      for (const step of steps) {
        expect(london.isWorkingDay(london.dayAt(step.at))).toBe(true);
        expect([8, 9]).toContain(local(step).hour);
        const { dispatched_channels, failed_channels, status } = step.payload;
        expect(dispatched_channels.length).toBe(status === 'COMPLETED' ? 1 : 0);
        expect(failed_channels.length).toBe(status === 'COMPLETED' ? 0 : 1);
      }
      const paused = only(events, 'collection_process.paused', 'v1');
      const resumed = only(events, 'collection_process.unpaused', 'v1');
      expect(paused.at).toBeGreaterThan(steps.at(-1)?.at ?? Infinity);
      expect(resumed.at).toBeGreaterThan(paused.at);
    }
  });

  it('keeps the numbers of collection and account, and keys by account', async () => {
    for (const events of byCell(await debts({ end: 'terminated' }))) {
      const { number, account_number } = only(events, 'collection_process.raised', 'v1').payload;
      expect(new Set(events.map(({ key }) => key))).toEqual(new Set([account_number]));
      expect(only(events, 'collection_process.run_termination_requested', 'v1').payload).toEqual({ number });
      const leave = only(events, 'collection_process.leave_supplier_instigated', 'v1').payload;
      const requested = only(events, 'lifecycle.leave-supplier.requested', 'v3').payload;
      expect(leave.leave_supplier_process_number).toBe(requested.leave_supplier_process_number);
      expect(requested.leave_supplier_process_subtype).toBe('DEBT_DISCONNECTION');
      for (const { payload } of of(events, 'lifecycle.leave-supplier.termination.confirmed', 'v2')) {
        expect(payload.supply_point.confirmed_supply_end_date).toBe(requested.requested_supply_end_date);
      }
    }
  });

  it('hands the remaining debt to the agency', async () => {
    for (const events of byCell(await debts({ end: 'agency' }))) {
      const owed = only(events, 'delinquent_debt.position_changed', 'v1').payload.new_value;
      expect(only(events, 'collection_proceeding.created', 'v1').payload.amount).toBe(owed);
    }
  });

  it('claims no returned debit and no death that did not happen', async () => {
    const emissions = await play('debt-path', { seed: 3, instances: 100, branches: { end: 'agency' } });
    for (const { payload } of of(emissions, 'dunning_path_started', 'v1')) {
      expect(payload.created_note).not.toContain('returned');
    }
    for (const { payload } of of(emissions, 'collection_proceeding.created', 'v1')) {
      expect(payload.campaign).not.toBe('DECEASED');
    }
  });
});

describe('debt-write-back', () => {
  it("charges the debt and raises the position in the month's first night", async () => {
    const emissions = await play('debt-write-back', {
      seed: 3,
      instances: 30,
      branches: { outcome: 'completed' },
    });
    for (const events of byCell(emissions)) {
      const completed = only(events, 'debt.actioning.automated_debt_write_back.completed', 'v1');
      expect(completed.payload.amount).toBeGreaterThan(0);
      // A credit may pay a part, or all.
      for (const { payload } of of(events, 'delinquent_debt.position_changed', 'v2')) {
        expect(payload.new_value).toBeGreaterThan(payload.previous_value);
        expect(payload.new_value - payload.previous_value).toBeLessThanOrEqual(completed.payload.amount);
        expect(payload.ledger_number).toBe(completed.payload.ledger_number);
      }
      expect(only(events, 'billing.ledger.entry_posted', 'v2').payload.entry.is_charge).toBe(true);
      expect(local(completed).day).toBe(1);
      expect(isNight(completed)).toBe(true);
    }
  });
});

const chargesIn = (events: readonly Happened[]) =>
  of(events, 'billing.ledger.entry_posted', 'v2').filter(({ payload }) => payload.entry.is_charge);

describe('late fees', () => {
  it("counts the service's fees in one run, each with its charge", async () => {
    for (const branches of [
      {},
      { due: 'three', applied: 'all-but-one' },
      { due: 'one', applied: 'all-but-one' },
    ]) {
      const emissions = await play('late-fees-service', { seed: 3, instances: 30, branches });
      for (const events of byCell(emissions)) {
        const calculated = only(events, 'late_payment_fee_calculation_service_completed', 'v1').payload;
        const applied = of(events, 'late_payment_fee_application_service_fee_applied', 'v1');
        const [done] = of(events, 'late_payment_fee_application_service_completed', 'v1');
        expect(done === undefined).toBe(calculated.fees_calculated_count === 0);
        if (done === undefined) continue;
        const { fees_applied_count, fees_unapplied_count } = done.payload;
        expect(fees_applied_count).toBe(applied.length);
        expect(fees_applied_count + fees_unapplied_count).toBe(calculated.fees_calculated_count);
        const charges = chargesIn(events);
        expect(applied.map(({ payload }) => payload.charge_id)).toEqual(
          charges.map(({ payload }) => String(payload.entry.id)),
        );
        const runs = [calculated, done.payload, ...applied.map(({ payload }) => payload)];
        expect(new Set(runs.map(({ run_id }) => run_id)).size).toBe(1);
        for (const fee of applied) {
          expect(fee.at).toBeLessThan(done.at);
          expect(isNight(fee)).toBe(true);
        }
      }
    }
  });

  it('charges fees while a bill is overdue, which is then paid with them', async () => {
    let paid = 0;
    const branches = { due: 'two', applied: 'all' };
    for (const events of byCell(await play('late-fees-service', { seed: 3, instances: 30, branches }))) {
      const applied = of(events, 'late_payment_fee_application_service_fee_applied', 'v1');
      const positions = of(events, 'delinquent_debt.position_changed', 'v2');
      const [risen, fallen] = positions;
      if (applied.length === 0) {
        expect(positions).toEqual([]);
        continue;
      }
      paid++;
      expect(risen?.payload.new_value).toBeGreaterThan(0);
      expect(fallen?.payload.new_value).toBe(0);
      for (const { at } of applied) {
        expect(at).toBeGreaterThan(risen?.at ?? Infinity);
        expect(at).toBeLessThan(fallen?.at ?? 0);
      }
    }
    expect(paid).toBeGreaterThan(20);
  });

  it('removes waived fees from the ledger a second later', async () => {
    const emissions = await play('late-fees-service', {
      seed: 3,
      instances: 30,
      branches: { due: 'two', applied: 'all', waiver: 'waived' },
    });
    let waivers = 0;
    for (const events of byCell(emissions)) {
      // Some have paid their last bill in time.
      if (of(events, 'late_payment_fee_waived', 'v1').length === 0) continue;
      waivers++;
      const waived = only(events, 'late_payment_fee_waived', 'v1');
      const gone = only(events, 'billing.ledger.entry_removed', 'v2');
      const applied = of(events, 'late_payment_fee_application_service_fee_applied', 'v1');
      const fee = applied.find(({ payload }) => payload.charge_id === String(gone.payload.entry.id));
      expect(gone.payload.entry).toMatchObject({
        amount: fee?.payload.fee_amount,
        source_reason: 'FEE_WAIVED',
      });
      expect(gone.at - waived.at).toBe(1000);
      expect(london.next(waived.at, 'office')).toBe(waived.at);
    }
    expect(waivers).toBeGreaterThan(20);
  });

  it('counts the fees of the older calculator', async () => {
    const emissions = await play('late-fees-calculator', { seed: 3, instances: 30 });
    for (const events of byCell(emissions)) {
      const applied = of(events, 'late_payment_fee_calculator_fee_applied', 'v1');
      const charges = chargesIn(events);
      expect(only(events, 'late_payment_fee_calculator_completed', 'v1').payload.fees_applied_count).toBe(
        applied.length,
      );
      expect(applied.map(({ payload }) => payload.charge_id)).toEqual(
        charges.map(({ payload }) => String(payload.entry.id)),
      );
    }
  });
});

describe('deposit-agreement', () => {
  const deposits = (outcome: string) =>
    play('deposit-agreement', { seed: 3, instances: 30, branches: { outcome } });

  it('posts the payment to its own ledger before the fulfilment', async () => {
    for (const events of byCell(await deposits('returned'))) {
      const accepted = only(events, 'deposit_agreement.accepted', 'v1').payload;
      const fulfilled = only(events, 'deposit_agreement.fulfilled', 'v1');
      const [payment, repayment, ...others] = of(events, 'billing.ledger.entry_posted', 'v2');
      expect(others).toEqual([]);
      expect(payment?.payload.entry.is_payment).toBe(true);
      expect(payment?.payload.ledger.number).toBe(accepted.ledger_identifier);
      expect(payment?.at).toBeLessThan(fulfilled.at);
      expect(repayment?.payload.entry.is_repayment).toBe(true);
      expect(only(events, 'deposit_agreement.returned', 'v1').payload.deposit_key).toBe(accepted.deposit_key);
    }
  });

  it('returns every penny in instalments', async () => {
    for (const events of byCell(await deposits('instalments'))) {
      const { amount } = only(events, 'deposit_agreement.accepted', 'v1').payload;
      const parts = of(events, 'deposit_agreement.instalment_returned', 'v1');
      expect(parts.length).toBeGreaterThanOrEqual(2);
      expect(parts.reduce((sum, { payload }) => sum + payload.returned_amount, 0)).toBe(amount);
    }
  });

  it('returns what it holds when the account has left and settled its last bill', () => {
    let returned = 0;
    for (let cell = 1; cell <= 60; cell++) {
      const accepted = london.instantOf(dayOf(2026, 3, 3), 10 * hour);
      const lost = accepted + (cell % 12) * 25 * day;
      const events = playInOneHousehold(
        [
          { at: accepted, scenario: 'deposit-agreement' },
          { at: lost, scenario: 'switch-loss' },
        ],
        { cell, setting: 'household' },
      );
      const [bill] = of(events, 'billing.final_bill', 'v1');
      const [fulfilled] = of(events, 'deposit_agreement.fulfilled', 'v1');
      if (bill === undefined || fulfilled === undefined) continue;
      const back = events.filter(({ envelope }) => /deposit.*returned$/.test(envelope.event_type));
      const ledger = fulfilled.payload.ledger_identifier;
      const repaid = of(events, 'billing.ledger.entry_posted', 'v2').filter(
        ({ payload }) => payload.ledger.number === ledger && payload.entry.is_repayment,
      );
      expect(repaid.length).toBe(back.length);
      expect(back.length).toBeGreaterThan(0);
      if (back.every(({ at }) => at < bill.at)) continue;
      returned++;
      expect(bill.at).toBeLessThan(back.at(-1)!.at);
      expect(back.at(-1)!.at - bill.at).toBeLessThan(120 * day);
      for (const { payload } of of(events, 'delinquent_debt.position_changed', 'v1'))
        expect(payload.new_value).toBeGreaterThanOrEqual(0);
    }
    expect(returned).toBeGreaterThan(10);
  });

  it('posts no payment of a withdrawn deposit', async () => {
    for (const events of byCell(await deposits('withdrawn'))) {
      expect(types(events)).toEqual([
        'credit_check.created',
        'deposit_agreement.accepted',
        'deposit_agreement.withdrawn',
      ]);
    }
  });
});
