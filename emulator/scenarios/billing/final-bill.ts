import { after, between, type Steps, until } from '../../engine/scenario.js';
import { type Day, hour, minute } from '../../engine/time.js';
import { announceFinalBill, dispatchBill, issueDocument } from '../../world/billing/bills.js';
import { booksOf } from '../../world/billing/books.js';
import { supplyDuring } from '../../world/billing/charges.js';
import { closeBooks, draftBill, type Due, expectPayment } from '../../world/billing/dues.js';
import { lastBillAt } from '../../world/billing/past.js';
import { monthOf, paymentPlan } from '../../world/billing/payments.js';
import { postCharge, triggerCharging } from '../../world/billing/ledger.js';
import type { Account, ChargedSupply, LedgerEntry } from '../../world/cell.js';
import { emit, type Context } from '../define.js';
import { returnDeposits } from '../debt/deposit-agreement.js';
import { settle } from './settle.js';

export function* chargeSupply(
  { cell }: Context,
  account: Account,
  supply: ChargedSupply,
): Steps<LedgerEntry> {
  yield* triggerCharge(account, supply);
  const { entry, posted } = postCharge(cell, account, supply);
  yield* emit(posted);
  return entry;
}

/** Announces a charge, and waits until it can be posted. */
export function* triggerCharge(account: Account, supply: ChargedSupply): Steps {
  yield* emit(triggerCharging(account, supply));
  yield* after({ seconds: 1 }, { seconds: 20 });
}

/** Waits for a time between six and nine in the morning. */
export function* untilBillEmail({ calendar, now }: Context): Steps {
  const today = calendar.dayAt(now);
  const earliest = now + minute;
  const morning = earliest < calendar.instantOf(today, 9 * hour) ? today : today + 1;
  const opens = Math.max(earliest, calendar.instantOf(morning, 6 * hour));
  yield* between(opens, calendar.instantOf(morning, 9 * hour));
}

/** Waits for the night of the last bill. */
export function* untilLastBill({ cell, now }: Context, endedOn: Day): Steps {
  yield* until(Math.max(now, lastBillAt(cell, endedOn)));
}

/**
 * Charges the energy up to midnight at the start of the day on which supply ended, then sends the final bill. Returns its
 * payment. One by instalments or top-ups continues for the next home of an account that stays.
 */
export function* issueLastBill(context: Context, account: Account, endedOn: Day): Steps<Due | undefined> {
  const { cell } = context;
  const hasLeft = account.status !== 'ACTIVE';
  // The past has the bills from before the run.
  if (cell.now < cell.ids.start) return undefined;
  const books = booksOf(cell, account);
  // A monthly bill can be later than the end of supply if the account is on supply at another home.
  const period = { from: books.billedTo, to: Math.max(books.billedTo, endedOn) };
  books.billedTo = period.to;
  for (const supply of supplyDuring(account, period)) {
    books.unbilled.push(yield* chargeSupply(context, account, supply));
    yield* after({ milliseconds: 200 }, { seconds: 5 });
  }
  const from = books.unbilled[0]?.energy?.from ?? period.from;
  const charges = books.unbilled.splice(0);
  const bill = draftBill(cell, { ...period, from, charges, credited: 0 });
  yield* emit(issueDocument(account, books, bill));
  const issuedOn = cell.today;
  const plan = paymentPlan(cell);
  let due: Due | undefined;
  if (hasLeft) due = closeBooks(cell, account, books, { bill, issuedOn });
  else if (plan === 'whole' || plan === 'receipt') {
    const month = monthOf(issuedOn);
    due = expectPayment(cell, account, books, { bill, charges, month, issuedOn, outcome: 'collected' });
  }
  yield* after({ milliseconds: 200 }, { seconds: 2 });
  yield* emit(announceFinalBill(account, bill));
  yield* untilBillEmail(context);
  yield* emit(dispatchBill(cell, account, bill));
  return due;
}

/**
 * Plays the payment of a final bill, then returns the deposits of an account that has left.
 * @param known Default: the last payment of an account that has left and got its last bill.
 */
export function* settleLastBill(context: Context, account: Account, known?: Due): Steps {
  const { cell } = context;
  yield* until(Math.max(context.now, cell.ids.start));
  const due = known ?? booksOf(cell, account).dues.find(({ isLast }) => isLast);
  if (due === undefined) return;
  yield* settle(context, account, due);
  if (due.isLast) yield* returnDeposits(context, account);
}
