import { randomStream, type RandomStream } from '../../engine/random.js';
import { dateOf, type Day, dayOf } from '../../engine/time.js';
import { cellState } from '../cell-state.js';
import type { Account, Cell, Ledger, LedgerEntry, Period, Supply, SupplyPoint } from '../cell.js';

/** Billing options and bills of an account. */
export interface Books {
  options: BillingOptions;
  /** Id of the account's pathway through the billing steps. */
  readonly pathway: string;
  /** The end of the last bill, exclusive: the next bill begins at midnight at the start of this day. */
  billedTo: Day;
  /** In order of issue. */
  readonly bills: Bill[];
}

interface BillingOptions {
  readonly id: number;
  /** Day of the month of the bill run, 1 to 28. */
  readonly day: number;
}

export interface Bill extends Period {
  /** Id of the billing document, which is also the statement. */
  readonly id: number;
  readonly identifier: string;
  readonly uuid: string;
  readonly charges: Charge[];
  /** Pence. */
  readonly amount: number;
}

export interface Charge extends Supply {
  readonly entry: LedgerEntry;
}

/** Returns the initial bill day of the household: a day of the month, 1 to 28. */
export function billDay({ seed, index }: Pick<Cell, 'seed' | 'index'>): number {
  return randomStream(seed, index, 'bill day').integer(1, 28);
}

/** Returns the account that is on supply on the day, or undefined, for example between two homes. */
export function accountOnSupply(cell: Cell, on: Day): Account | undefined {
  return cell.accounts.find(
    ({ status, agreements }) =>
      status === 'ACTIVE' && agreements.some(({ from, to }) => from <= on && (to === undefined || to > on)),
  );
}

/**
 * Returns the books of the account. An account older than the run already has its last bill, from the bill run on the
 * day `lastRun`, by default its last bill day before `today`.
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

/** Returns the books of the account, or undefined if {@link booksOf} has not opened them. */
export function openedBooks(cell: Cell, account: Account): Books | undefined {
  return books.of(cell).get(account);
}

/**
 * Returns the end (exclusive) of the period that a bill run can bill. Readings of last midnight, and confirmations of
 * supplies that ended then, arrive only during today.
 */
export function closedDay(today: Day): Day {
  return today - 1;
}

/** Returns the same day of the month before, at most the 28th. */
export function monthBefore(date: Day): Day {
  const { year, month, dayOfMonth } = dateOf(date);
  return dayOf(year, month - 1, Math.min(dayOfMonth, 28));
}

/** Returns the account's supplies in the period, each cut to the period. */
export function supplyDuring({ agreements }: Account, { from, to }: Period): Supply[] {
  const supplies = new Map<SupplyPoint, Supply>();
  for (const agreement of agreements) {
    const begins = Math.max(from, agreement.from);
    const ends = Math.min(to, agreement.to ?? to);
    if (begins >= ends) continue;
    const { supplyPoint } = agreement;
    // Consecutive products are charged together.
    const earlier = supplies.get(supplyPoint);
    supplies.set(supplyPoint, {
      supplyPoint,
      from: Math.min(begins, earlier?.from ?? begins),
      to: Math.max(ends, earlier?.to ?? ends),
    });
  }
  return [...supplies.values()];
}

export function draftBill(cell: Cell, bill: Period & Pick<Bill, 'charges' | 'amount'>): Bill {
  const id = cell.ids.integer('statement');
  const { year } = dateOf(bill.to);
  return {
    ...bill,
    id,
    identifier: `BD-${year}-${String(id).padStart(10, '0')}`,
    uuid: cell.ids.uuid('billing document'),
  };
}

/** Adds a charge from before the run, without publishing it. */
export function recordOldCharge(cell: Cell, account: Account, supply: Supply, amount: number): Charge {
  const entry: LedgerEntry = {
    id: cell.ids.integer('ledger entry'),
    kind: 'charge',
    amount,
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
    opened.bills.push(draftBill(cell, { ...period, charges, amount }));
  }
  return opened;
}

/** Returns the cell's last bill day before today. */
function lastBillDay(cell: Cell, today: Day): Day {
  const { year, month, dayOfMonth } = dateOf(today);
  const due = billDay(cell);
  return dayOf(year, due < dayOfMonth ? month : month - 1, due);
}

/** Draws the cost of the supply's energy in pence, by days, season and household. */
export function energyCost({ supplyPoint, from, to }: Supply, random: RandomStream): number {
  const { month } = dateOf(to - 1);
  const perDay = supplyPoint.market === 'GBR_GAS' ? gasPerDay : electricityPerDay;
  return Math.round((to - from) * (perDay[month - 1] as number) * random.spread(0.5, 2));
}

/** Pence per day of an average home, January to December: both total about 90 pounds a month in summer, 210 in winter. */
const electricityPerDay = [300, 290, 270, 250, 230, 220, 220, 220, 230, 250, 270, 290];
const gasPerDay = [410, 390, 320, 220, 130, 80, 70, 70, 100, 210, 320, 390];

/** Returns the balance of the ledger in pence: positive for a debt, negative for a credit. */
export function balance({ entries }: Ledger): number {
  return entries.reduce((sum, { kind, amount, reverses }) => {
    const owed = kind === 'charge' || kind === 'repayment' ? amount : -amount;
    return sum + (reverses === undefined ? owed : -owed);
  }, 0);
}
