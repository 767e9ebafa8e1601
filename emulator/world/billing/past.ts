import { london } from '../../engine/calendar.js';
import { hash32, randomStream } from '../../engine/random.js';
import { type Day, hour, type Instant, minute } from '../../engine/time.js';
import { type Account, type Cell, Ledger, type LedgerEntry, type Period } from '../cell.js';
import { chargeOf } from '../energy/charge.js';
import { supplyDuring, totalOf } from './charges.js';
import {
  type Bill,
  billIdentifier,
  type Books,
  closeBooks,
  closedDay,
  creditOn,
  creditOutcomes,
  draftBill,
  type Due,
  expectPayment,
  isReviewed,
  joinedOn,
  takeStep,
} from './dues.js';
import { addEntry, Computed, type Pence, valueOf } from './entries.js';
import {
  billNames,
  billRun,
  isBefore,
  monthOf,
  paymentOutcome,
  paymentPlan,
  type PaymentStep,
  recentSteps,
} from './payments.js';

/** Bills and payments of an initial account from before the run. Nothing that occurs in the run changes them. */
export interface Past extends Pick<Books, 'bills' | 'unbilled' | 'dues' | 'instalment' | 'isClosed'> {
  readonly ledger: Ledger;
}

/** The account of a past: what occurs in the run is in none of its entries. */
type Recalled = Pick<Account, 'agreements' | 'ledger'>;

/**
 * Returns the months since the last yearly review of an account, at most twelve. What is before the review is settled. An
 * account got no monthly bill after it left a home: the last bill of that home came first, or will come in the run.
 */
function monthsRecalled(
  cell: Cell,
  account: Pick<Account, 'agreements'>,
  isClosed: boolean,
): { readonly first: number; readonly last: number } {
  const joined = monthOf(joinedOn(account));
  const left = isClosed ? leftOn(account) : leftUnbilled(cell, account);
  let last = monthOf(Math.min(left, london.dayAt(cell.ids.start)));
  while (!isBefore(cell, billRun(cell, last)) || billRun(cell, last) >= left) last--;
  return { first: Math.max(joined, last - ((((last - joined) % 12) + 12) % 12)), last };
}

/** Returns the day on which the account left a home whose last bill will come in the run, or `Infinity`. */
function leftUnbilled(cell: Cell, { agreements }: Pick<Account, 'agreements'>): Day {
  const today = london.dayAt(cell.ids.start);
  let left = Infinity;
  for (const { supplyPoint, from, to = Infinity } of agreements) {
    if (to > today || to <= from || lastBillAt(cell, to) < cell.ids.start) continue;
    const continues = agreements.some((next) => next.supplyPoint === supplyPoint && next.from === to);
    if (!continues) left = Math.min(left, to);
  }
  return left;
}

/** Returns the first month of a past, the end of its last bill, and whether it has charges. */
export function billsBefore(cell: Cell, account: Pick<Account, 'agreements'>, isClosed = false) {
  const { first, last } = monthsRecalled(cell, account, isClosed);
  const to = endBilled(cell, account, { first, last });
  if (last < first) return { first, billedTo: to, isBilled: false };
  const { from } = periodBilled(cell, account, first);
  return { first, billedTo: to, isBilled: supplyDuring(account, { from, to }).length > 0 };
}

/** Returns the end of the last monthly bill of a past, or the first day of supply without one. */
function endBilled(
  cell: Cell,
  account: Pick<Account, 'agreements'>,
  { first, last }: ReturnType<typeof monthsRecalled>,
): Day {
  return last < first ? joinedOn(account) : periodBilled(cell, account, last).to;
}

/** Computes the past of an account. @param lastBillOn Day of its last bill, if it has left and got it. */
export function recall(cell: Cell, initial: Recalled, lastBillOn?: Day): Past {
  const { first, last } = monthsRecalled(cell, initial, lastBillOn !== undefined);
  const ledger = new Ledger(initial.ledger.number);
  const account = { agreements: initial.agreements, ledger };
  const past: Past = { ledger, bills: [], unbilled: [], dues: [], instalment: 0, isClosed: false };
  const plan = paymentPlan(cell);
  const missed = monthMissed(cell, last);
  const unpaid: LedgerEntry[] = [];
  const draws = billNames(cell);
  recallOldDebt(cell, account);
  for (let month = first; month <= last; month++) {
    const on = billRun(cell, month);
    settle(cell, account, past.dues, london.instantOf(on));
    const { supplies, from, to } = suppliesBilled(cell, account, month);
    if (supplies.length === 0) continue;
    const charges = supplies.map((energy) => addEntry(cell, ledger, { kind: 'charge', energy }, on));
    const outcome = month === missed ? 'overdue' : paymentOutcome(cell, month, draws);
    if (plan === 'prepaid') {
      if (!isReviewed(account, month)) past.unbilled.push(...charges);
      expectPayment(cell, account, past, { bill: undefined, charges, month, issuedOn: on, outcome });
      continue;
    }
    const credited = creditBefore(cell, month, charges, draws);
    if (credited !== 0) addEntry(cell, ledger, { kind: 'credit', amount: credited }, on);
    const bill = draftBill(cell, { from, to, charges, credited }, on);
    past.bills.push(bill);
    if (plan === 'fixed' && isReviewed(account, month)) {
      const paid = workingDayAt(cell, on);
      const sourceId = cell.ids.integer('payment', paid);
      addEntry(cell, ledger, { kind: 'payment', amount: bill, sourceId }, paid);
    }
    if (missed !== undefined && month < missed && month > missed - monthsUnpaid) {
      unpaid.push(...charges);
      continue;
    }
    const isWhole = month === missed;
    const owed = isWhole ? [...unpaid, ...charges] : charges;
    expectPayment(cell, account, past, { bill, charges: owed, month, issuedOn: on, outcome, isWhole });
  }
  if (lastBillOn !== undefined) {
    const from = endBilled(cell, account, { first, last });
    recallLastBill(cell, account, past, { from, on: lastBillOn });
  }
  settle(cell, account, past.dues, cell.ids.start);
  return past;
}

/** Bills that a household in debt has not paid, so that its debt is worth following up. */
const monthsUnpaid = 2;

/** Adds the last bill of an account that has left. @param from The end of its last monthly bill. */
function recallLastBill(
  cell: Cell,
  account: Recalled,
  past: Past,
  { from, on }: { readonly from: Day; readonly on: Day },
): void {
  settle(cell, account, past.dues, london.instantOf(on));
  const { ledger } = account;
  const to = leftOn(account);
  for (const energy of supplyDuring(account, { from, to }))
    past.unbilled.push(addEntry(cell, ledger, { kind: 'charge', energy }, on));
  const charges = past.unbilled.splice(0);
  const begins = charges[0]?.energy?.from ?? from;
  const bill = draftBill(cell, { from: begins, to, charges, credited: 0 }, on);
  past.bills.push(bill);
  closeBooks(cell, account, past, { bill, issuedOn: on });
}

/** Returns the instant of the last bill of a household that has left: a night within three weeks. */
export function lastBillAt({ seed, index }: Pick<Cell, 'seed' | 'index'>, left: Day): Instant {
  const draw = hash32(seed, index, 'last bill');
  return london.instantOf(left + 3 + (draw % 19), 30 * minute + (draw % (3 * hour)));
}

/**
 * Returns the day after the last of supply, or `Infinity` for an account that is on supply. An agreement that was revoked
 * before it began counts only if all were.
 */
export function leftOn({ agreements }: Pick<Account, 'agreements'>): Day {
  let left = -Infinity;
  let revoked = -Infinity;
  for (const { from, to = Infinity } of agreements) {
    if (to > from) left = Math.max(left, to);
    else revoked = Math.max(revoked, to);
  }
  if (agreements.length === 0) return Infinity;
  return left === -Infinity ? revoked : left;
}

/** Returns the day of a collection that is due on a day: a working day before the run, mostly the next one. */
function workingDayAt(cell: Cell, date: Day): Day {
  const next = london.addWorkingDays(date - 1, 1);
  if (isBefore(cell, next)) return next;
  let last = date;
  while (!london.isWorkingDay(last)) last--;
  return last;
}

/** Returns the payments of a past that are not over. Mostly, their time is all that the run needs of the past. */
export function openDues(
  cell: Cell,
  account: Recalled,
  books: { readonly past: Past; readonly isClosed: boolean },
): Due[] {
  // Whether these pay, or have missed a bill, depends on more.
  if (paymentPlan(cell) === 'prepaid' || cell.setting === 'debtor' || books.isClosed) return books.past.dues;
  const { first, last } = monthsRecalled(cell, account, false);
  const dues: Due[] = [];
  for (let month = Math.max(first, last - monthsOpen); month <= last; month++) {
    const steps = recentSteps(cell, month);
    const left = steps.filter(({ at }) => at >= cell.ids.start);
    const isMissed = left.length === 0 && steps[0]?.does === 'miss';
    if (left.length === 0 && !isMissed) continue;
    if (suppliesBilled(cell, account, month).supplies.length === 0) continue;
    dues.push(new OpenDue(month, left, isMissed, books));
  }
  return dues;
}

/** Months after that of a bill in which its last payment can arrive. */
const monthsOpen = 3;

/** A due of a past, which is computed when more than its time is read. */
class OpenDue implements Due {
  readonly month: number;
  readonly steps: PaymentStep[];
  isMissed: boolean;
  readonly #books: { readonly past: Past };
  #payment: LedgerEntry | undefined;
  #overdue: number | undefined;

  constructor(month: number, steps: PaymentStep[], isMissed: boolean, books: { readonly past: Past }) {
    this.month = month;
    this.steps = steps;
    this.isMissed = isMissed;
    this.#books = books;
  }

  get bill(): Bill | undefined {
    return this.#recalled.bill;
  }

  get charges(): readonly LedgerEntry[] {
    return this.#recalled.charges;
  }

  get amount(): number {
    return this.#recalled.amount;
  }

  get payment(): LedgerEntry | undefined {
    return this.#payment ?? this.#recalled.payment;
  }

  set payment(entry: LedgerEntry | undefined) {
    this.#payment = entry;
  }

  get overdue(): number {
    return this.#overdue ?? this.#recalled.overdue;
  }

  set overdue(pence: number) {
    this.#overdue = pence;
  }

  get #recalled(): Due {
    return this.#books.past.dues.find(({ month }) => month === this.month) as Due;
  }
}

/** A bill as it is served. One from before the last review has no ledger entries. */
export type ListedBill = Omit<Bill, 'uuid' | 'charges'> & {
  readonly charges: readonly Pick<LedgerEntry, 'energy' | 'amount'>[];
};

/** Returns bills of the initial account from before those in its books, the newest first. */
export function earlierBills(
  cell: Cell,
  account: Account,
  { recalledFrom }: Books,
  count: number,
): ListedBill[] {
  const bills: ListedBill[] = [];
  const isPrepaid = paymentPlan(cell) === 'prepaid';
  const months = isPrepaid ? 12 : 1;
  for (let month = recalledFrom - (isPrepaid ? 0 : 1); bills.length < count; month--) {
    if (month < monthOf(joinedOn(account))) break;
    if (isPrepaid && !isReviewed(account, month)) continue;
    const billed = Array.from({ length: months }, (_, nth) =>
      suppliesBilled(cell, account, month + 1 - months + nth),
    );
    const charges = billed.flatMap(({ supplies }) =>
      supplies.map((energy) => ({ energy, amount: chargeOf(cell, energy) })),
    );
    const [{ from } = { from: 0 }] = billed;
    if (charges.length === 0) continue;
    const credited = isPrepaid ? 0 : valueOf(creditBefore(cell, month, charges));
    const issuedOn = billRun(cell, month);
    const id = cell.identifiers.integer('statement', cell.index, cell.ids.labelOn(issuedOn));
    bills.push({
      id,
      identifier: billIdentifier(id, issuedOn),
      issuedOn,
      from,
      to: billed.at(-1)?.to ?? from,
      charges,
      credited,
      amount: totalOf(charges) - credited,
    });
  }
  return bills;
}

/** Takes the steps of payments before an instant, in order. */
function settle(cell: Cell, account: Recalled, dues: readonly Due[], before: Instant): void {
  for (;;) {
    let next: Due | undefined;
    for (const due of dues) {
      if ((due.steps[0]?.at ?? before) < (next?.steps[0]?.at ?? before)) next = due;
    }
    const step = next?.steps.shift();
    if (next === undefined || step === undefined) return;
    takeStep(cell, account, next, step, london.dayAt(step.at));
  }
}

/** Returns the month of the bill that the household is known to have missed: the last whose payment was due by now. */
function monthMissed(cell: Cell, last: number): number | undefined {
  if (cell.setting !== 'debtor') return undefined;
  const due = london.dayAt(cell.ids.start) - 15;
  return billRun(cell, last) < due ? last : last - 1;
}

/** Adds the debt of an account that has owed it for more than a year, if it has one. */
function recallOldDebt(cell: Cell, account: Recalled): void {
  const { seed, index } = cell;
  const on = london.dayAt(cell.ids.start) - 400 - (hash32(seed, index, 'in debt since') % 400);
  const plan = paymentPlan(cell);
  // A fixed plan would pay the debt off.
  if (plan === 'prepaid' || plan === 'fixed' || cell.setting === 'debtor') return;
  if (cell.setting === 'business' || joinedOn(account) > on) return;
  const random = randomStream(seed, index, 'old debt');
  if (!random.chance(oldDebts)) return;
  const isDualFuel = new Set(account.agreements.map(({ supplyPoint }) => supplyPoint.market)).size > 1;
  const amount = random.integer(150_000, 246_000);
  const owed = isDualFuel ? amount : Math.round(amount * 0.55);
  addEntry(cell, account.ledger, { kind: 'charge', amount: owed }, on);
  account.ledger.position = owed;
}

/** Share of the accounts that have been with us for so long, and pay bill by bill. */
const oldDebts = 0.115;

/** Returns the supplies of the account that the bill run of a month charges. */
function suppliesBilled(cell: Cell, account: Pick<Account, 'agreements'>, month: number) {
  const period = periodBilled(cell, account, month);
  return { ...period, supplies: supplyDuring(account, period) };
}

function periodBilled(cell: Cell, account: Pick<Account, 'agreements'>, month: number): Period {
  const joined = joinedOn(account);
  return {
    from: Math.max(joined, closedDay(billRun(cell, month - 1))),
    to: Math.max(joined, closedDay(billRun(cell, month))),
  };
}

function creditBefore(
  cell: Cell,
  month: number,
  charges: readonly Pick<LedgerEntry, 'amount'>[],
  draws = billNames(cell),
): Pence {
  const outcome = draws.stream(month, 'branch', 'credit').weighted(creditOutcomes);
  return outcome === 'posted' ? new Computed(() => creditOn(cell, month, charges)) : 0;
}
