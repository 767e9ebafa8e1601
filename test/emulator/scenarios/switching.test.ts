import { describe, expect, it } from 'vitest';
import type { OutgoingEvent } from '../../../emulator/index.js';
import { london } from '../../../emulator/engine/calendar.js';
import { day, dayOf, hour } from '../../../emulator/engine/time.js';
import { billsOf } from '../../../emulator/world/billing/books.js';
import { billDay } from '../../../emulator/world/billing/payments.js';
import { balance } from '../../../emulator/world/billing/entries.js';
import { play } from './play.js';
import { clock, midnightOf } from './clock.js';
import { byCell, of, sequences } from './payloads.js';
import { openHousehold, playInOneHousehold } from './same-household.js';

const gains = (branches: Record<string, string> = {}) =>
  play('join-switch-gain', { seed: 7, instances: 40, branches });
const losses = (branches: Record<string, string> = {}) =>
  play('switch-loss', { seed: 7, instances: 40, branches });

const statuses = (emissions: readonly OutgoingEvent[]) =>
  byCell(emissions).map((cell) =>
    of(cell, 'lifecycle.status-changed', 'v1').map(({ payload }) => payload.new_status),
  );
const indexOf = (emissions: readonly OutgoingEvent[], type: string) =>
  emissions.findIndex(({ envelope }) => envelope.event_type === type);

describe('join-switch-gain', () => {
  it('sells by telephone only while the contact centre is open', () => {
    for (const cell of [1, 2, 3, 4, 5, 6]) {
      const at = london.instantOf(dayOf(2026, 3, cell), 22 * hour);
      const branches = { sale: 'telephone' };
      const events = playInOneHousehold([{ at, scenario: 'join-switch-gain' }], { cell, branches });
      const [sale] = of(events, 'lifecycle.support-site.sale', '1.0.0');
      const { hour: sold, weekday } = clock(sale?.at ?? 0);
      expect(weekday).toBeLessThan(7);
      expect(sold).toBeGreaterThanOrEqual(8);
      expect(sold).toBeLessThan(19);
    }
  });

  it('uses one start date in all events', async () => {
    for (const cell of byCell(await gains())) {
      const [requested] = of(cell, 'lifecycle.join-supplier.requested', 'v1');
      const points = requested!.payload.supply_points;
      const day = points[0]!.requested_supply_start_date;
      for (const point of points) expect(point.requested_supply_start_date).toBe(day);
      const identifiers = points.map(({ external_identifier }) => external_identifier).sort();
      const completed = of(cell, 'lifecycle.join-supplier.completed', 'v1').map(({ payload }) => payload);
      for (const { supply_points } of completed) {
        expect(supply_points.map((point) => point.external_identifier).sort()).toEqual(identifiers);
        for (const point of supply_points) expect(point.confirmed_supply_start_date).toBe(day);
      }
      for (const { payload } of [
        ...of(cell, 'meterpoint.elec.cos_gain.registration.requested', 'v1'),
        ...of(cell, 'meterpoint.gas.cos_gain.registration.requested', 'v1'),
      ]) {
        expect(payload.supply_start_date).toBe(day);
      }
      for (const { payload } of of(cell, 'agreement.created', 'v1')) {
        expect(payload.valid_from).toBe(midnightOf(day));
      }
    }
  });

  it('asks the industry once per supply point, in its hours and in time', async () => {
    const emissions = await gains({ outcome: 'completed' });
    for (const cell of byCell(emissions)) {
      const points = of(cell, 'lifecycle.join-supplier.requested', 'v1')[0]!.payload.supply_points;
      const registered = [
        ...of(cell, 'meterpoint.elec.cos_gain.registration.requested', 'v1').map((each) => ({
          ...each,
          identifier: each.payload.mpan,
        })),
        ...of(cell, 'meterpoint.gas.cos_gain.registration.requested', 'v1').map((each) => ({
          ...each,
          identifier: each.payload.mprn,
        })),
      ];
      expect(registered.map(({ identifier }) => identifier).sort()).toEqual(
        points.map(({ external_identifier }) => external_identifier).sort(),
      );
      for (const { at, payload } of registered) {
        const { hour, weekday } = clock(at);
        expect(weekday).toBeLessThanOrEqual(5);
        expect(hour).toBeGreaterThanOrEqual(6);
        expect(hour).toBeLessThan(20.5);
        expect(Date.parse(midnightOf(payload.supply_start_date)) - at).toBeGreaterThan(24 * 3_600_000);
      }
    }
  });

  it('activates requested supply points, and completes after the last', async () => {
    for (const cell of byCell(await gains({ outcome: 'completed' }))) {
      const initiated = of(cell, 'lifecycle.join-supplier.activation.initiated', 'v1');
      const activated = of(cell, 'lifecycle.join-supplier.activation.completed', 'v1');
      expect(activated).toHaveLength(initiated.length);
      for (const { at, payload } of activated) {
        const { external_identifier } = payload.supply_point;
        const before = initiated.find(
          (each) => each.payload.supply_point.external_identifier === external_identifier,
        );
        expect(before!.at).toBeLessThan(at);
        expect(at).toBeGreaterThan(Date.parse(midnightOf(payload.supply_point.confirmed_supply_start_date)));
      }
      const [completed] = of(cell, 'lifecycle.join-supplier.completed', 'v1');
      expect(Math.max(...activated.map(({ at }) => at))).toBeLessThan(completed!.at);
    }
  });

  it("creates one agreement per supply point, on the account's ledger", async () => {
    const emissions = await gains({ outcome: 'reversed' });
    const ids = (type: 'agreement.created' | 'billing.charging-ledger.assigned-to-agreement') =>
      of<typeof type, 'v1'>(emissions, type, 'v1').map(({ payload }) => payload.agreement_id);
    const created = ids('agreement.created');
    expect(new Set(created).size).toBe(created.length);
    expect(ids('billing.charging-ledger.assigned-to-agreement')).toEqual(created);
    const recorded = of(emissions, 'lifecycle.join-supplier.agreement.created', 'v1');
    expect(recorded.flatMap(({ payload }) => payload.agreements.map(({ id }) => id))).toEqual(created);
    const revoked = of(emissions, 'agreement.revoked', 'v2').map(({ payload }) => payload.agreement_id);
    expect(revoked.sort()).toEqual(created.sort());
  });

  it('sends meter details after the confirmed registration', async () => {
    const emissions = await gains({ outcome: 'completed', 'meter-details': 'received' });
    const details = of(emissions, 'meterpoint.gas.cos_gain.mtd_received', 'v1');
    expect(details.length).toBeGreaterThan(20);
    const confirmed = of(emissions, 'meterpoint.gas.cos_gain.registration.confirmed', 'v1');
    for (const { at, payload } of details) {
      expect(confirmed.find((each) => each.payload.mprn === payload.mprn)!.at).toBeLessThan(at);
      expect(Date.parse(payload.last_reading_on)).toBeLessThan(at);
      expect(payload.last_reading).toBeLessThan(10 ** payload.meter_digits);
      expect(payload.meter_digits).toBe(payload.meter_is_imperial ? 4 : 5);
    }
  });

  it('completes, cancels before asking the industry, or reverses later', async () => {
    expect(new Set(statuses(await gains({ outcome: 'completed' })).map(String))).toEqual(
      new Set(['IN_PROGRESS,COMPLETED']),
    );
    const cancelled = await gains({ outcome: 'cancelled' });
    expect(new Set(statuses(cancelled).map(String))).toEqual(new Set(['IN_PROGRESS,CANCELLED']));
    expect(
      sequences(cancelled)
        .flat()
        .some((type) => /^(industry|meterpoint|agreement)\./.test(type)),
    ).toBe(false);
    const reversed = await gains({ outcome: 'reversed' });
    expect(new Set(statuses(reversed).map(String))).toEqual(new Set(['IN_PROGRESS,COMPLETED,REVERSED']));
    for (const cell of byCell(reversed)) {
      expect(indexOf(cell, 'lifecycle.join-supplier.completed')).toBeLessThan(
        indexOf(cell, 'lifecycle.join-supplier.reversal-requested'),
      );
    }
  });

  it('reverses loyalty points only if they were granted', async () => {
    const count = (emissions: readonly OutgoingEvent[]) => [
      of(emissions, 'lifecycle.enrollment.supply-status-qualifies-account-for-loyalty-point', 'v2').length,
      of(emissions, 'lifecycle.enrollment.loyalty-points-qualification-reversed', 'v1').length,
    ];
    expect(count(await gains({ outcome: 'reversed', loyalty: 'qualifies' }))).toEqual([40, 40]);
    expect(count(await gains({ outcome: 'reversed', loyalty: 'absent' }))).toEqual([0, 0]);
  });

  it('credits an affiliate per fuel, and requests deposits after a credit check', async () => {
    const emissions = await gains({ affiliate: 'credited', credit: 'deposit' });
    for (const cell of byCell(emissions)) {
      const points = of(cell, 'lifecycle.join-supplier.requested', 'v1')[0]!.payload.supply_points;
      const fuels = of(cell, 'affiliates.affiliate-account-contract-created', 'v1');
      expect(fuels.map(({ payload }) => payload.fuel)).toEqual(
        ['ELECTRICITY', 'GAS'].slice(0, points.length),
      );
      expect(indexOf(cell, 'credit_check.created')).toBeLessThan(
        indexOf(cell, 'lifecycle.join_supplier.security_deposits.created'),
      );
    }
  });
});

describe('switch-loss', () => {
  it('reports a passive process with the lost supply point', async () => {
    const emissions = await losses();
    const v2 = of(emissions, 'lifecycle.leave-supplier.requested', 'v2').map(({ payload }) => payload);
    const v3 = of(emissions, 'lifecycle.leave-supplier.requested', 'v3').map(({ payload }) => payload);
    expect(v3.map(({ leave_supplier_process_number: _, ...rest }) => rest)).toEqual(v2);
    expect(v2).toHaveLength(40);
    for (const request of v2) {
      expect(request.is_passive).toBe(true);
      expect(request.passive_loss_instigated_supply_point_id).toBeGreaterThan(0);
      expect(request.leave_supplier_process_subtype).toBe('CHANGE_OF_SUPPLIER');
    }
  });

  it('uses the last end date in all events', async () => {
    for (const cell of byCell(await losses({ outcome: 'completed', date: 'moved' }))) {
      const [requested] = of(cell, 'lifecycle.leave-supplier.requested', 'v3');
      const [updated] = of(cell, 'lifecycle.leave-supplier.updated', 'v3');
      const day = updated!.payload.requested_supply_end_date;
      expect(day > requested!.payload.requested_supply_end_date).toBe(true);
      const [completed] = of(cell, 'lifecycle.leave-supplier.completed', 'v3');
      const ends = [
        ...of(cell, 'meterpoint.gas.cos_loss.confirmed', 'v1').map(({ payload }) => payload.supply_end_date),
        ...of(cell, 'meterpoint.gas.deappoint_mam.requested', 'v1').map(
          ({ payload }) => payload.effective_to_date,
        ),
        ...of(cell, 'industry.gas.change_of_supply.loss.complete', 'v1').map(
          ({ payload }) => payload.supply_end_date,
        ),
        ...of(cell, 'industry.electricity.change_of_supply.loss.complete', 'v1').map(
          ({ payload }) => payload.supply_end_date,
        ),
        ...completed!.payload.supply_points.map((point) => point.confirmed_supply_end_date),
      ];
      expect(new Set(ends)).toEqual(new Set([day]));
      expect(completed!.at).toBeGreaterThan(Date.parse(midnightOf(day)));
    }
  });

  it('names one supplier for both fuels', async () => {
    const pairs = new Set<string>();
    for (const cell of byCell(await losses({ outcome: 'completed' }))) {
      const [electricity] = of(cell, 'industry.electricity.change_of_supply.loss.complete', 'v1');
      const gas = of(cell, 'industry.gas.change_of_supply.loss.complete', 'v1');
      const confirmed = of(cell, 'meterpoint.gas.cos_loss.confirmed', 'v1');
      expect(confirmed.map(({ payload }) => payload.new_supplier)).toEqual(
        gas.map(({ payload }) => payload.new_supplier_id),
      );
      for (const { payload } of gas)
        pairs.add(`${electricity!.payload.new_supplier_id} ${payload.new_supplier_id}`);
    }
    expect([...pairs].sort()).toEqual(['KELV KEL', 'NOVA NOV', 'ORLA ORL']);
  });

  it('ends every agreement, and bills once within six weeks', async () => {
    const emissions = await losses({ outcome: 'completed' });
    for (const cell of byCell(emissions)) {
      const points = of(cell, 'lifecycle.leave-supplier.requested', 'v3')[0]!.payload.supply_points;
      const terminated = of(cell, 'agreement.terminated', 'v2').length;
      // A home that feeds energy back has another one.
      expect([points.length, points.length + 1]).toContain(terminated);
      const [completed] = of(cell, 'lifecycle.leave-supplier.completed', 'v3');
      const bills = of(cell, 'billing.final_bill', 'v1');
      expect(bills).toHaveLength(1);
      const weeks = (bills[0]!.at - completed!.at) / (7 * 24 * 3_600_000);
      expect(weeks).toBeGreaterThan(0);
      expect(weeks).toBeLessThan(6);
    }
  });

  it('sends the final bill between six and nine in the morning', async () => {
    const sent = of(
      [
        ...(await losses({ outcome: 'completed' })),
        ...(await play('house-move', { seed: 7, instances: 20 })),
      ],
      'billing.billing_document_representation.dispatched',
      'v3',
    );
    expect(sent.length).toBeGreaterThan(40);
    for (const { at } of sent) expect([6, 7, 8]).toContain(Math.floor(clock(at).hour));
  });

  it('objects by the evening of the next working day', async () => {
    const emissions = await losses({ outcome: 'objected' });
    expect(new Set(statuses(emissions).map(String))).toEqual(new Set(['IN_PROGRESS,CANCELLED']));
    expect(sequences(emissions).flat()).not.toContain('agreement.terminated');
    for (const cell of byCell(emissions)) {
      const [requested] = of(cell, 'lifecycle.leave-supplier.requested', 'v3');
      const [objected] = of(cell, 'lifecycle.leave-supplier.cancellation-requested', 'v2');
      expect(objected!.at - requested!.at).toBeLessThan(4.5 * 24 * 3_600_000);
      expect(clock(objected!.at).hour).toBeLessThan(18);
    }
  });

  it('reverses an error without a gap and without a final bill', async () => {
    const emissions = await losses({ outcome: 'reversed' });
    expect(new Set(statuses(emissions).map(String))).toEqual(new Set(['IN_PROGRESS,COMPLETED,REVERSED']));
    expect(sequences(emissions).flat()).not.toContain('billing.final_bill');
    for (const cell of byCell(emissions)) {
      const [reactivated] = of(cell, 'account.reactivated', 'v1');
      expect(reactivated!.payload.previous_status).toBe('DORMANT');
      const ended = of(cell, 'lifecycle.leave-supplier.completed', 'v3')[0]!.payload.supply_points;
      const created = of(cell, 'agreement.created', 'v1').filter(
        ({ payload }) => !payload.product_code.startsWith('OUTGOING'),
      );
      expect(created.map(({ payload }) => payload.valid_from)).toEqual(
        ended.map((point) => midnightOf(point.confirmed_supply_end_date)),
      );
    }
  });
});

describe('a household in which several processes run', () => {
  const noon = london.instantOf(dayOf(2026, 3, 2), 12 * hour);
  const cells = Array.from({ length: 20 }, (_, nth) => nth + 1);
  const often = (scenario: string, from: number, to: number) =>
    Array.from({ length: (to - from) / 2 }, (_, nth) => ({ at: noon + (from + 2 * nth) * day, scenario }));

  it('takes no home from a process that will be reversed', () => {
    let reversed = 0;
    for (const cell of cells) {
      const opened = openHousehold(noon, cell);
      const events = playInOneHousehold(
        [
          { at: noon, scenario: 'house-move' },
          ...often('switch-loss', 1, 61),
          ...often('join-switch-gain', 1, 61),
        ],
        { cell, opened, branches: { outcome: 'reversed' } },
      );
      const completed = of(events, 'lifecycle.join-supplier.completed', 'v1');
      for (const { at, payload } of of(events, 'lifecycle.join-supplier.reversed', 'v1')) {
        const begun = completed.find(
          (each) => each.payload.join_supplier_process_number === payload.join_supplier_process_number,
        );
        const lost = of(events, 'lifecycle.leave-supplier.requested', 'v3').filter(
          (each) =>
            each.payload.account_number === payload.account_number && each.at > begun!.at && each.at < at,
        );
        expect(lost).toEqual([]);
        reversed++;
      }
      const homes = opened.accounts.flatMap(({ occupancies }) =>
        occupancies.filter(({ to }) => to === undefined).map(({ property }) => property),
      );
      expect(new Set(homes).size).toBe(homes.length);
    }
    expect(reversed).toBeGreaterThan(cells.length);
  });

  it('ends no supply for debt while the customer moves out', () => {
    let ended = 0;
    for (const cell of cells) {
      const events = playInOneHousehold(
        [{ at: noon, scenario: 'debt-path' }, ...often('house-move', 60, 160)],
        { cell, setting: 'debtor', branches: { end: 'terminated', outcome: 'moved' } },
      );
      const open = new Set<string>();
      for (const { envelope } of events) {
        const { leave_supplier_process_number: process = '', supply_points: points } = envelope.payload as {
          leave_supplier_process_number?: string;
          supply_points?: { external_identifier: string }[];
        };
        const home = points?.[0]?.external_identifier ?? process;
        if (envelope.event_type === 'lifecycle.leave-supplier.requested' && envelope.version === 'v3') {
          expect(open.has(home)).toBe(false);
          open.add(home);
          ended++;
        }
        if (envelope.event_type === 'lifecycle.leave-supplier.completed') open.delete(home);
      }
    }
    expect(ended).toBeGreaterThan(cells.length);
  });

  it('gets a bill for an account that joins, and for the first one', () => {
    for (const cell of cells) {
      const opened = openHousehold(noon, cell);
      const bills = Array.from({ length: 4 }, (_, month) => ({
        at: london.instantOf(dayOf(2026, 3 + month, billDay({ seed: 9, index: cell })), hour),
        scenario: 'billing-cycle',
      }));
      const branches = { outcome: 'completed' };
      const events = playInOneHousehold([{ at: noon, scenario: 'join-switch-gain' }, ...bills], {
        ...{ cell, opened, branches },
      });
      const billed = new Set(of(events, 'billing.ledger.entry_posted', 'v2').map(({ key }) => key));
      for (const { number } of opened.accounts) expect(billed).toContain(number);
      expect(opened.accounts).toHaveLength(2);
    }
  });

  it('gets a bill a month when it joins before the run', () => {
    const lengths: number[] = [];
    for (const cell of cells) {
      const opened = openHousehold(noon, cell);
      const joined = { at: noon - (20 + cell) * day, scenario: 'join-switch-gain' };
      const bills = Array.from({ length: 2 }, (_, month) => ({
        at: london.instantOf(dayOf(2026, 3 + month, billDay({ seed: 9, index: cell })), hour),
        scenario: 'billing-cycle',
      })).filter(({ at }) => at >= noon);
      playInOneHousehold([joined, ...bills], { cell, opened, branches: { outcome: 'completed' } });
      const account = opened.accounts.find((each) => each !== opened.account);
      if (account !== undefined && !opened.traits.prepaid)
        for (const { from, to } of billsOf(opened, account, 9)) lengths.push(to - from);
    }
    expect(lengths.length).toBeGreaterThan(cells.length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(31);
  });

  it.each([
    ['were posted', {}],
    ['come a night late', { priming: 'errored' }],
    ['are billed a night late', { document: 'failed' }],
  ])('gets the charges for a reversed supply back that %s, and what was paid', (_, mishap) => {
    let charged = 0;
    let returned = 0;
    for (const cell of cells) {
      const opened = openHousehold(noon, cell, 'newcomer');
      const bills = Array.from({ length: 60 }, (_, nth) => ({
        at: noon + nth * day,
        scenario: 'billing-cycle',
      }));
      const events = playInOneHousehold([{ at: noon, scenario: 'join-switch-gain' }, ...bills], {
        cell,
        opened,
        branches: { outcome: 'reversed', payment: 'collected', ...mishap },
      });
      for (const account of opened.accounts.filter(({ status }) => status === 'WITHDRAWN')) {
        expect(balance(account.ledger)).toBe(0);
        for (const bill of billsOf(opened, account, 9)) expect(bill.charges).not.toEqual([]);
        const posted = of(events, 'billing.ledger.entry_posted', 'v2')
          .filter(({ key }) => key === account.number)
          .map(({ payload }) => payload.entry);
        charged += posted.filter(({ is_charge, is_reversal }) => is_charge && !is_reversal).length;
        returned += posted.filter(({ is_repayment }) => is_repayment).length;
      }
    }
    expect(charged).toBeGreaterThan(0);
    expect(returned).toBeGreaterThan(0);
  });
});
