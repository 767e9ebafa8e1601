import { london } from '../../engine/calendar.js';
import type { Day } from '../../engine/time.js';
import { ownedState } from '../cell-state.js';
import { type Account, type Cell, type Ledger, type LedgerEntry, openedOn } from '../cell.js';
import { type Bill, type Books, type Due, joinedOn } from './dues.js';
import { Computed, type Pence, valueOf } from './entries.js';
import {
  billsBefore,
  earlierBills,
  lastBillDay,
  leftOn,
  type ListedBill,
  openDues,
  type Past,
  recall,
} from './past.js';
import { billDay, paymentPlan } from './payments.js';

/** Returns the account that is on supply on the day, or undefined, for example between two homes. */
export function accountOnSupply(cell: Cell, on: Day): Account | undefined {
  return cell.accounts.find((account) => isOnSupply(account, on));
}

export function isOnSupply({ status, agreements }: Account, on: Day): boolean {
  return (
    status === 'ACTIVE' && agreements.some(({ from, to }) => from <= on && (to === undefined || to > on))
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
  return [ledgerOf(cell, account), ...depositsOf(cell, account)];
}

/** Returns the ledgers of the account's deposits. */
export function depositsOf(cell: Cell, account: Account): Ledger[] {
  return deposits.of(cell, account);
}

const deposits = ownedState<Account, Ledger[]>(() => []);

/** Remembers that an account which has left gets its last bill today, before the run: the past has it. */
export function noteLastBill(cell: Cell, account: Account): void {
  lastBills.of(cell, account).on = london.dayAt(cell.ids.now);
}

/** The day of the last bill from before the run of an account that has left. */
const lastBills = ownedState<Account, { on: Day | undefined }>((cell, { occupancies: [home] }) => ({
  on: cell.setting === 'dormant' && home?.to !== undefined ? lastBillDay(cell, home.to) : undefined,
}));

/** Returns the last bills of the account, the newest first. */
export function billsOf(cell: Cell, account: Account, count: number): ListedBill[] {
  const opened = booksOf(cell, account);
  const bills: ListedBill[] = opened.bills.toReversed();
  const earlier = opened.recalledFrom > 0 ? earlierBills(cell, account, opened, count - bills.length) : [];
  return [...bills, ...earlier].slice(0, count);
}

const books = ownedState<Account, OpenedBooks>((cell, account) => {
  const { setting } = cell;
  const isBilled = setting !== 'texas' && setting !== 'platform';
  return new OpenedBooks(cell, account, account === cell.account && isBilled);
});

/** Books that compute their past when more of it is read than the times of its open payments. */
class OpenedBooks implements Books {
  options: Books['options'];
  readonly pathway: string;
  billedTo: Day;
  readonly recalledFrom: number = 0;
  isClosed = false;
  instalment: Pence = 0;
  readonly #cell: Cell;
  /** The account as it is now: the past depends on no later change of its agreements. */
  readonly #account: Pick<Account, 'agreements' | 'ledger'>;
  readonly #bills: Bill[] = [];
  #isRead = false;
  #unbilled: LedgerEntry[] | undefined;
  #dues: Due[] | undefined;
  #past: Past | undefined;
  readonly #lastBillOn: Day | undefined;

  constructor(cell: Cell, account: Account, hasPast: boolean) {
    this.#cell = cell;
    this.#lastBillOn = hasPast ? lastBills.of(cell, account).on : undefined;
    this.isClosed = this.#lastBillOn !== undefined;
    const agreements = hasPast ? account.agreements.map((agreement) => ({ ...agreement })) : [];
    this.#account = { agreements, ledger: account.ledger };
    this.options = { id: cell.ids.integer('billing options', openedOn(cell, account)), day: billDay(cell) };
    this.pathway = cell.ids.uuid('pathway');
    this.billedTo = joinedOn(account);
    if (!hasPast) return;
    const { first, billedTo, isBilled } = billsBefore(cell, account, this.isClosed);
    this.recalledFrom = first;
    this.billedTo = this.isClosed ? leftOn(this.#account) : billedTo;
    if (isBilled && paymentPlan(cell) === 'fixed')
      this.instalment = new Computed(() => valueOf(this.past.instalment));
    account.ledger.past = () => this.past.ledger;
  }

  get past(): Past {
    return (this.#past ??= recall(this.#cell, this.#account, this.#lastBillOn));
  }

  get bills(): Bill[] {
    if (!this.#isRead && this.recalledFrom > 0) this.#bills.unshift(...this.past.bills);
    this.#isRead = true;
    return this.#bills;
  }

  addBill(bill: Bill): void {
    this.#bills.push(bill);
  }

  get unbilled(): LedgerEntry[] {
    const isPrepaid = paymentPlan(this.#cell) === 'prepaid';
    return (this.#unbilled ??= this.recalledFrom > 0 && isPrepaid ? this.past.unbilled : []);
  }

  get dues(): Due[] {
    return (this.#dues ??= this.recalledFrom > 0 ? openDues(this.#cell, this.#account, this) : []);
  }

  set dues(dues: Due[]) {
    this.#dues = dues;
  }
}
