import { london } from '../../engine/calendar.js';
import type { Day } from '../../engine/time.js';
import { ownedState } from '../cell-state.js';
import { type Account, type Cell, type Ledger, openedOn } from '../cell.js';
import { type Books, joinedOn } from './dues.js';
import { earlierBills, type ListedBill, recall } from './past.js';
import { billDay } from './payments.js';

/** Returns the account that is on supply on the day, or undefined, for example between two homes. */
export function accountOnSupply(cell: Cell, on: Day): Account | undefined {
  return cell.accounts.find(
    ({ status, agreements }) =>
      status === 'ACTIVE' && agreements.some(({ from, to }) => from <= on && (to === undefined || to > on)),
  );
}

/** Returns the books of the account. Those of the initial account begin with its past. */
export function booksOf(cell: Cell, account: Account): Books {
  return books.of(cell, account);
}

/** Computes the bills from before the run now, if a change of agreements on an earlier day would alter them later. */
export function keepPast(cell: Cell, account: Account, changedFrom: Day): void {
  if (london.instantOf(changedFrom) < cell.ids.start) books.of(cell, account);
}

/** Returns the ledger of the account, with its past. */
export function ledgerOf(cell: Cell, account: Account): Ledger {
  if (account === cell.account) books.of(cell, account);
  return account.ledger;
}

/** Returns the ledger of the account, then those of its deposits. */
export function ledgersOf(cell: Cell, account: Account): Ledger[] {
  return [ledgerOf(cell, account), ...booksOf(cell, account).deposits];
}

/** Returns the last bills of the account, the newest first. */
export function billsOf(cell: Cell, account: Account, count: number): ListedBill[] {
  const opened = booksOf(cell, account);
  const bills: ListedBill[] = opened.bills.toReversed();
  const earlier = opened.recalledFrom > 0 ? earlierBills(cell, account, opened, count - bills.length) : [];
  return [...bills, ...earlier].slice(0, count);
}

const books = ownedState<Account, Books>((cell, account) => {
  const opened: Books = {
    options: { id: cell.ids.integer('billing options', openedOn(cell, account)), day: billDay(cell) },
    pathway: cell.ids.uuid('pathway'),
    billedTo: joinedOn(account),
    bills: [],
    recalledFrom: 0,
    unbilled: [],
    dues: [],
    instalment: 0,
    deposits: [],
  };
  const { setting } = cell;
  const isBilled = setting !== 'business' && setting !== 'texas' && setting !== 'platform';
  if (account === cell.account && isBilled) recall(cell, account, opened);
  return opened;
});
