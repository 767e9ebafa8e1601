import { after, between, type ScenarioContext, type Steps } from '../../engine/scenario.js';
import { day, hour, minute } from '../../engine/time.js';
import { accountOnSupply, booksOf, isOnSupply, ledgerOf, planLastBill } from '../../world/billing/books.js';
import { owedNotOverdue } from '../../world/billing/entries.js';
import type { Cell } from '../../world/cell.js';
import { agreementsBeyond, endAgreement } from '../../world/supply/agreements.js';
import {
  type Collection,
  type Dunning,
  handToAgency,
  instigateLeave,
  pauseCollection,
  pauseDunning,
  raiseCollection,
  reactivateCollection,
  requestTermination,
  resolveStep,
  resumeCollection,
  resumeDunning,
  startDunning,
  withdrawCollection,
  withdrawDunning,
} from '../../world/debt/collection.js';
import { type Debt, takeUnpaidBill } from '../../world/debt/debt.js';
import { changeDebtPosition } from '../../world/billing/ledger.js';
import { followUpDay, monthsToFollowUp, paymentOutcome } from '../../world/billing/payments.js';
import {
  confirmTermination,
  initiateTermination,
  isLeaving,
  requestLeave,
} from '../../world/supply/leave-supplier.js';
import { homeOf } from '../../world/customer/customer.js';
import {
  agencies,
  collectionSteps,
  dunningPaths,
  pauseReasons,
  startNotes,
  stepChannels,
} from '../../world/debt/words.js';
import { returnDeposits } from './deposit-agreement.js';
import { issueLastBill, untilLastBill } from '../billing/final-bill.js';
import { defineScenario, emit } from '../define.js';
import { completeLeaving, startLeaving } from '../supply/leaving.js';
import { payDebt } from './pay-debt.js';

const branches = {
  end: {
    'paid-in-dunning': 0.62,
    'paid-in-collection': 0.25,
    agency: 0.1,
    terminated: 0.022,
    'terminated-then-paid': 0.008,
  },
  dunning: { steady: 0.75, paused: 0.25 },
  collection: { steady: 0.8, paused: 0.2 },
} as const;

export const debtPath = defineScenario({
  name: 'debt-path',
  title: 'An unpaid bill is followed up to its end',
  description:
    'A bill stays unpaid. Reminders go out, with a pause for those who promise to pay or need time. Most pay then; the ' +
    'others go into collection, and from there to an agency or, rarely, to the end of supply.',
  setting: 'debtor',
  starts: 'night',
  dayOfMonth: followUpDay,
  isDue: (cell, month) => paymentOutcome(cell, month - monthsToFollowUp(cell)) === 'overdue',
  needsSupply: true,
  branches,
  *run(context) {
    const { cell, branch } = context;
    const account = accountOnSupply(cell);
    const debt = account && takeUnpaidBill(cell, account);
    if (debt === undefined) return;
    yield* emit(changeDebtPosition(cell, debt.account, debt.due.overdue));

    const dunning = yield* remind(context, debt);
    if (branch.end === 'paid-in-dunning') {
      yield* after({ days: 2 }, { days: 20 }, 'waking');
      yield* pay(context, debt);
      yield* after({ hours: 1 }, { days: 1 }, 'night');
      yield* emit(withdrawDunning(cell, dunning, 'The balance was paid in full.'));
      return;
    }
    yield* after({ days: 28 }, { days: 40 }, 'night');
    yield* emit(withdrawDunning(cell, dunning, 'The debt moved to collection.'));

    yield* after({ minutes: 1 }, { hours: 1 });
    const { collection, raised } = raiseCollection(cell, debt);
    yield* emit(raised);
    yield* pursue(context, collection);
    yield* conclude(context, debt, collection);
  },
});

type Following = ScenarioContext<Cell, typeof branches>;

/** Starts reminders, and pauses them if the customer asks for it. */
function* remind(context: Following, { account }: Debt): Steps<Dunning> {
  const { cell, calendar, random, branch } = context;
  yield* after({ days: 1 }, { days: 3 }, 'night');
  const path = random.weighted(dunningPaths);
  const { dunning, started } = startDunning(cell, account, { path, note: random.pick(startNotes) });
  yield* emit(started);
  if (branch.dunning === 'paused') {
    yield* after({ days: 3 }, { days: 15 }, 'office');
    const { days, note } = random.pick(pauses);
    const from = cell.today;
    const to = from + days;
    yield* emit(pauseDunning(dunning, { from, to, note }));
    yield* between(calendar.instantOf(to, 30 * minute), calendar.instantOf(to, 4 * hour));
    yield* emit(resumeDunning(dunning));
  }
  return dunning;
}

/** Sends letters one or two weeks apart, from eight to ten on a working day. */
function* pursue(context: Following, collection: Collection): Steps {
  const { cell, calendar, random, branch } = context;
  for (const step of collectionSteps.slice(0, random.integer(2, collectionSteps.length))) {
    yield* after({ days: step === 'reminder_1' ? 0 : 6 }, { days: 13 });
    const morning = calendar.addWorkingDays(cell.today, 1);
    yield* between(calendar.instantOf(morning, 8 * hour), calendar.instantOf(morning, 10 * hour));
    yield* emit(resolveStep(cell, collection, step, drawOutcome(context)));
  }
  if (branch.collection === 'paused') {
    yield* after({ days: 2 }, { days: 20 }, 'office');
    yield* emit(pauseCollection(collection, random.weighted(pauseReasons)));
    yield* after({ days: 7 }, { days: 60 }, 'night');
    yield* emit(resumeCollection(collection));
  }
}

function* conclude(context: Following, debt: Debt, collection: Collection): Steps {
  const { cell, random, branch } = context;
  const { account } = debt;
  if (branch.end === 'agency') {
    yield* after({ days: 10 }, { days: 30 }, 'working-day');
    const isLive = isOnSupply(account, cell.today);
    const agency_code = random.weighted(agencies);
    const proceeding = {
      amount: ledgerOf(cell, account).position,
      campaign: isLive ? 'LIVE' : 'TERM',
      is_white_label: random.chance(0.3),
      agency_code,
    };
    yield* emit(handToAgency(cell, account, proceeding));
    return;
  }
  if (branch.end !== 'paid-in-collection') {
    yield* after({ days: 40 }, { days: 70 }, 'office');
    yield* emit(requestTermination(collection));
  }
  if (branch.end === 'terminated') {
    yield* disconnect(context, collection);
    return;
  }
  yield* after({ days: 5 }, { days: 30 }, 'waking');
  yield* pay(context, debt);
  if (branch.end === 'terminated-then-paid') {
    yield* after({ hours: 1 }, { days: 1 }, 'working-day');
    yield* emit(reactivateCollection(collection));
  } else {
    yield* after({ hours: 1 }, { days: 1 }, 'night');
    const reference = random.chance(0.3) ? `EXT-${collection.number.slice(3)}` : '';
    yield* emit(withdrawCollection(collection, reference));
  }
}

/** Ends supply four weeks later, unless the customer has moved out or is about to. */
function* disconnect(context: Following, collection: Collection): Steps {
  const { cell, calendar } = context;
  const { account } = collection;
  const occupancy = homeOf(account);
  if (occupancy === undefined || isLeaving(occupancy)) return;
  yield* after({ minutes: 1 }, { hours: 1 });
  const endsOn = cell.today + 28;
  const asked = { account, occupancy, endsOn, subtype: 'DEBT_DISCONNECTION' } as const;
  const requested = requestLeave(cell, asked);
  yield* emit(instigateLeave(collection, requested.leave));
  yield* after({ milliseconds: 200 }, { seconds: 2 });
  const leave = yield* startLeaving(requested);
  const { supplyPoints } = occupancy.property;
  for (const supplyPoint of supplyPoints) {
    yield* after({ minutes: 1 }, { hours: 1 });
    yield* emit(initiateTermination(leave, supplyPoint));
  }

  const ended = calendar.instantOf(endsOn);
  yield* between(ended + hour, ended + day);
  for (const supplyPoint of supplyPoints) {
    yield* emit(confirmTermination(leave, supplyPoint));
    yield* after({ seconds: 1 }, { hours: 2 });
  }
  for (const agreement of supplyPoints.flatMap((point) => agreementsBeyond(account, point, endsOn))) {
    yield* emit(endAgreement(account, agreement, endsOn));
    yield* after({ seconds: 1 }, { minutes: 1 });
  }
  planLastBill(cell, account, endsOn);
  yield* completeLeaving(leave);
  yield* untilLastBill(context, endsOn);
  yield* issueLastBill(context, account, endsOn);
  // No one collects the last bill of a supply that was ended for debt.
  const owed = owedNotOverdue(ledgerOf(cell, account));
  if (owed > 0) yield* emit(changeDebtPosition(cell, account, owed));
  yield* returnDeposits(context, account);
}

/** Pays the debt or a little more. */
function* pay(context: Following, debt: Debt): Steps {
  const { overdue } = debt.due;
  const isExact = booksOf(context.cell, debt.account).isClosed || context.random.chance(0.7);
  yield* payDebt(context, debt, isExact ? overdue : Math.ceil(overdue / 500) * 500);
}

function drawOutcome({ random }: Following) {
  const channel = random.weighted(stepChannels);
  if (random.chance(0.93)) {
    return {
      status: 'COMPLETED',
      reason: 'MESSAGE_SENT',
      dispatched_channels: [channel],
      failed_channels: [],
    };
  }
  return {
    status: 'SKIPPED',
    reason: 'NO_CONTACT_DETAILS',
    dispatched_channels: [],
    failed_channels: [channel],
  };
}

/** Pauses of reminders. Breathing space is sixty days by law (SI 2020/1311). */
const pauses = [
  { days: 60, note: 'Breathing space was granted.' },
  { days: 14, note: 'The customer asked for more time.' },
  { days: 30, note: 'Paused while a payment plan is agreed.' },
  { days: 28, note: 'A complaint is open about the bill.' },
] as const;
