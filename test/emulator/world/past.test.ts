import { describe, expect, it } from 'vitest';
import { day, dayOf } from '../../../emulator/engine/time.js';
import { settingOf } from '../../../emulator/run/cell-kinds.js';
import { booksOf, ledgerOf } from '../../../emulator/world/billing/books.js';
import { balance } from '../../../emulator/world/billing/entries.js';
import { openCell, worldOf } from '../../../emulator/world/cell.js';
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

describe('takeUnpaidBill', () => {
  it('finds no debt of a few pounds', () => {
    const debts = indexes.map(cellAt).flatMap((cell) => takeUnpaidBill(cell, cell.account) ?? []);
    expect(debts.length).toBeGreaterThan(30);
    for (const { due } of debts) expect(due.overdue).toBeGreaterThanOrEqual(1_000);
  });
});
