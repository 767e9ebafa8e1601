import { describe, expect, it } from 'vitest';
import { defaultStart, london } from '../../../emulator/engine/calendar.js';
import { day, dayOf } from '../../../emulator/engine/time.js';
import { Plan } from '../../../emulator/run/plan.js';
import { settingOf } from '../../../emulator/run/cell-kinds.js';
import { booksOf, ledgerOf, planLastBill } from '../../../emulator/world/billing/books.js';
import { balance } from '../../../emulator/world/billing/entries.js';
import { leftOn } from '../../../emulator/world/billing/past.js';
import { openCell, worldOf } from '../../../emulator/world/cell.js';
import { findProduct } from '../../../emulator/world/products/products.js';
import { takeUnpaidBill } from '../../../emulator/world/debt/debt.js';

const seed = 3;
const world = worldOf({ seed, start: dayOf(2026, 3, 2) * day, cells: 1_000 });
const indexes = Array.from({ length: 400 }, (_, nth) => nth + 1);
const cellAt = (index: number) => openCell(world, index, settingOf(seed, index));

function moneyOf({ cell, books, ledger }: ReturnType<typeof openBooks>) {
  return {
    cell: cell.index,
    position: ledger.position,
    entries: ledger.entries.map(({ id, kind, amount }) => ({ id, kind, amount })),
    bills: books.bills.map(({ id, amount, credited }) => ({ id, amount, credited })),
    dues: books.dues.map(({ amount, overdue, steps }) => ({ amount, overdue, steps })),
  };
}

function openBooks(index: number) {
  const cell = cellAt(index);
  return { cell, books: booksOf(cell, cell.account), ledger: ledgerOf(cell, cell.account) };
}

describe('booksOf', () => {
  it('ends the supply of an account that has left before an agreement that was revoked', () => {
    const { account } = cellAt(1);
    const [current] = account.agreements.slice(-1);
    if (current === undefined) throw new Error('the account has no agreement');
    const left = current.from + 10;
    account.agreements.forEach((agreement) => (agreement.to = Math.min(agreement.to ?? left, left)));
    account.agreements.push({ ...current, from: left + 30, to: left + 30 });
    expect(leftOn(account)).toBe(left);
  });

  it('ends the supply of an account on the day on which it began and ended', () => {
    const { account } = cellAt(1);
    const [current] = account.agreements.slice(-1);
    if (current === undefined) throw new Error('the account has no agreement');
    account.agreements.splice(0, Infinity, { ...current, to: current.from });
    expect(leftOn(account)).toBe(current.from);
  });

  it.each([
    ['whose other home has a term that ends later', 200, false],
    ['whose last term ended with the supply', 0, true],
  ])('closes an account that left a home before the run, %s', (_, days, isClosed) => {
    const cell = cellAt(1);
    const { account, ids } = cell;
    const left = london.dayAt(ids.start) - 30;
    ids.turn(ids.start - 25 * day);
    account.agreements.forEach((agreement) => (agreement.to = Math.min(agreement.to ?? left, left)));
    const [last] = account.agreements.slice(-1);
    if (last !== undefined) last.to = left + days;
    planLastBill(cell, account, left);
    ids.turn(ids.start);
    expect(booksOf(cell, account).isClosed).toBe(isClosed);
  });

  it('computes the amounts of the past alike whenever they are read', () => {
    const atOnce = indexes.map((index) => moneyOf(openBooks(index)));
    const opened = indexes.map(openBooks);
    for (const { cell } of opened)
      for (const agreement of cell.account.agreements)
        Object.assign(agreement, { to: agreement.from, product: 'VAR-22-11-18' });
    expect(opened.map(moneyOf)).toEqual(atOnce);
    expect(atOnce.flatMap(({ entries }) => entries).length).toBeGreaterThan(3_000);
  });

  it('owes what is overdue since long ago', () => {
    const inDebt = indexes.map(openBooks).filter(({ ledger }) => ledger.position > 0);
    for (const { ledger } of inDebt) expect(balance(ledger)).toBeGreaterThanOrEqual(ledger.position);
    expect(inDebt.length).toBeGreaterThan(5);
  });

  it('expects and charges more than nothing in the past', () => {
    for (const { dues, entries, bills } of indexes.map((index) => moneyOf(openBooks(index)))) {
      for (const { amount, steps } of dues) expect(amount > 0 || steps.length === 0).toBe(true);
      for (const { amount } of [...entries, ...bills]) expect(amount).toBeGreaterThan(0);
    }
  });
});

describe('the past', () => {
  it('collects payments on working days alone', () => {
    for (const { cell, ledger } of indexes.map(openBooks)) {
      if (cell.traits.payment !== 'DIRECT_DEBIT') continue;
      for (const { kind, on } of ledger.entries)
        if (kind === 'payment')
          expect([cell.index, on, london.isWorkingDay(on)]).toEqual([cell.index, on, true]);
    }
  });

  it('settles the last bill of a household that has left', () => {
    let left = 0;
    for (const { cell, books, ledger } of indexes.map(openBooks)) {
      const [home] = cell.account.occupancies;
      if (home?.to === undefined) continue;
      left++;
      expect(books.bills.at(-1)).toMatchObject({ to: home.to });
      expect(books.dues.flatMap(({ steps }) => steps)).toEqual([]);
      expect(balance(ledger)).toBe(ledger.position);
    }
    expect(left).toBeGreaterThan(3);
  });

  it('does not depend on when it is looked at', () => {
    const plan = new Plan({ scenario: 'everyday', accounts: 200, seed: 4 });
    const entriesAt = (cell: number, at: number) => {
      const { accounts } = plan.cell(cell, at);
      return accounts.flatMap(({ ledger }) =>
        ledger.entries.map(({ id, amount, on }) => `${id} ${amount} ${on}`),
      );
    };
    for (let cell = 1; cell <= 200; cell++) {
      const [first, later] = [entriesAt(cell, defaultStart), entriesAt(cell, defaultStart + 10 * day)];
      const known = new Set(later);
      // A charge can be taken back.
      expect([cell, first.filter((entry) => !known.has(entry)).length]).toEqual([
        cell,
        expect.toBeOneOf([0, 1]),
      ]);
    }
  });

  it('sells no product before its kind existed', () => {
    const old = indexes.flatMap((index) => cellAt(index).account.agreements).map(({ product }) => product);
    expect(old.filter((code) => /(AGILE|SILVER|GO-VAR|OUTGOING)-0/.test(code))).toEqual([]);
    for (const code of new Set(old)) expect(findProduct(code)?.code).toBe(code);
  });
});

describe('takeUnpaidBill', () => {
  it('finds no debt of a few pounds', () => {
    const debts = indexes.map(cellAt).flatMap((cell) => takeUnpaidBill(cell, cell.account) ?? []);
    expect(debts.length).toBeGreaterThan(30);
    for (const { due } of debts) expect(due.overdue).toBeGreaterThanOrEqual(1_000);
  });
});
