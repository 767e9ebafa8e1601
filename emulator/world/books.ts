import { randomStream } from '../engine/random.js';
import { dateOf, type Day, dayOf } from '../engine/time.js';
import type { Account, Cell, SupplyPoint } from './cell.js';
import { cellState } from './cell-state.js';
import { energyCost } from './energy-cost.js';
import type { LedgerEntry } from './ledger.js';

/** How an account is billed, and what it has been billed so far. */
export interface Books {
  options: BillingOptions;
  /** Names the account's way through the billing steps. */
  readonly pathway: string;
  /** Energy is billed up to midnight at the start of this day: here the next bill begins. */
  billedTo: Day;
  /** In the order in which they were issued. */
  readonly bills: Bill[];
}

export interface BillingOptions {
  readonly id: number;
  /** Day of the month of the bill run, 1 to 28. */
  readonly day: number;
}

/** From midnight at the start of `from` to midnight at the start of `to`. */
export interface Period {
  readonly from: Day;
  readonly to: Day;
}

export interface Bill extends Period {
  /** Of the document and of the statement, which are the same thing. */
  readonly id: number;
  readonly identifier: string;
  readonly uuid: string;
  readonly charges: Charge[];
  /** Pence that the bill asks for. */
  readonly amount: number;
  issued: boolean;
}

export interface Charge extends Supply {
  readonly entry: LedgerEntry;
}

/** A supply point being on supply. */
export interface Supply extends Period {
  readonly supplyPoint: SupplyPoint;
}

/** The day of the month, 1 to 28, on which the household's bills are made, unless it asks for another. */
export function billDay({ seed, index }: Pick<Cell, 'seed' | 'index'>): number {
  return randomStream(seed, index, 'bill day').integer(1, 28);
}

/** The account that is on supply on the day, if there is one: whoever moves in or out has none for some time. */
export function accountOnSupply(cell: Cell, on: Day): Account | undefined {
  return cell.accounts.find(
    ({ status, agreements }) =>
      status === 'ACTIVE' && agreements.some(({ from, to }) => from <= on && (to === undefined || to > on)),
  );
}

/**
 * The books of the account. An account that is older than the run comes with its last bill, made in the bill run of
 * the day `lastRun`, by default on its own bill day before `today`.
 */
export function booksOf(
  cell: Cell,
  account: Account,
  today: Day,
  lastRun: Day = lastBillDay(cell, today),
): Books {
  const known = books.of(cell);
  let found = known.get(account);
  if (found === undefined) known.set(account, (found = openBooks(cell, account, closedDay(lastRun))));
  return found;
}

/** The books of the account, where anything has been billed or asked of them; none are opened. */
export function openedBooks(cell: Cell, account: Account): Books | undefined {
  return books.of(cell).get(account);
}

/**
 * How far a bill run can bill: up to yesterday. What was used until last midnight arrives during today, and so does
 * word of a supply that ended then.
 */
export function closedDay(today: Day): Day {
  return today - 1;
}

/** The same day of the month before; the 28th where that month may not have it. */
export function monthBefore(date: Day): Day {
  const { year, month, dayOfMonth } = dateOf(date);
  return dayOf(year, month - 1, Math.min(dayOfMonth, 28));
}

/** Supply points of the account that were on supply in the period, each with its part of it. */
export function supplyDuring({ agreements }: Account, { from, to }: Period): Supply[] {
  const supplies = new Map<SupplyPoint, Supply>();
  for (const agreement of agreements) {
    const begins = Math.max(from, agreement.from);
    const ends = Math.min(to, agreement.to ?? to);
    if (begins >= ends) continue;
    const { supplyPoint } = agreement;
    // One product after the other: charged in one go.
    const earlier = supplies.get(supplyPoint);
    supplies.set(supplyPoint, {
      supplyPoint,
      from: Math.min(begins, earlier?.from ?? begins),
      to: Math.max(ends, earlier?.to ?? ends),
    });
  }
  return [...supplies.values()];
}

/** A bill that nobody has seen yet. */
export function draftBill(cell: Cell, bill: Period & Pick<Bill, 'charges' | 'amount'>): Bill {
  const id = cell.ids.integer('statement');
  const { year } = dateOf(bill.to);
  return {
    ...bill,
    id,
    identifier: `BD-${year}-${String(id).padStart(10, '0')}`,
    uuid: cell.ids.uuid('billing document'),
    issued: false,
  };
}

/** Adds a charge that was there before the run, of which nothing is published any more. */
export function recordOldCharge(cell: Cell, account: Account, supply: Supply, amount: number): Charge {
  const entry: LedgerEntry = {
    id: cell.ids.integer('ledger entry'),
    kind: 'charge',
    amount,
    sourceId: undefined,
    sourceType: 'CHARGE',
    reverses: undefined,
    isReversed: false,
    energy: supply,
  };
  account.ledger.entries.push(entry);
  return { ...supply, entry };
}

const books = cellState<Map<Account, Books>>(() => new Map());

function openBooks(cell: Cell, account: Account, billedTo: Day): Books {
  const random = randomStream(cell.seed, cell.index, 'books', account.number);
  const since = Math.min(...account.agreements.map(({ from }) => from));
  const opened: Books = {
    options: { id: cell.ids.integer('billing options'), day: billDay(cell) },
    pathway: cell.ids.uuid('pathway'),
    billedTo: Math.max(since, billedTo),
    bills: [],
  };
  const period = { from: Math.max(since, monthBefore(billedTo)), to: billedTo };
  const charges = supplyDuring(account, period).map((supply) =>
    recordOldCharge(cell, account, supply, energyCost(supply, random)),
  );
  if (charges.length > 0) {
    const amount = charges.reduce((sum, { entry }) => sum + entry.amount, 0);
    opened.bills.push({ ...draftBill(cell, { ...period, charges, amount }), issued: true });
  }
  return opened;
}

/** The latest bill day of the cell before today. */
function lastBillDay(cell: Cell, today: Day): Day {
  const { year, month, dayOfMonth } = dateOf(today);
  const due = billDay(cell);
  return dayOf(year, due < dayOfMonth ? month : month - 1, due);
}
