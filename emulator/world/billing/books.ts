import { london } from '../../engine/calendar.js';
import type { Day, Instant } from '../../engine/time.js';
import { ownedState } from '../cell-state.js';
import { type Account, type Cell, type CellKind, type Ledger, type LedgerEntry, openedOn } from '../cell.js';
import { type Bill, type Books, type Due, joinedOn } from './dues.js';
import { Computed, type Pence, valueOf } from './entries.js';
import {
  billsBefore,
  earlierBills,
  lastBillAt,
  leftOn,
  type ListedBill,
  openDues,
  type Past,
  recall,
} from './past.js';
import { billDay, paymentPlan } from './payments.js';

/** Returns the account that is on supply on the day, or undefined, for example between two homes. @param on Default: today. */
export function accountOnSupply(cell: Cell, on = cell.today): Account | undefined {
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

/** Plans the last bill of an account that leaves before the run. The past has it if it is issued before, too. */
export function planLastBill(cell: Cell, account: Account, endedOn: Day): void {
  // The account may have other homes, with terms that end later.
  if (cell.now < cell.ids.start && leftOn(account) <= endedOn)
    lastBills.of(cell, account).at = lastBillAt(cell, endedOn);
}

/** The instant of the last bill of an account that left before the run. */
const lastBills = ownedState<Account, { at: Instant | undefined }>((cell, { occupancies: [home] }) => ({
  at: cell.setting === 'dormant' && home?.to !== undefined ? lastBillAt(cell, home.to) : undefined,
}));

/** Returns the last bills of the account, the newest first. */
export function billsOf(cell: Cell, account: Account, count: number): ListedBill[] {
  const opened = booksOf(cell, account);
  const bills: ListedBill[] = opened.bills.toReversed();
  const earlier = opened.recalledFrom > 0 ? earlierBills(cell, account, opened, count - bills.length) : [];
  return [...bills, ...earlier].slice(0, count);
}

const books = ownedState<Account, OpenedBooks>((cell, account) => {
  return new OpenedBooks(cell, account, account === cell.account && !unbilled.includes(cell.setting));
});

/** Kinds of cells whose first account has no bills from before the run. */
const unbilled: readonly CellKind[] = ['withdrawn', 'texas', 'platform'];

/** Books that compute their past when more of it is read than the times of its open payments. */
class OpenedBooks implements Books {
  options: Books['options'];
  readonly pathway: string;
  billedTo: Day;
  readonly recalledFrom: number = 0;
  isClosed = false;
  isCorrected = false;
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
    const { at = Infinity } = hasPast ? lastBills.of(cell, account) : {};
    this.#lastBillOn = at < cell.ids.start ? london.dayAt(at) : undefined;
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
