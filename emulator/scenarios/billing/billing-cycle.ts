import { after, between, type ScenarioContext, type Steps, parallel, until } from '../../engine/scenario.js';
import { dateOf, type Day, day, hour, minute } from '../../engine/time.js';
import { booksOf, isOnSupply } from '../../world/billing/books.js';
import { supplyDuring } from '../../world/billing/charges.js';
import {
  type Bill,
  type Books,
  closedDay,
  creditOn,
  creditOutcomes,
  draftBill,
  expectPayment,
  isReviewed,
  joinedOn,
} from '../../world/billing/dues.js';
import { balance, Computed, type Pence } from '../../world/billing/entries.js';
import { lastBillAt } from '../../world/billing/past.js';
import {
  billDay,
  billRun,
  isBefore,
  monthOf,
  paymentOutcomes,
  paymentPlan,
  recentSteps,
} from '../../world/billing/payments.js';
import type { Account, Cell, ChargedSupply, LedgerEntry } from '../../world/cell.js';
import { awaitedOccupiers } from '../../world/customer/accounts.js';
import {
  announceBill,
  bounceBillEmail,
  dispatchBill,
  failTraversal,
  holdBill,
  issueDocument,
  reportDelivery,
  startTraversal,
  succeedTraversal,
} from '../../world/billing/bills.js';
import { failPriming, postEntry, postPayment, triggerCharging } from '../../world/billing/ledger.js';
import { holdCodes, primingErrors, statementErrors } from '../../world/billing/words.js';
import { defineScenario, emit, type Context } from '../define.js';
import { chargeSupply, untilBillEmail } from './final-bill.js';
import { settle } from './settle.js';

const branches = {
  priming: { ok: 0.98, errored: 0.02 },
  credit: creditOutcomes,
  document: { issued: 0.955, held: 0.03, failed: 0.015 },
  delivery: { email: 0.914, bounced: 0.006, post: 0.06, tracked: 0.02 },
  payment: paymentOutcomes,
} as const;

export const billingCycle = defineScenario({
  name: 'billing-cycle',
  title: 'The monthly bill of an account',
  description:
    'In the night of its bill day, an account is charged for the energy of the last month, supply point by supply ' +
    'point, and gets a bill. It goes out in the morning; the payment follows within weeks. Some charges have to wait ' +
    'for data, some bills for somebody to look at them, and some are never paid.',
  setting: 'billed',
  rate: 3300,
  starts: 'night',
  dayOfMonth: billDay,
  needsSupply: true,
  branches,
  *run(context) {
    const { cell } = context;
    const accounts = customersOf(cell).filter((account) => isOnSupply(account, cell.today));
    yield* parallel(...accounts.map((account) => billOnOwnDay(context, account)));
  },
  continued: {
    at: (cell, month) => recentSteps(cell, month).find(({ at }) => at >= cell.ids.start)?.at,
    *run(context) {
      const { account } = context.cell;
      const due = booksOf(context.cell, account).dues.find(({ steps: [next] }) => next?.at === context.now);
      if (due !== undefined) yield* settle(context, account, due);
    },
  },
});

/** Returns the accounts of a cell. An account that was sent through the REST API replaces the initial one. */
function customersOf({ account: initial, accounts }: Cell): readonly Account[] {
  return accounts[0] === initial ? accounts : accounts.filter((account) => account !== initial);
}

type Billing = ScenarioContext<Cell, typeof branches>;

/**
 * Bills an account tonight, or on its bill day if that has changed, or if the last bill is not a week old. If it still is not
 * on that day, the next month covers these days. If the new night would make the bill too long, the account gets one tonight,
 * too. The final bill of a home that it has left comes first.
 */
function billOnOwnDay(context: Billing, account: Account): Steps {
  const { cell, now } = context;
  const { options, billedTo } = booksOf(cell, account);
  const { today } = cell;
  const left = account.occupancies.find(({ to }) => to !== undefined && to > billedTo && to <= today);
  if (left?.to !== undefined) {
    const lastBill = until(Math.max(now, lastBillAt(cell, left.to) + day));
    return billAfter(lastBill, context, account);
  }
  if (options.day === billDay(cell) && closedDay(today) - billedTo >= 7) return billAccount(context, account);
  const night = nextDayOfMonth(today, options.day);
  if (closedDay(night) - billedTo < 7 && billedTo > joinedOn(account)) return parallel();
  const later = billAfter(untilNight(context, night), context, account);
  const isTooLong = closedDay(night) - billedTo > longestBill;
  return isTooLong ? parallel(billAccount(context, account), later) : later;
}

/** Days of a bill that is longer because of another bill day. */
const longestBill = 45;

function untilNight({ calendar }: Pick<Billing, 'calendar'>, night: Day): Steps {
  return between(calendar.instantOf(night, 30 * minute), calendar.instantOf(night, 4 * hour));
}

function* billAfter(wait: Steps, context: Billing, account: Account): Steps {
  yield* wait;
  yield* billAccount(context, account);
}

/** Bills an account that joins in the nights before the run, in which no instance of this scenario begins. */
export function* billBeforeRun(context: Context, account: Account): Steps {
  const { cell } = context;
  // The bills of the initial account are computed.
  if (account === cell.account) return;
  const billing = plainBilling(context);
  const nights: Day[] = [];
  for (let month = monthOf(cell.today); isBefore(cell, billRun(cell, month)); month++)
    nights.push(billRun(cell, month));
  yield* parallel(...nights.map((night) => billAfter(untilNight(context, night), billing, account)));
}

/** Bills an account that comes back up to its last bill night, in which it was not on supply. */
export function* billMissedNight(context: Context, account: Account): Steps {
  const { cell } = context;
  yield* until(Math.max(context.now, cell.ids.start));
  const { options, billedTo } = booksOf(cell, account);
  let missed = cell.today;
  while (dateOf(missed).dayOfMonth !== options.day) missed--;
  if (closedDay(missed) - billedTo < 7) return;
  yield* nextNight();
  yield* billAccount(plainBilling(context), account, missed);
}

/** Bills are issued at once, and paid. */
function plainBilling(context: Context): Billing {
  return {
    ...context,
    branch: { priming: 'ok', credit: 'none', document: 'issued', delivery: 'email', payment: 'collected' },
    get now() {
      return context.now;
    },
  };
}

/** @param night The night whose bill this is. Default: tonight. */
function* billAccount(context: Billing, account: Account, night?: Day): Steps {
  const { cell, branch } = context;
  const { today } = cell;
  if (!isOnSupply(account, today)) return;
  const books = booksOf(cell, account);
  const period = { from: books.billedTo, to: closedDay(night ?? today) };
  const supplies = supplyDuring(account, period);
  if (supplies.length === 0) return;
  books.billedTo = period.to;

  const month = monthOf(night ?? today);
  // A reversal of the supply takes charges back, and can come between two nights.
  const charges = (yield* chargeSupplies(context, account, supplies)).filter(({ isReversed }) => !isReversed);
  if (charges.length === 0) return;
  books.unbilled.push(...charges);
  const isPrepaid = paymentPlan(cell) === 'prepaid';
  const isUnknown = account !== cell.account && account.users.length === 0 && !isPrepaid;
  const expect = (bill?: Bill) => {
    const issuedOn = cell.today;
    const outcome = branch.payment;
    // An unknown occupier has agreed on no direct debit.
    const plan = isUnknown ? 'receipt' : paymentPlan(cell);
    // The balance that an imported account brings along is paid with its bills.
    const isWhole = account !== cell.account || books.isCorrected;
    const paid = bill?.charges ?? charges;
    const payment = { bill, charges: paid, month, issuedOn, outcome, plan, isWhole };
    return expectPayment(cell, account, books, payment);
  };
  if (isPrepaid && !isReviewed(account, month)) return yield* settle(context, account, expect());

  let credited: Pence = 0;
  if (branch.credit === 'posted' && !isPrepaid) {
    credited = new Computed(() => creditOn(cell, month, charges));
    yield* after({ milliseconds: 200 }, { seconds: 5 });
    yield* emit(postEntry(cell, account, { kind: 'credit', amount: credited }).posted);
  }
  yield* traverse(context, account, books);
  if (books.unbilled.length === 0) return;
  const from = books.unbilled[0]?.energy?.from ?? period.from;
  const bill = draftBill(cell, { from, to: period.to, charges: books.unbilled.splice(0), credited });
  yield* issue(context, account, books, bill);
  // The last bill can overtake one that is held. An occupier who identifies themselves soon pays then.
  const paysLater = isUnknown && awaitedOccupiers.of(cell).has(account);
  if (books.isClosed || paysLater) return yield* deliver(context, account, bill);
  if (isReviewed(account, month)) yield* payBack(context, account);
  const due = isPrepaid ? expect() : expect(bill);
  yield* parallel(deliver(context, account, bill), settle(context, account, due));
}

const deliveries = { DELIVERED: 0.97, REJECTED: 0.03 } as const;

/** Charges each supply in turn. A supply that cannot be charged tonight is charged tomorrow night. */
function* chargeSupplies(
  context: Billing,
  account: Account,
  supplies: readonly ChargedSupply[],
): Steps<LedgerEntry[]> {
  const errored = context.branch.priming === 'errored' ? context.random.pick(supplies) : undefined;
  const charges: LedgerEntry[] = [];
  for (const supply of supplies) {
    if (supply === errored) {
      yield* emit(triggerCharging(account, supply));
      yield* after({ seconds: 1 }, { seconds: 20 });
      yield* emit(failPriming(account, supply, [context.random.pick(primingErrors)]));
    } else {
      charges.push(yield* chargeSupply(context, account, supply));
    }
    yield* after({ milliseconds: 200 }, { seconds: 5 });
  }
  if (errored !== undefined) {
    yield* nextNight();
    const left = supplyDuring(account, errored).find(
      ({ supplyPoint }) => supplyPoint === errored.supplyPoint,
    );
    if (left !== undefined) charges.push(yield* chargeSupply(context, account, left));
  }
  return charges;
}

function* traverse(context: Billing, account: Account, books: Books): Steps {
  yield* after({ seconds: 1 }, { seconds: 30 });
  let traversal = startTraversal(context.cell);
  if (context.branch.document === 'failed') {
    const error = context.random.pick(statementErrors);
    yield* emit(failTraversal(context.cell, account, books, { ...traversal, error }));
    yield* nextNight();
    traversal = startTraversal(context.cell, traversal);
  }
  yield* emit(succeedTraversal(context.cell, account, books, traversal));
}

/** Issues the bill. A held bill is reviewed within ten working days, then issued unchanged. */
function* issue(context: Billing, account: Account, books: Books, bill: Bill): Steps {
  const { cell, calendar, random } = context;
  if (context.branch.document === 'held') {
    yield* after({ milliseconds: 500 }, { seconds: 5 });
    yield* emit(holdBill(cell, account, bill, random.weighted(holdCodes), random.chance(0.2)));
    const review = calendar.addWorkingDays(cell.today, random.integer(1, 10));
    yield* between(calendar.instantOf(review, 8 * hour), calendar.instantOf(review, 18 * hour));
    bill.issuedOn = cell.today;
  } else {
    yield* after({ seconds: 1 }, { minutes: 1 });
  }
  yield* emit(issueDocument(account, books, bill));
  yield* after({ milliseconds: 200 }, { seconds: 2 });
  yield* emit(announceBill(account, bill));
}

/** Sends e-mails between six and nine in the morning, letters on the next working day. */
function* deliver(context: Billing, account: Account, bill: Bill): Steps {
  const { cell, calendar, random, branch } = context;
  const isPrinted = branch.delivery === 'post' || branch.delivery === 'tracked';
  const [user] = account.users;

  if (isPrinted) {
    const morning = calendar.addWorkingDays(cell.today, 1);
    yield* between(calendar.instantOf(morning, 6 * hour), calendar.instantOf(morning, 10 * hour));
  } else {
    yield* untilBillEmail(context);
  }
  yield* emit(dispatchBill(cell, account, bill));

  if (branch.delivery === 'bounced' && user !== undefined) {
    yield* after({ minutes: 1 }, { minutes: 30 });
    yield* emit(bounceBillEmail(cell, account, user));
  }
  if (branch.delivery === 'tracked') {
    yield* after({ minutes: 1 }, { hours: 6 });
    yield* emit(reportDelivery(cell, account, bill, 'SENT'));
    yield* after({ workingDays: 1, minutes: 1 }, { workingDays: 3, hours: 6 });
    yield* emit(reportDelivery(cell, account, bill, random.weighted(deliveries)));
  }
}

/** Pays a large credit back. */
function* payBack({ cell }: Billing, account: Account): Steps {
  const amount = -balance(account.ledger);
  if (amount <= maxCredit) return;
  yield* after({ seconds: 1 }, { hours: 2 });
  yield* emit(postPayment(cell, account, 'repayment', amount).posted);
}

/** Pence. */
const maxCredit = 15_000;

function* nextNight(): Steps {
  yield* after({ hours: 18 }, { hours: 20 }, 'night');
}

function nextDayOfMonth(from: Day, dayOfMonth: number): Day {
  let date = from;
  while (dateOf(date).dayOfMonth !== dayOfMonth) date++;
  return date;
}
