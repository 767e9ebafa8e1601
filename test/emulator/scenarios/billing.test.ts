import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { london } from '../../../emulator/engine/calendar.js';
import { byCell, type Happened, of, only } from './payloads.js';
import { play } from './play.js';

const bills = (branches: Record<string, string> = {}, seed = 3) =>
  play('billing-cycle', { seed, instances: 40, branches });

const local = ({ at }: Happened) => DateTime.fromMillis(at, { zone: 'Europe/London' });
const isWorkingDay = ({ at }: Happened) => london.isWorkingDay(london.dayAt(at));
const daysBetween = (from: Happened, to: Happened) => (to.at - from.at) / 86_400_000;

describe('billing-cycle', () => {
  it('issues one bill after a charge for each supply point, under one id', async () => {
    for (const events of byCell(await bills({ delivery: 'email' }))) {
      const triggered = of(events, 'billing.charging.supply-point.triggered', 'v1');
      const errored = of(events, 'charging.priming.errored', 'v1');
      const charges = of(events, 'billing.ledger.entry_posted', 'v2').filter(
        ({ payload }) => payload.entry.is_charge,
      );
      const issued = only(events, 'billing.billing_document.issued', 'v2');
      const dispatched = only(events, 'billing.billing_document_representation.dispatched', 'v3');
      expect(triggered).toHaveLength(charges.length + errored.length);
      for (const charge of charges) expect(charge.at).toBeLessThan(issued.at);
      expect(dispatched.at).toBeGreaterThan(issued.at);
      expect(only(events, 'billing.issued_bill', 'v1').payload.statement_id).toBe(
        issued.payload.billing_document_id,
      );
      expect(dispatched.payload).toMatchObject({
        billing_document_id: issued.payload.billing_document_id,
        billing_document_identifier: issued.payload.billing_document_identifier,
      });
    }
  });

  it('covers whole local days, at most a month, the same for every supply point', async () => {
    for (const events of byCell(await bills({ priming: 'ok' }))) {
      const periods = of(events, 'billing.charging.supply-point.triggered', 'v1').map(
        ({ payload }) => payload.charge_period,
      );
      expect(new Set(periods.map((period) => JSON.stringify(period))).size).toBe(1);
      const [start, end] = [periods[0]?.start_at, periods[0]?.end_at].map((at) =>
        DateTime.fromISO(at ?? '', { zone: 'Europe/London' }),
      );
      expect(start?.toFormat('HH:mm:ss')).toBe('00:00:00');
      expect(end?.toFormat('HH:mm:ss')).toBe('00:00:00');
      const days = Math.round(end?.diff(start ?? end, 'days').days ?? 0);
      expect(days).toBeGreaterThanOrEqual(7);
      expect(days).toBeLessThanOrEqual(31);
    }
  });

  it('bills at night, e-mails from six to nine, posts on a working morning', async () => {
    for (const delivery of ['email', 'post']) {
      for (const events of byCell(await bills({ delivery, document: 'issued' }))) {
        const issued = local(only(events, 'billing.billing_document.issued', 'v1'));
        expect(issued.hour * 60 + issued.minute).toBeGreaterThanOrEqual(30);
        expect(issued.hour).toBeLessThan(5);
        const dispatch = only(events, 'billing.billing_document_representation.dispatched', 'v1');
        expect(local(dispatch).hour).toBeGreaterThanOrEqual(6);
        expect(local(dispatch).hour).toBeLessThan(delivery === 'email' ? 9 : 10);
        if (delivery === 'post') expect(isWorkingDay(dispatch)).toBe(true);
        else expect(daysBetween(only(events, 'billing.issued_bill', 'v1'), dispatch)).toBeLessThan(1);
      }
    }
  });

  it('issues a held bill within ten working days', async () => {
    for (const events of byCell(await bills({ document: 'held' }))) {
      const held = only(events, 'billing.billing_document.held', 'v1');
      const issued = only(events, 'billing.billing_document.issued', 'v2');
      expect(held.payload.document_id).toBe(issued.payload.billing_document_id);
      expect(held.payload.document_uuid).toBe(issued.payload.billing_document_uuid);
      const today = london.dayAt(held.at);
      expect(isWorkingDay(issued)).toBe(true);
      expect(local(issued).hour).toBeGreaterThanOrEqual(8);
      expect(local(issued).hour).toBeLessThan(18);
      expect(london.dayAt(issued.at)).toBeGreaterThan(today);
      expect(london.dayAt(issued.at)).toBeLessThanOrEqual(london.addWorkingDays(today, 10));
    }
  });

  it('retries a failed traversal the next night', async () => {
    for (const events of byCell(await bills({ document: 'failed', priming: 'ok' }))) {
      const failed = only(events, 'billing.pathway_traversal.failed', 'v1');
      const succeeded = only(events, 'billing.pathway_traversal.succeeded', 'v1');
      expect(succeeded.payload.pathway_id).toBe(failed.payload.pathway_id);
      expect(succeeded.payload.trigger_id).toBe(failed.payload.trigger_id);
      expect(succeeded.payload.traversal_attempt_id).toBeGreaterThan(failed.payload.traversal_attempt_id);
      expect(london.dayAt(succeeded.at)).toBe(london.dayAt(failed.at) + 1);
    }
  });

  it('waits a night for a supply point that cannot be charged', async () => {
    for (const events of byCell(await bills({ priming: 'errored' }))) {
      const errored = only(events, 'charging.priming.errored', 'v1');
      const again = of(events, 'billing.charging.supply-point.triggered', 'v1').filter(
        ({ payload }) => String(payload.supply_point_id) === errored.payload.supply_point_id,
      );
      expect(again).toHaveLength(2);
      expect(again[0]?.payload).toEqual(again[1]?.payload);
      const [first, second] = again.map(({ at }) => london.dayAt(at));
      expect(second).toBe((first ?? 0) + 1);
    }
  });

  it('collects the payment on a working morning within five weeks', async () => {
    for (const events of byCell(await bills({ payment: 'collected', credit: 'none' }))) {
      const issued = only(events, 'billing.billing_document.issued', 'v1');
      const [payment, ...others] = of(events, 'billing.ledger.entry_posted', 'v2').filter(
        ({ payload }) => payload.entry.is_payment,
      );
      expect(others).toEqual([]);
      if (payment === undefined) throw new Error('nothing was collected');
      expect(isWorkingDay(payment)).toBe(true);
      expect(local(payment).hour).toBeGreaterThanOrEqual(6);
      expect(local(payment).hour).toBeLessThan(10);
      expect(payment.at).toBeGreaterThan(issued.at);
      expect(daysBetween(issued, payment)).toBeLessThan(35 + 5);
      expect(of(events, 'delinquent_debt.position_changed', 'v1')).toEqual([]);
    }
  });

  it('reverses a returned direct debit, and clears the debt by the next payment', async () => {
    let returned = 0;
    for (const events of byCell(await bills({ payment: 'returned' }))) {
      const payments = of(events, 'billing.ledger.entry_posted', 'v2').filter(
        ({ payload }) => payload.entry.is_payment,
      );
      // Who pays by bank transfer has nothing to return.
      if (payments.length === 1) continue;
      returned++;
      expect(payments.map(({ payload }) => payload.entry.is_reversal)).toEqual([false, true, false]);
      expect(payments[1]?.payload.entry.source_id).toBe(payments[0]?.payload.entry.source_id);
      const changes = of(events, 'delinquent_debt.position_changed', 'v2').map(({ payload }) => payload);
      if (changes.length === 0) continue;
      const [risen, fallen] = changes;
      expect(changes).toHaveLength(2);
      expect(fallen?.previous_value).toBe(risen?.new_value);
      expect(fallen?.new_value).toBe(risen?.previous_value);
      const allocated = of(events, 'delinquent_debt.allocation_created', 'v1');
      const sum = allocated.reduce((total, { payload }) => total + payload.amount, 0);
      expect(sum).toBe((risen?.new_value ?? 0) - (risen?.previous_value ?? 0));
    }
    expect(returned).toBeGreaterThan(20);
  });

  it('numbers its entries in ascending order', async () => {
    for (const events of byCell(await bills({ credit: 'posted', payment: 'returned' }))) {
      const ids = of(events, 'billing.ledger.entry_posted', 'v2').map(({ payload }) => payload.entry.id);
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    }
  });
});

describe('rebill-correction', () => {
  const corrections = (branches: Record<string, string>) =>
    play('rebill-correction', { seed: 3, instances: 30, branches });

  it('charges the same period again, from the day on which the readings begin', async () => {
    for (const events of byCell(await corrections({ cause: 'readings', document: 'reissued' }))) {
      const { rebill_from } = only(events, 'actual.intervals.received', 'v1').payload;
      const gone = only(events, 'billing.ledger.entry_removed', 'v2');
      const again = only(events, 'billing.charging.supply-point.triggered', 'v1');
      const charge = only(events, 'billing.ledger.entry_posted', 'v2');
      const begins = DateTime.fromISO(again.payload.charge_period.start_at, { zone: 'Europe/London' });
      expect(begins.toISODate()).toBe(rebill_from);
      expect(gone.payload.entry).toMatchObject({ is_charge: true, source_reason: 'REBILL' });
      expect(gone.payload.entry.amount).toBeGreaterThan(0);
      expect(charge.payload.entry.id).toBeGreaterThan(gone.payload.entry.id);
      expect(gone.at).toBeLessThan(again.at);
      expect(only(events, 'billing.billing_document.issued', 'v2').at).toBeGreaterThan(charge.at);
    }
  });

  it('corrects an error without readings, and without a document if absorbed', async () => {
    const emissions = await corrections({ cause: 'error', document: 'absorbed' });
    expect(of(emissions, 'billing.ledger.entry_removed', 'v2')).toHaveLength(30);
    expect(of(emissions, 'actual.intervals.received', 'v1')).toEqual([]);
    expect(of(emissions, 'billing.billing_document.issued', 'v1')).toEqual([]);
  });
});

describe('other flows of bills', () => {
  it('gives new billing options a higher id', async () => {
    const emissions = await play('billing-options-change', { seed: 3, instances: 30 });
    const updates = of(emissions, 'billing.billing_options.updated', 'v1');
    expect(updates).toHaveLength(30);
    for (const { payload } of updates) {
      expect(payload.new_billing_options_id).toBeGreaterThan(payload.previous_billing_options_id);
    }
  });

  it("corrects a distributor's invoice later, under the first message's key", async () => {
    const emissions = await play('duos-invoice', { seed: 3, instances: 30, branches: { kind: 'replaced' } });
    for (const events of byCell(emissions)) {
      const first = only(events, 'billing.duos_invoice.new', 'v1');
      const second = only(events, 'billing.duos_invoice.replace', 'v1');
      expect(second.payload.invoice_event_id).toBeGreaterThan(first.payload.invoice_event_id);
      expect(second.key).toBe(first.key);
      expect(daysBetween(first, second)).toBeGreaterThanOrEqual(3);
      expect([isWorkingDay(first), isWorkingDay(second)]).toEqual([true, true]);
    }
  });

  it('summarises portfolios at 03:00 on the first working day', async () => {
    const [run] = of(
      await play('portfolio-invoice-run', { start: Date.UTC(2026, 3, 20) }),
      'billing.portfolio_invoice_summary.completed',
      'v1',
    );
    if (run === undefined) throw new Error('no run');
    expect(local(run).toFormat('yyyy-MM-dd HH')).toBe('2026-05-01 03');
    expect(run.payload.run_identifier).toMatch(/^PIS-202605-\d+$/);
    expect(run.payload.s3_key_prefix).toContain('2026/05/');
  });

  it('keeps the facts of a rebate from application to credit', async () => {
    const emissions = await play('rebate', { seed: 3, instances: 30, branches: { decision: 'accepted' } });
    for (const events of byCell(emissions)) {
      const { is_application_accepted, ...applied } = only(events, 'billing.rebate.created', 'v1').payload;
      const accepted = only(events, 'billing.rebate.accepted', 'v1');
      expect(is_application_accepted).toBe(false);
      expect(accepted.payload).toEqual(applied);
      expect(applied.effective_from < applied.effective_to).toBe(true);
      const credit = only(events, 'billing.ledger.entry_posted', 'v2');
      expect(credit.payload.entry.is_credit).toBe(true);
      expect(credit.at).toBeGreaterThan(accepted.at);
    }
  });

  it('credits a rebate when its scheme has begun', async () => {
    const emissions = await play('rebate', {
      seed: 3,
      start: Date.parse('2026-04-13T09:00:00Z'),
      instances: 30,
      branches: { decision: 'accepted' },
    });
    for (const events of byCell(emissions)) {
      const { effective_from } = only(events, 'billing.rebate.accepted', 'v1').payload;
      const credit = only(events, 'billing.ledger.entry_posted', 'v2');
      expect(local(credit).toISODate()! > effective_from).toBe(true);
    }
  });

  it("needs another person's approval, and applies only approved changes", async () => {
    const emissions = await play('approvals', { seed: 3, instances: 60 });
    for (const events of byCell(emissions)) {
      const asked = only(events, 'approvals.approval.created', 'v1').payload;
      expect(asked.assigned_to_id).not.toBe(asked.requested_by_id);
      const approved = of(events, 'approvals.approval.approved', 'v1');
      const rejected = of(events, 'approvals.approval.rejected', 'v1');
      expect(approved.length + rejected.length).toBe(1);
      const entries = of(events, 'billing.ledger.entry_posted', 'v2');
      const kinds = entries
        .filter(({ payload }) => !payload.entry.is_payment)
        .map(({ payload }) => [payload.entry.is_repayment, payload.entry.is_credit]);
      const isCarriedOut = approved.length === 1 && asked.process_type !== 'PRICE_OVERRIDE';
      const isRefund = asked.process_type === 'REFUND';
      expect(kinds).toEqual(isCarriedOut ? [[isRefund, !isRefund]] : []);
    }
  });
});
