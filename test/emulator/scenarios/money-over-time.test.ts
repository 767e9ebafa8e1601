import { describe, expect, it } from 'vitest';
import { london } from '../../../emulator/engine/calendar.js';
import { dateOf, dayOf, hour, minute } from '../../../emulator/engine/time.js';
import { billsOf, ledgerOf } from '../../../emulator/world/billing/books.js';
import { costFrom } from '../../../emulator/world/billing/charges.js';
import { type ChargeLine, chargeOf } from '../../../emulator/world/energy/charge.js';
import { balance } from '../../../emulator/world/billing/entries.js';
import type { LedgerEntry } from '../../../emulator/world/cell.js';
import { billDay, paymentPlan } from '../../../emulator/world/billing/payments.js';
import { type Happened, of } from './payloads.js';
import { type Beginning, openHousehold, playInOneHousehold } from './same-household.js';

const cells = Array.from({ length: 25 }, (_, index) => index + 1);
const night = (day: number) => london.instantOf(day, 90 * minute);

/** The bill runs of a year, each on the household's own day. */
const billRuns = (cell: number): Beginning[] =>
  Array.from({ length: 12 }, (_, month) => ({
    at: night(dayOf(2026, 3 + month, billDay({ seed: 9, index: cell }))),
    scenario: 'billing-cycle',
  }));

/** Charged periods of a supply point, in order, without those that were charged a second time. */
function periods(events: readonly Happened[]): Map<number, { start_at: string; end_at: string }[]> {
  const found = new Map<number, { start_at: string; end_at: string }[]>();
  for (const { payload } of of(events, 'billing.charging.supply-point.triggered', 'v1')) {
    const known = found.get(payload.supply_point_id) ?? [];
    found.set(payload.supply_point_id, known);
    const period = payload.charge_period;
    if (!known.some(({ start_at, end_at }) => start_at === period.start_at && end_at === period.end_at)) {
      known.push(period);
    }
  }
  return found;
}

function expectNoGap(events: readonly Happened[]): void {
  for (const charged of periods(events).values()) {
    for (const [index, { start_at }] of charged.entries()) {
      if (index > 0) expect(start_at).toBe(charged[index - 1]?.end_at);
    }
  }
}

/** Each position begins where the last one ended, and falls by what was allocated, by nothing else. */
function expectPositionsToFollow(events: readonly Happened[]): void {
  let last: number | undefined;
  let fallen = 0;
  for (const { payload } of of(events, 'delinquent_debt.position_changed', 'v2')) {
    if (last !== undefined) expect(payload.previous_value).toBe(last);
    last = payload.new_value;
    fallen += Math.max(0, payload.previous_value - payload.new_value);
  }
  const allocated = of(events, 'delinquent_debt.allocation_created', 'v1');
  expect(fallen).toBe(allocated.reduce((sum, { payload }) => sum + payload.amount, 0));
}

/** The balance after each entry. */
function balances(entries: readonly LedgerEntry[]): number[] {
  return entries.map((_, nth) => balance({ entries: entries.slice(0, nth + 1) }));
}

/** Plays 150 households that moved home up to 20 days apart, at least `days` before the start of the run. */
function* movedBefore(
  start: number,
  { days, account, runs }: { days: number; account: string; runs: number },
) {
  for (let cell = 1; cell <= 150; cell++) {
    const opened = openHousehold(start, cell, 'household');
    if (paymentPlan(opened) === 'prepaid') continue;
    const moved = { at: start - (days + (cell % 20)) * 24 * hour, scenario: 'house-move' };
    const branches = { outcome: 'moved', account, date: 'kept', occupier: 'none' };
    const events = playInOneHousehold([moved, ...billRuns(cell).slice(0, runs)], { cell, opened, branches });
    yield { cell, opened, events };
  }
}

describe('money of one household over a year', () => {
  it('bills every month, without gaps or overlaps', () => {
    for (const cell of cells) {
      const events = playInOneHousehold(billRuns(cell), { cell });
      expect(of(events, 'billing.issued_bill', 'v1')).toHaveLength(12);
      expectNoGap(events);
    }
  });

  it('bills on a changed bill day, without a gap', () => {
    for (const cell of cells) {
      const runs = billRuns(cell);
      const asked = (runs[2]?.at ?? 0) + 36 * hour;
      const events = playInOneHousehold([...runs, { at: asked, scenario: 'billing-options-change' }], {
        cell,
        branches: { document: 'issued', priming: 'ok' },
      });
      expectNoGap(events);
      const days = of(events, 'billing.issued_bill', 'v1').map(
        ({ at }) => dateOf(london.dayAt(at)).dayOfMonth,
      );
      const own = billDay({ seed: 9, index: cell });
      expect(days.slice(0, 3)).toEqual([own, own, own]);
      const changed = days.findIndex((each) => each !== own);
      expect([3, 4]).toContain(changed);
      expect(new Set(days.slice(changed)).size).toBe(1);
    }
  });

  it('bills for at most 46 days when the bill day moves', () => {
    const lengths: number[] = [];
    for (const cell of cells) {
      const runs = billRuns(cell);
      const opened = openHousehold(runs[0]?.at ?? 0, cell);
      const asked = (runs[2]?.at ?? 0) + 36 * hour;
      playInOneHousehold([...runs, { at: asked, scenario: 'billing-options-change' }], { cell, opened });
      const { account } = opened;
      if (paymentPlan(opened) === 'prepaid') continue;
      for (const { from, to } of billsOf(opened, account, 9)) lengths.push(to - from);
    }
    expect(lengths.length).toBeGreaterThan(50);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(46);
  });

  it('bills for at least a week when the bill day moves several times', () => {
    const lengths: number[] = [];
    for (const cell of Array.from({ length: 100 }, (_, index) => index + 1)) {
      const runs = billRuns(cell);
      const opened = openHousehold(runs[0]?.at ?? 0, cell);
      if (paymentPlan(opened) === 'prepaid') continue;
      const changes = [2, 3, 4, 6, 7, 8].map((month) => {
        const asked = (runs[month]?.at ?? 0) + (12 + ((37 * cell * month) % 600)) * hour;
        return { at: asked, scenario: 'billing-options-change' };
      });
      playInOneHousehold([...runs, ...changes], { cell, opened });
      for (const { from, to } of billsOf(opened, opened.account, 9)) lengths.push(to - from);
    }
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(7);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(46);
  });

  it('agrees on another instalment for another home', () => {
    let moved = 0;
    for (const cell of Array.from({ length: 60 }, (_, index) => index + 1)) {
      const runs = billRuns(cell).slice(0, 5);
      const opened = openHousehold(runs[0]?.at ?? 0, cell, 'household');
      const { account } = opened;
      if (paymentPlan(opened) !== 'fixed' || opened.traits.homes > 1) continue;
      const begins = { at: (runs[0]?.at ?? 0) + 10 * hour, scenario: 'house-move' };
      const branches = { outcome: 'moved', account: 'same', payment: 'collected' };
      playInOneHousehold([...runs, begins], { cell, opened, branches });
      const [, home] = account.occupancies;
      const first = billsOf(opened, account, 9).findLast(({ from }) => from === home?.from);
      const paid = account.ledger.entries.findLast(({ kind }) => kind === 'payment');
      if (first === undefined || paid === undefined) continue;
      const expected = costFrom(opened, account, first.issuedOn, 365);
      expect(paid.amount * 12, `cell ${cell}`).toBeGreaterThanOrEqual(expected);
      const debt = Math.max(0, ...balances(account.ledger.entries));
      expect(paid.amount * 12, `cell ${cell}`).toBeLessThan(expected + debt + 1_200);
      moved++;
    }
    expect(moved).toBeGreaterThan(10);
  });

  it.each([
    { scenario: 'switch-loss', branches: {} },
    { scenario: 'house-move', branches: { account: 'new' } },
    { scenario: 'house-move', branches: { account: 'same' } },
  ])('bills each day once and is paid after a reversed $scenario of $branches', (back) => {
    const { scenario, branches } = back;
    let returned = 0;
    for (let cell = 1; cell <= 80; cell++) {
      const runs = billRuns(cell).slice(0, 6);
      const opened = openHousehold(runs[0]?.at ?? 0, cell, 'household');
      if (paymentPlan(opened) === 'prepaid' || opened.traits.homes > 1) continue;
      const begins = { at: (runs[1]?.at ?? 0) + (10 + (cell % 28) * 24) * hour, scenario };
      const usual = { outcome: 'reversed', document: 'issued', priming: 'ok' };
      const played = { cell, opened, branches: { ...usual, ...branches } };
      const events = playInOneHousehold([...runs, begins], played);
      returned += of(events, 'lifecycle.leave-supplier.reversal-requested', 'v2').length;
      const { account } = opened;
      const paid = account.ledger.entries.findLast(({ kind }) => kind === 'payment');
      const [last] = billsOf(opened, account, 7);
      if (account.status === 'ACTIVE')
        expect(paid?.on, `cell ${cell}`).toBeGreaterThan((last?.issuedOn ?? 0) - 40);
      for (const { from, to } of billsOf(opened, account, 7)) expect(to - from).toBeLessThanOrEqual(46);
      const ends = new Map<number, number>();
      const charged = account.ledger.entries.filter(({ reverses, isReversed }) => !reverses && !isReversed);
      for (const { from, to, supplyPoint } of charged.flatMap(({ energy }) => energy ?? [])) {
        expect(from, `cell ${cell}`).toBe(ends.get(supplyPoint.id) ?? from);
        ends.set(supplyPoint.id, to);
      }
    }
    expect(returned).toBeGreaterThan(50);
  });

  it('keeps the position correct across debts, write-backs and corrections', () => {
    for (const cell of cells) {
      const runs = billRuns(cell);
      const [first] = runs;
      const begun = first?.at ?? 0;
      const others = [
        'debt-path',
        'debt-write-back',
        'rebill-correction',
        'debt-path',
        'approvals',
        'rebate',
      ];
      const events = playInOneHousehold(
        [
          ...runs,
          ...others.map((scenario, index) => ({ at: begun + (40 + 30 * index) * 24 * hour, scenario })),
        ],
        { cell, branches: { payment: cell % 2 === 0 ? 'overdue' : 'returned' } },
      );
      expectNoGap(events);
      expectPositionsToFollow(events);
      const posted = of(events, 'billing.ledger.entry_posted', 'v2').map(({ payload }) => payload.entry.id);
      expect(posted).toEqual([...new Set(posted)].sort((a, b) => a - b));
      const removed = of(events, 'billing.ledger.entry_removed', 'v2').map(({ payload }) => payload.entry.id);
      expect(new Set(removed).size).toBe(removed.length);
    }
  });

  it('charges the old home up to a move, and the new one from then on', () => {
    for (const cell of cells) {
      const runs = billRuns(cell);
      const asked = (runs[1]?.at ?? 0) + 10 * hour;
      const events = playInOneHousehold([...runs, { at: asked, scenario: 'house-move' }], {
        cell,
        branches: { outcome: 'moved' },
      });
      const [left] = of(events, 'lifecycle.leave-supplier.completed', 'v3');
      const moved = left?.payload.supply_points[0]?.confirmed_supply_end_date ?? '';
      const midnight = london.instantOf(Date.parse(moved) / (24 * hour));
      const homes = [...periods(events).values()].flat();
      for (const { start_at, end_at } of homes) {
        const isOld = Date.parse(start_at) < midnight;
        if (isOld) expect(Date.parse(end_at)).toBeLessThanOrEqual(midnight);
      }
      expect(homes.some(({ start_at }) => Date.parse(start_at) === midnight)).toBe(true);
    }
  });

  it('tops up no meter of a supply that has ended', () => {
    const prepaid = Array.from({ length: 120 }, (_, index) => index + 1).filter(
      (cell) => paymentPlan(openHousehold(night(dayOf(2026, 3, 2)), cell, 'household')) === 'prepaid',
    );
    let topUps = 0;
    for (const cell of prepaid) {
      const [run] = billRuns(cell) as [Beginning];
      const lost = { at: run.at + 80 * hour, scenario: 'switch-loss' };
      const events = playInOneHousehold([run, lost], {
        cell,
        setting: 'household',
        branches: { outcome: 'completed' },
      });
      const [left] = of(events, 'lifecycle.leave-supplier.completed', 'v3');
      const ended = left?.at ?? Infinity;
      const paid = of(events, 'billing.ledger.entry_posted', 'v2').filter(
        ({ payload }) => payload.entry.is_payment,
      );
      topUps += paid.length;
      const [bill] = of(events, 'billing.final_bill', 'v1');
      expect(paid.filter(({ at }) => at > ended && at < (bill?.at ?? Infinity))).toEqual([]);
    }
    expect(topUps).toBeGreaterThan(5);
  });

  it('collects the last bill of an old home from a customer who keeps the account', () => {
    let paid = 0;
    for (const cell of Array.from({ length: 60 }, (_, index) => index + 1)) {
      const runs = billRuns(cell);
      const opened = openHousehold(runs[0]?.at ?? 0, cell, 'household');
      if (paymentPlan(opened) === 'fixed' || paymentPlan(opened) === 'prepaid') continue;
      const moved = { at: (runs[1]?.at ?? 0) + 10 * hour, scenario: 'house-move' };
      const branches = { outcome: 'moved', account: 'same', payment: 'collected' };
      const events = playInOneHousehold([...runs.slice(0, 8), moved], { cell, opened, branches });
      const { account } = opened;
      const own = events.filter(({ key }) => key === account.number);
      const [final] = of(own, 'billing.final_bill', 'v1');
      const bill = billsOf(opened, account, 30).find(({ id }) => id === final?.payload.statement_id);
      if (bill === undefined || bill.amount === 0) continue;
      paid += 1;
      const payments = account.ledger.entries.filter(({ kind }) => kind === 'payment');
      expect(payments.map(({ amount }) => amount)).toContain(bill.amount);
    }
    expect(paid).toBeGreaterThan(5);
  });

  it('sends no final bill without charges before the monthly bill of a new home', () => {
    let bills = 0;
    for (const cell of Array.from({ length: 60 }, (_, index) => index + 1)) {
      const runs = billRuns(cell).slice(0, 5);
      const opened = openHousehold(runs[0]?.at ?? 0, cell);
      const moved = { at: (runs[1]?.at ?? 0) + 10 * hour, scenario: 'house-move' };
      const branches = { outcome: 'moved', account: 'same', date: 'kept', occupier: 'none' };
      const events = playInOneHousehold([...runs, moved], { cell, opened, branches });
      const finals = of(events, 'billing.final_bill', 'v1').map(({ payload }) => payload.statement_id);
      const [final] = billsOf(opened, opened.account, 30).filter(({ id }) => finals.includes(id));
      bills += final === undefined ? 0 : 1;
      if (final !== undefined) expect([cell, final.charges]).not.toEqual([cell, []]);
      expectNoGap(events);
    }
    expect(bills).toBeGreaterThan(50);
  });

  it.each(['same', 'new'])(
    'sends a final bill with charges for a move before the run: %s account',
    (account) => {
      const start = night(dayOf(2026, 3, 2));
      let bills = 0;
      for (const { cell, opened, events } of movedBefore(start, { days: 8, account, runs: 3 })) {
        const finals = of(events, 'billing.final_bill', 'v1').filter(({ at }) => at >= start);
        for (const { payload } of finals) {
          const bill = billsOf(opened, opened.account, 30).find(({ id }) => id === payload.statement_id);
          bills += 1;
          expect([cell, bill?.charges.length]).not.toEqual([cell, 0]);
        }
        expectNoGap(events.filter(({ at }) => at >= start));
      }
      expect(bills).toBeGreaterThan(20);
    },
  );

  it('bills an account that a move opened before the run for a month at most', () => {
    const start = night(dayOf(2026, 3, 2));
    let longest = 0;
    for (const { opened } of movedBefore(start, { days: 30, account: 'new', runs: 2 })) {
      for (const account of opened.accounts) {
        if (account === opened.account) continue;
        for (const { from, to } of billsOf(opened, account, 30)) longest = Math.max(longest, to - from);
      }
    }
    expect(longest).toBe(31);
  });

  it.each(['identified', 'unknown'])('collects the bills of an occupier who is %s', (occupier) => {
    let paid = 0;
    for (const cell of Array.from({ length: 30 }, (_, index) => index + 1)) {
      const runs = billRuns(cell);
      const opened = openHousehold(runs[0]?.at ?? 0, cell, 'household');
      const moved = { at: (runs[0]?.at ?? 0) + 10 * hour, scenario: 'house-move' };
      const branches = { outcome: 'moved', occupier, payment: 'collected' };
      playInOneHousehold([...runs, moved], { cell, opened, branches });
      const account = opened.accounts.findLast(
        ({ occupancies: [home] }) => home?.property === opened.properties[0],
      );
      if (account === undefined || account === opened.account) continue;
      const entries = account.ledger.entries.filter(({ kind }) => kind === 'payment');
      const isPrepaid = paymentPlan(opened) === 'prepaid';
      expect(entries.length, `cell ${cell}`).toBeGreaterThanOrEqual(isPrepaid ? 15 : 7);
      paid += isPrepaid ? 1 : 0;
    }
    expect(paid).toBeGreaterThan(0);
  });

  it('collects the transferred balance of an imported account', () => {
    let imported = 0;
    for (const cell of Array.from({ length: 60 }, (_, index) => index + 1)) {
      const runs = billRuns(cell).slice(0, 6);
      const opened = openHousehold(runs[0]?.at ?? 0, cell, 'household');
      const sent = { at: (runs[0]?.at ?? 0) + 20 * hour, scenario: 'data-import-account' };
      const branches = { outcome: 'completed', payment: 'collected', document: 'issued', priming: 'ok' };
      playInOneHousehold([...runs, sent], { cell, opened, branches });
      const account = opened.accounts.at(-1);
      const isPaidByBill = paymentPlan(opened) === 'whole' || paymentPlan(opened) === 'receipt';
      if (account === undefined || account === opened.account || !isPaidByBill) continue;
      imported += 1;
      expect([cell, balance(account.ledger)]).toEqual([cell, 0]);
    }
    expect(imported).toBeGreaterThan(5);
  });

  it.each([3, 20, 40])('collects the difference of a charge that is corrected after %i days', (days) => {
    let paid = 0;
    for (const cell of Array.from({ length: 60 }, (_, index) => index + 1)) {
      const runs = billRuns(cell).slice(0, 4);
      const opened = openHousehold(runs[0]?.at ?? 0, cell, 'household');
      const plan = paymentPlan(opened);
      const before = balance(ledgerOf(opened, opened.account));
      const corrected = { at: (runs[0]?.at ?? 0) + days * 24 * hour, scenario: 'rebill-correction' };
      const branches = { payment: 'collected', priming: 'ok' };
      const events = playInOneHousehold([...runs, corrected], { cell, opened, branches });
      const [removed] = of(events, 'billing.ledger.entry_removed', 'v2').map(({ payload }) => payload.entry);
      // A prepaid household can have no bill yet.
      if (removed === undefined) continue;
      const { entries } = ledgerOf(opened, opened.account);
      const bills = billsOf(opened, opened.account, 30);
      for (const { charges } of bills) {
        for (const { energy, amount } of charges)
          if (energy !== undefined) expect([cell, amount]).toEqual([cell, chargeOf(opened, energy)]);
      }
      const amounts = entries.filter(({ kind }) => kind === 'charge').map(({ amount }) => amount);
      expect(amounts).not.toContain(removed.amount);
      if (plan !== 'whole' && plan !== 'receipt') continue;
      paid += before === 0 ? 1 : 0;
      if (before === 0) expect([cell, balance({ entries })]).toEqual([cell, 0]);
    }
    expect(paid).toBeGreaterThan(5);
  });

  it('writes no debt back to a household that prepays', () => {
    const at = night(dayOf(2026, 4, 1));
    for (const cell of Array.from({ length: 40 }, (_, index) => index + 1)) {
      const opened = openHousehold(at, cell, 'household');
      if (paymentPlan(opened) !== 'prepaid') continue;
      playInOneHousehold([{ at, scenario: 'debt-write-back' }], { cell, opened });
      expect(ledgerOf(opened, opened.account).position).toBe(0);
    }
  });

  it('pays all overdue debt of a bill that was corrected before', () => {
    let allocated = 0;
    for (const cell of Array.from({ length: 60 }, (_, index) => index + 1)) {
      const runs = billRuns(cell).slice(0, 1);
      const begun = runs[0]?.at ?? 0;
      const opened = openHousehold(begun, cell, 'household');
      const events = playInOneHousehold(
        [...runs, { at: begun + 24 * 24 * hour, scenario: 'rebill-correction' }],
        { cell, opened, branches: { payment: 'returned', cause: 'error' } },
      );
      const { entries } = ledgerOf(opened, opened.account);
      const sums = new Map<string, number>();
      for (const { payload } of of(events, 'delinquent_debt.allocation_created', 'v1')) {
        const { source_identifier: payment } = payload.fulfilment;
        sums.set(payment, (sums.get(payment) ?? 0) + payload.amount);
        allocated++;
      }
      for (const [payment, sum] of sums) {
        const amount = entries.find(({ id }) => String(id) === payment)?.amount;
        expect(sum, `cell ${cell}`).toBeLessThanOrEqual(amount ?? 0);
      }
    }
    expect(allocated).toBeGreaterThan(20);
  });

  it('writes a debt back of which a credit pays a part', () => {
    const at = night(dayOf(2026, 10, 1));
    const unpaid: number[] = [];
    for (const cell of Array.from({ length: 40 }, (_, index) => index + 1)) {
      const opened = openHousehold(at, cell, 'household');
      const ledger = ledgerOf(opened, opened.account);
      const { position: before } = ledger;
      const events = playInOneHousehold([{ at, scenario: 'debt-write-back' }], {
        cell,
        opened,
        branches: { outcome: 'completed' },
      });
      const [written] = of(events, 'debt.actioning.automated_debt_write_back.completed', 'v1');
      if (written === undefined) continue;
      const { amount } = written.payload;
      const owed = Math.min(amount, balance(ledger) - before);
      const risen = ledger.position - before;
      expect([cell, risen]).toEqual([cell, owed < 5_000 ? 0 : owed]);
      unpaid.push(risen / amount);
    }
    expect(Math.min(...unpaid)).toBe(0);
    expect(unpaid.some((share) => share > 0 && share < 1)).toBe(true);
    expect(Math.max(...unpaid)).toBe(1);
  });

  it('bills a prepaid household that leaves for all that no bill lists yet', () => {
    let left = 0;
    for (const cell of Array.from({ length: 150 }, (_, index) => index + 1)) {
      const runs = billRuns(cell).slice(0, 3);
      const opened = openHousehold(runs[0]?.at ?? 0, cell, 'household');
      if (paymentPlan(opened) !== 'prepaid') continue;
      const lost = { at: (runs[1]?.at ?? 0) + 5 * 24 * hour, scenario: 'switch-loss' };
      playInOneHousehold([...runs, lost], { cell, opened, branches: { outcome: 'completed' } });
      const bills = billsOf(opened, opened.account, 30);
      const [last, before] = bills;
      if (last === undefined || opened.account.status === 'ACTIVE') continue;
      left += 1;
      expect([cell, last.from]).toEqual([cell, before?.to ?? last.charges[0]?.energy?.from]);
      for (const { energy } of last.charges) expect(energy?.from).toBeGreaterThanOrEqual(last.from);
    }
    expect(left).toBeGreaterThan(5);
  });

  it('lists a held bill under the day on which it is issued', () => {
    for (const cell of cells) {
      const opened = openHousehold(billRuns(cell)[0]?.at ?? 0, cell);
      const branches = { document: 'held', payment: 'collected' };
      const events = playInOneHousehold(billRuns(cell).slice(0, 1), { cell, opened, branches });
      const [issued] = of(events, 'billing.billing_document.issued', 'v1');
      const [bill] = billsOf(opened, opened.account, 1);
      expect(bill?.id).toBe(issued?.payload.billing_document_id);
      expect(bill?.issuedOn).toBe(london.dayAt(issued?.at ?? 0));
    }
  });

  it('settles the last bill of a household that has left, and ends its payment plan', () => {
    const seen = { payment: 0, repayment: 0, returned: 0 };
    for (const cell of Array.from({ length: 150 }, (_, index) => index + 1)) {
      const runs = billRuns(cell).slice(0, 4);
      const lost = { at: (runs[1]?.at ?? 0) + (cell % 28) * 24 * hour, scenario: 'switch-loss' };
      const opened = openHousehold(runs[0]?.at ?? 0, cell, 'household');
      const branches = { outcome: 'completed', date: 'kept' };
      const events = playInOneHousehold([...runs, lost], { cell, opened, branches });
      const [bill] = of(events, 'billing.final_bill', 'v1');
      if (bill === undefined) continue;
      const ledger = ledgerOf(opened, opened.account);
      expect([cell, balance(ledger)]).toEqual([cell, ledger.position]);
      const settled = of(events, 'billing.ledger.entry_posted', 'v2').filter(({ at }) => at > bill.at);
      const reversed = settled.filter(({ payload }) => payload.entry.is_reversal);
      expect(settled.length).toBeLessThanOrEqual(1 + 2 * reversed.length);
      seen.returned += reversed.length;
      for (const { at, payload } of settled) {
        if (payload.entry.is_repayment)
          expect(at).toBeLessThan(london.instantOf(london.addWorkingDays(london.dayAt(bill.at), 11)));
        seen[payload.entry.is_repayment ? 'repayment' : 'payment']++;
      }
    }
    expect(seen.payment).toBeGreaterThan(20);
    expect(seen.repayment).toBeGreaterThan(20);
    expect(seen.returned).toBeGreaterThan(0);
  });

  it('bills a business for its energy, with VAT of 20 %', () => {
    for (const cell of cells) {
      const runs = billRuns(cell).slice(0, 3);
      const opened = openHousehold(runs[0]?.at ?? 0, cell, 'business');
      const events = playInOneHousehold(runs, { cell, opened, branches: { payment: 'collected' } });
      expect(of(events, 'billing.issued_bill', 'v1')).toHaveLength(3);
      const lines: ChargeLine[] = [];
      for (const { energy, amount } of ledgerOf(opened, opened.account).entries) {
        if (energy !== undefined) expect(chargeOf(opened, energy, lines)).toBe(amount);
      }
      expect(new Set(lines.map(({ vat }) => vat))).toEqual(new Set([20]));
      const paid = of(events, 'billing.ledger.entry_posted', 'v2').filter(
        ({ payload }) => payload.entry.is_payment,
      );
      expect(paid.length).toBeGreaterThanOrEqual(3);
    }
  });

  it.each(['REFUND', 'WRITE_OFF'])('refunds only credit, writes off only debt: %s', (process) => {
    let applied = 0;
    for (const cell of cells) {
      const asked = { at: london.instantOf(dayOf(2026, 3, 4), 10 * hour), scenario: 'approvals' };
      const untouched = openHousehold(asked.at, cell);
      const before = balance(ledgerOf(untouched, untouched.account));
      const opened = openHousehold(asked.at, cell);
      const branches = { process, verdict: 'approved' };
      const events = playInOneHousehold([asked], { cell, branches, opened });
      const after = balance(ledgerOf(opened, opened.account));
      const [created] = of(events, 'approvals.approval.created', 'v1');
      if (created?.payload.process_type !== process) continue;
      applied++;
      expect(after).toBeLessThanOrEqual(Math.max(0, before));
      expect(after).toBeGreaterThanOrEqual(Math.min(0, before));
    }
    expect(applied).toBeGreaterThan(5);
  });

  it.each([
    ['house-move', { outcome: 'moved', occupier: 'none' }],
    ['switch-loss', { outcome: 'completed' }],
    ['debt-path', { end: 'terminated' }],
  ])('ends its charges with the supply by %s, even if billed every night', (scenario, branches) => {
    const first = dayOf(2026, 3, 3);
    const nightly = Array.from(
      { length: 60 },
      (_, index): Beginning => ({
        at: london.instantOf(first + index, 45 * minute + (index % 4) * hour),
        scenario: 'billing-cycle',
      }),
    );
    let ended = 0;
    for (const cell of cells) {
      const events = playInOneHousehold([...nightly, { at: london.instantOf(first, 9 * hour), scenario }], {
        cell,
        branches: { document: 'issued', ...branches },
        setting: 'debtor',
      });
      const [left] = of(events, 'lifecycle.leave-supplier.completed', 'v3');
      if (left === undefined) continue;
      ended++;
      const end = london.instantOf(
        Date.parse(left.payload.supply_points[0]?.confirmed_supply_end_date ?? '') / (24 * hour),
      );
      for (const home of periods(events).values()) {
        const isOld = Date.parse(home[0]?.start_at ?? '') < end;
        if (isOld) expect(Date.parse(home.at(-1)?.end_at ?? '')).toBeLessThanOrEqual(end);
      }
      expectNoGap(events);
    }
    expect(ended).toBeGreaterThan(20);
  });

  it('sends no bills to a household that has left', () => {
    for (const scenario of ['billing-cycle', 'rebill-correction', 'rebate', 'debt-path', 'approvals']) {
      const events = playInOneHousehold([{ at: night(dayOf(2026, 3, 3)), scenario }], {
        cell: 1,
        setting: 'dormant',
      });
      expect(events).toEqual([]);
    }
  });

  it('sends one final bill for two homes that were left before it', () => {
    let together = 0;
    for (const cell of cells) {
      const moved = night(dayOf(2026, 3, 2));
      const lost = Array.from({ length: 4 }, (_, week) => ({
        at: moved + (8 + 8 * week) * 24 * hour,
        scenario: 'switch-loss',
      }));
      const events = playInOneHousehold([{ at: moved, scenario: 'house-move' }, ...lost], {
        cell,
        branches: { account: 'same', date: 'kept' },
      });
      const ofMover = events.filter(({ key }) => key === events[0]?.key);
      const completed = of(ofMover, 'lifecycle.leave-supplier.completed', 'v3').map(({ at }) => at);
      const bills = of(ofMover, 'billing.final_bill', 'v1').map(({ at }) => at);
      const atOnce = bills.filter((at) => at > (completed.at(-1) ?? 0));
      expect(atOnce.length, `cell ${cell}`).toBeLessThanOrEqual(1);
      if (completed.length === 2 && bills.length === 1) together += 1;
    }
    expect(together).toBeGreaterThan(0);
  });
});
