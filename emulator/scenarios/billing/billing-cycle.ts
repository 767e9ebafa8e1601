import { after, between, type ScenarioContext, type Steps, parallel } from '../../engine/scenario.js';
import { dateOf, type Day, hour, minute } from '../../engine/time.js';
import {
  accountOnSupply,
  type Bill,
  billDay,
  type Books,
  booksOf,
  type Charge,
  closedDay,
  draftBill,
  monthBefore,
  supplyDuring,
} from '../../world/billing/books.js';
import type { Account, Cell, Supply } from '../../world/cell.js';
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
import { changeDebtPosition, failPriming, postEntry, triggerCharging } from '../../world/billing/ledger.js';
import { holdCodes, primingErrors, statementErrors } from '../../world/billing/words.js';
import { defineScenario, emit } from '../define.js';
import { chargeSupply } from './final-bill.js';

const branches = {
  priming: { ok: 0.98, errored: 0.02 },
  credit: { none: 0.88, posted: 0.12 },
  document: { issued: 0.955, held: 0.03, failed: 0.015 },
  delivery: { email: 0.914, bounced: 0.006, post: 0.06, tracked: 0.02 },
  payment: { collected: 0.87, returned: 0.027, overdue: 0.008, otherwise: 0.095 },
} as const;

export const billingCycle = defineScenario({
  name: 'billing-cycle',
  title: 'The monthly bill of an account',
  description:
    'In the night of its bill day, an account is charged for the energy of the last month, supply point by supply ' +
    'point, and gets a bill. It goes out in the morning; about ten days later the direct debit is collected. Some ' +
    'charges have to wait for data, some bills for somebody to look at them, and some are never paid.',
  rate: 3300,
  starts: 'night',
  dayOfMonth: billDay,
  branches,
  *run(stage) {
    yield* ownBillDay(stage);
    const { cell, calendar, random } = stage;
    const today = calendar.dayAt(stage.now);
    const account = accountOnSupply(cell, today);
    if (account === undefined) return;
    const books = booksOf(cell, account, today, monthBefore(today));
    const period = { from: books.billedTo, to: closedDay(today) };
    const supplies = supplyDuring(account, period);
    if (supplies.length === 0) return;
    books.billedTo = period.to;

    const charges = yield* chargeSupplies(stage, account, supplies);
    const charged = charges.reduce((sum, { entry }) => sum + entry.amount, 0);
    let credited = 0;
    if (stage.branch.credit === 'posted') {
      credited = Math.min(random.integer(5, 50) * 100, Math.floor(charged / 2));
      yield* after({ milliseconds: 200 }, { seconds: 5 });
      yield* emit(postEntry(cell, account, { kind: 'credit', amount: credited }).posted);
    }
    yield* traverse(stage, account, books);
    const bill = draftBill(cell, { ...period, charges, amount: charged - credited });
    yield* issue(stage, account, books, bill);
    yield* parallel(deliver(stage, account, bill), settle(stage, account, bill));
  },
});

const deliveries = { DELIVERED: 0.97, REJECTED: 0.03 } as const;

type Billing = ScenarioContext<Cell, typeof branches>;

/** Waits for the bill day of a household that has changed it. */
function* ownBillDay({ cell, calendar, now }: Billing): Steps {
  const today = calendar.dayAt(now);
  const account = accountOnSupply(cell, today);
  if (account === undefined) return;
  const { options } = booksOf(cell, account, today, monthBefore(today));
  if (options.day === billDay(cell)) return;
  const night = nextDayOfMonth(today, options.day);
  yield* between(calendar.instantOf(night, 30 * minute), calendar.instantOf(night, 4 * hour));
}

/** Charges each supply in turn. A supply that cannot be charged tonight is charged tomorrow night. */
function* chargeSupplies(stage: Billing, account: Account, supplies: readonly Supply[]): Steps<Charge[]> {
  const errored = stage.branch.priming === 'errored' ? stage.random.pick(supplies) : undefined;
  const charges: Charge[] = [];
  for (const supply of supplies) {
    if (supply === errored) {
      yield* emit(triggerCharging(account, supply));
      yield* after({ seconds: 1 }, { seconds: 20 });
      yield* emit(failPriming(account, supply, [stage.random.pick(primingErrors)]));
    } else {
      charges.push(yield* chargeSupply(stage, account, supply));
    }
    yield* after({ milliseconds: 200 }, { seconds: 5 });
  }
  if (errored !== undefined) {
    yield* nextNight();
    charges.push(yield* chargeSupply(stage, account, errored));
  }
  return charges;
}

function* traverse(stage: Billing, account: Account, books: Books): Steps {
  yield* after({ seconds: 1 }, { seconds: 30 });
  let traversal = startTraversal(stage.cell);
  if (stage.branch.document === 'failed') {
    const error = stage.random.pick(statementErrors);
    yield* emit(failTraversal(account, books, traversal, { error, at: stage.now }));
    yield* nextNight();
    traversal = startTraversal(stage.cell, traversal);
  }
  yield* emit(succeedTraversal(account, books, traversal, stage.now));
}

/** Issues the bill. A held bill is reviewed within ten working days, then issued unchanged. */
function* issue(stage: Billing, account: Account, books: Books, bill: Bill): Steps {
  const { calendar, random } = stage;
  if (stage.branch.document === 'held') {
    yield* after({ milliseconds: 500 }, { seconds: 5 });
    const hold = { code: random.weighted(holdCodes), isStrict: random.chance(0.2), at: stage.now };
    yield* emit(holdBill(account, bill, hold));
    const review = calendar.addWorkingDays(calendar.dayAt(stage.now), random.integer(1, 10));
    yield* between(calendar.instantOf(review, 8 * hour), calendar.instantOf(review, 18 * hour));
  } else {
    yield* after({ seconds: 1 }, { minutes: 1 });
  }
  yield* emit(issueDocument(account, books, bill));
  yield* after({ milliseconds: 200 }, { seconds: 2 });
  yield* emit(announceBill(account, bill));
}

/** Sends e-mails between six and nine in the morning, letters on the next working day. */
function* deliver(stage: Billing, account: Account, bill: Bill): Steps {
  const { cell, calendar, random, branch } = stage;
  const today = calendar.dayAt(stage.now);
  const isPrinted = branch.delivery === 'post' || branch.delivery === 'tracked';
  const [user] = account.users;

  if (isPrinted) {
    const morning = calendar.addWorkingDays(today, 1);
    yield* between(calendar.instantOf(morning, 6 * hour), calendar.instantOf(morning, 10 * hour));
  } else {
    const earliest = stage.now + minute;
    const morning = earliest < calendar.instantOf(today, 9 * hour) ? today : today + 1;
    const opens = Math.max(earliest, calendar.instantOf(morning, 6 * hour));
    yield* between(opens, calendar.instantOf(morning, 9 * hour));
  }
  yield* emit(dispatchBill(cell, account, bill));

  if (branch.delivery === 'bounced' && user !== undefined) {
    yield* after({ minutes: 1 }, { minutes: 30 });
    yield* emit(bounceBillEmail(cell, account, user, stage.now));
  }
  if (branch.delivery === 'tracked') {
    yield* after({ minutes: 1 }, { hours: 6 });
    yield* emit(reportDelivery(cell, account, bill, 'SENT'));
    yield* after({ workingDays: 1, minutes: 1 }, { workingDays: 3, hours: 6 });
    yield* emit(reportDelivery(cell, account, bill, random.weighted(deliveries)));
  }
}

/** Collects the direct debit, or raises the debt if the bill stays unpaid. */
function* settle(stage: Billing, account: Account, bill: Bill): Steps {
  const { cell, branch } = stage;
  if (branch.payment === 'otherwise') return;
  yield* after({ days: 10 }, { days: 14 }, 'working-morning');
  if (branch.payment !== 'overdue') {
    const payment = { kind: 'payment', amount: bill.amount, sourceId: cell.ids.integer('payment') } as const;
    const { entry, posted } = postEntry(cell, account, payment);
    yield* emit(posted);
    if (branch.payment === 'collected') return;
    yield* after({ workingDays: 2 }, { workingDays: 5 });
    yield* after({ seconds: 1 }, { hours: 2 }, 'working-morning');
    yield* emit(postEntry(cell, account, { ...payment, reverses: entry }).posted);
  }
  yield* after({ hours: 18 }, { days: 2 }, 'night');
  const owed = account.ledger.position + bill.amount;
  yield* emit(changeDebtPosition(account, owed, stage.calendar.dayAt(stage.now)));
}

function* nextNight(): Steps {
  yield* after({ hours: 18 }, { hours: 20 }, 'night');
}

function nextDayOfMonth(from: Day, dayOfMonth: number): Day {
  let date = from;
  while (dateOf(date).dayOfMonth !== dayOfMonth) date++;
  return date;
}
