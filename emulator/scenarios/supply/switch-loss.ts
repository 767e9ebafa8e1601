import { after, between, type ScenarioContext, type Steps, parallel } from '../../engine/scenario.js';
import { day, hour } from '../../engine/time.js';
import type { Cell, SupplyPoint } from '../../world/cell.js';
import { reactivateAccount } from '../../world/customer/accounts.js';
import {
  assignLedger,
  agreementsBeyond,
  resumeAgreement,
  endAgreement,
} from '../../world/supply/agreements.js';
import { deappointAssetManager } from '../../world/industry/gas-meters.js';
import {
  awaitLeaveFlow,
  awaitPostTermination,
  awaitSupplyPointFlow,
  confirmTermination,
  initiateTermination,
  isLeaving,
  type LeaveProcess,
  requestLeave,
  requestLeaveEnd,
  reverseLeave,
  updateLeave,
} from '../../world/supply/leave-supplier.js';
import { completeLoss, confirmGasLoss } from '../../world/supply/registration.js';
import { customerOf, homeOf, releaseHome, reserveHome } from '../../world/customer/customer.js';
import { type OtherSupplier, otherSuppliers } from '../../world/industry/participants.js';
import { keepPast, planLastBill } from '../../world/billing/books.js';
import { billMissedNight } from '../billing/billing-cycle.js';
import { issueLastBill, settleLastBill, untilLastBill } from '../billing/final-bill.js';
import { defineScenario, emit } from '../define.js';
import { cancelLeaving, completeLeaving, startLeaving } from './leaving.js';

const branches = {
  outcome: { completed: 0.93, objected: 0.04, reversed: 0.03 },
  date: { kept: 0.92, moved: 0.08 },
} as const;

export const switchLoss = defineScenario({
  name: 'switch-loss',
  title: 'A household switches its supply away from us',
  description:
    'The industry tells us that another supplier takes the supply points of an account within a few days. We may ' +
    'object for a debt; else supply ends on the day, the agreements with it, and the account gets its final bill. ' +
    'A few losses turn out to be mistakes: the account comes back, on agreements that close the gap.',
  rate: 28,
  // By then, 97 % have settled their last bill.
  lead: 60,
  starts: 'working-morning',
  branches,
  *run(context) {
    const leave = yield* startLoss(context);
    if (leave === undefined) return;
    if (context.branch.outcome === 'objected') return yield* object(leave);
    if (context.branch.date === 'moved') {
      yield* after({ hours: 4 }, { days: 1 });
      yield* emit(updateLeave(context.cell, leave, leave.endsOn + context.random.integer(1, 5)));
    }
    const to = context.random.pick(otherSuppliers);
    const { supplyPoints } = leave.occupancy.property;
    yield* parallel(...supplyPoints.map((supplyPoint) => loseSupplyPoint(context, leave, supplyPoint, to)));
    yield* complete(context, leave);
    if (context.branch.outcome === 'reversed') yield* reverse(context, leave);
    else {
      yield* untilLastBill(context, leave.endsOn);
      yield* issueLastBill(context, leave.account, leave.endsOn);
      yield* settleLastBill(context, leave.account);
    }
  },
});

type SwitchLoss = ScenarioContext<Cell, typeof branches>;

function* startLoss(context: SwitchLoss): Steps<LeaveProcess | undefined> {
  const { cell, calendar, random } = context;
  const account = customerOf(cell)?.account;
  const occupancy = account && homeOf(account);
  if (account === undefined || occupancy === undefined || isLeaving(occupancy)) return undefined;
  const { supplyPoints } = occupancy.property;
  const requested = requestLeave(cell, {
    account,
    occupancy,
    endsOn: calendar.addWorkingDays(cell.today, random.integer(2, 5)),
    subtype: 'CHANGE_OF_SUPPLIER',
    lost: random.pick(supplyPoints),
  });
  const leave = yield* startLeaving(requested);
  yield* after({ seconds: 1 }, { minutes: 1 });
  yield* emit(awaitLeaveFlow(leave, 'pre-termination'));
  for (const supplyPoint of supplyPoints) {
    yield* after({ milliseconds: 200 }, { seconds: 5 });
    yield* emit(awaitSupplyPointFlow(leave, supplyPoint, 'pre-termination'));
  }
  for (const supplyPoint of supplyPoints) {
    yield* after({ seconds: 1 }, { minutes: 30 });
    yield* emit(initiateTermination(leave, supplyPoint));
  }
  return leave;
}

/** Objects because of a debt, at the latest on the evening of the next working day. */
function* object(leave: LeaveProcess): Steps {
  yield* after({ hours: 1 }, { hours: 9 }, 'working-day');
  yield* emit(requestLeaveEnd(leave, 'cancellation'));
  yield* after({ minutes: 10 }, { days: 1 });
  yield* cancelLeaving(leave);
}

/** Ends supply at midnight. The loss of gas is confirmed, with its meter, on the day before. */
function* loseSupplyPoint(
  { cell, calendar }: SwitchLoss,
  leave: LeaveProcess,
  supplyPoint: SupplyPoint,
  to: OtherSupplier,
): Steps {
  const { account, endsOn } = leave;
  const ends = calendar.instantOf(endsOn);
  if (supplyPoint.market === 'GBR_GAS') {
    yield* between(ends - day, ends - 2 * hour);
    yield* emit(confirmGasLoss(cell, account, supplyPoint, { on: endsOn, to }));
    yield* after({ minutes: 1 }, { hours: 6 });
    yield* emit(deappointAssetManager(cell, account, supplyPoint, { on: endsOn, to }));
  }
  yield* between(ends + hour, ends + 12 * hour);
  yield* emit(completeLoss(account, supplyPoint, { on: endsOn, to }));
  yield* after({ seconds: 1 }, { minutes: 1 });
  yield* emit(awaitSupplyPointFlow(leave, supplyPoint, 'pre-agreement-termination'));
  for (const agreement of agreementsBeyond(account, supplyPoint, endsOn)) {
    yield* after({ seconds: 1 }, { minutes: 1 });
    yield* emit(endAgreement(account, agreement, endsOn));
  }
  yield* after({ seconds: 1 }, { minutes: 1 });
  yield* emit(confirmTermination(leave, supplyPoint));
  yield* after({ seconds: 1 }, { seconds: 30 });
  yield* emit(awaitPostTermination(leave, supplyPoint));
}

function* complete({ cell, branch }: SwitchLoss, leave: LeaveProcess): Steps {
  yield* after({ seconds: 1 }, { minutes: 5 });
  yield* emit(awaitLeaveFlow(leave, 'post-termination'));
  yield* after({ seconds: 1 }, { minutes: 5 });
  yield* emit(awaitLeaveFlow(leave, 'post-deactivation'));
  yield* after({ minutes: 1 }, { hours: 6 });
  if (branch.outcome === 'reversed') reserveHome(cell, leave.occupancy.property);
  else planLastBill(cell, leave.account, leave.endsOn);
  yield* completeLeaving(leave);
}

/** Reverses an erroneous transfer: supply continues on the same products. */
function* reverse(context: SwitchLoss, leave: LeaveProcess): Steps {
  const { cell } = context;
  const { account, endsOn } = leave;
  yield* after({ days: 3 }, { days: 20 }, 'office');
  yield* emit(requestLeaveEnd(leave, 'reversal'));
  yield* after({ workingDays: 1, minutes: 5 }, { workingDays: 5, hours: 6 }, 'working-day');
  releaseHome(cell, leave.occupancy.property);
  yield* emit(reverseLeave(leave));
  yield* after({ milliseconds: 500 }, { seconds: 5 });
  yield* emit(reactivateAccount(account, 'ERRONEOUS_TRANSFER'));
  keepPast(cell, account, endsOn);
  for (const ended of account.agreements.filter(({ from, to }) => to === endsOn && from < endsOn)) {
    yield* after({ seconds: 1 }, { minutes: 1 });
    const { agreement, created } = resumeAgreement(cell, account, ended, endsOn);
    yield* emit(created);
    yield* after({ milliseconds: 500 }, { seconds: 10 });
    yield* emit(assignLedger(cell, account, agreement));
  }
  yield* billMissedNight(context, account);
}
