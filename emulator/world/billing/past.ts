import { london } from '../../engine/calendar.js';
import { hash32, randomStream } from '../../engine/random.js';
import type { Instant } from '../../engine/time.js';
import type { Account, Cell, LedgerEntry } from '../cell.js';
import { chargeOf, supplyDuring, totalOf } from './charges.js';
import {
  type Bill,
  billIdentifier,
  type Books,
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
import { addEntry, type Pence, valueOf } from './entries.js';
import { billNames, billRun, isBefore, monthOf, paymentOutcome, paymentPlan } from './payments.js';

/**
 * Adds to the books of the initial account what occurred before the run: bills and payments since the last yearly review,
 * at most twelve of each. What is before the review is settled.
 */
export function recall(cell: Cell, account: Account, books: Books): void {
  const { ledger } = account;
  const joined = monthOf(joinedOn(account));
  let last = monthOf(london.dayAt(cell.ids.start));
  while (!isBefore(cell, billRun(cell, last))) last--;
  const first = Math.max(joined, last - ((((last - joined) % 12) + 12) % 12));
  const plan = paymentPlan(cell);
  books.recalledFrom = first;
  const missed = monthMissed(cell, last);
  recallOldDebt(cell, account);
  for (let month = first; month <= last; month++) {
    const on = billRun(cell, month);
    settle(cell, account, books, london.instantOf(on));
    const { supplies, from, to } = suppliesBilled(cell, account, month);
    books.billedTo = to;
    if (supplies.length === 0) continue;
    const charges = supplies.map((energy) =>
      addEntry(cell, ledger, { kind: 'charge', amount: () => chargeOf(cell, energy), energy }, on),
    );
    const outcome = month === missed ? 'overdue' : paymentOutcome(cell, month);
    if (plan === 'prepaid') {
      if (!isReviewed(account, month)) books.unbilled.push(...charges);
      expectPayment(cell, account, books, { bill: undefined, charges, month, issuedOn: on, outcome });
      continue;
    }
    const credited = creditBefore(cell, month, charges);
    if (credited !== 0) addEntry(cell, ledger, { kind: 'credit', amount: credited }, on);
    const bill = draftBill(cell, { from, to, charges, credited }, on);
    books.bills.push(bill);
    if (plan === 'fixed' && isReviewed(account, month)) {
      const sourceId = cell.ids.integer('payment', on);
      addEntry(cell, ledger, { kind: 'payment', amount: () => bill.amount, sourceId }, on);
    }
    expectPayment(cell, account, books, { bill, charges, month, issuedOn: on, outcome });
  }
  settle(cell, account, books, cell.ids.start);
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
      identifier: billIdentifier({ id, issuedOn }),
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
function settle(cell: Cell, account: Account, books: Books, before: Instant): void {
  for (;;) {
    let next: Due | undefined;
    for (const due of books.dues) {
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
function recallOldDebt(cell: Cell, account: Account): void {
  const { seed, index, traits } = cell;
  const on = london.dayAt(cell.ids.start) - 400 - (hash32(seed, index, 'in debt since') % 400);
  if (traits.payment === 'PREPAYMENT' || cell.setting === 'debtor' || joinedOn(account) > on) return;
  const random = randomStream(seed, index, 'old debt');
  if (!random.chance(oldDebts)) return;
  const isDualFuel = new Set(account.agreements.map(({ supplyPoint }) => supplyPoint.market)).size > 1;
  const amount = random.integer(110_000, 286_000);
  const owed = isDualFuel ? amount : Math.round(amount * 0.55);
  addEntry(cell, account.ledger, { kind: 'charge', amount: owed }, on);
  account.ledger.position = owed;
}

/** Share of the accounts that have been with us for so long, and do not prepay. */
const oldDebts = 0.045;

/** Returns the supplies of the account that the bill run of a month charges. */
function suppliesBilled(cell: Cell, account: Account, month: number) {
  const joined = joinedOn(account);
  const from = Math.max(joined, closedDay(billRun(cell, month - 1)));
  const to = Math.max(joined, closedDay(billRun(cell, month)));
  return { from, to, supplies: supplyDuring(account, { from, to }) };
}

function creditBefore(cell: Cell, month: number, charges: readonly Pick<LedgerEntry, 'amount'>[]): Pence {
  const outcome = billNames(cell).stream(month, 'branch', 'credit').weighted(creditOutcomes);
  return outcome === 'posted' ? () => creditOn(cell, month, charges) : 0;
}
