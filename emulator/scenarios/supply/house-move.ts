import { after, between, type Stage, type Steps, together } from '../../engine/scenario.js';
import { day, hour } from '../../engine/time.js';
import type { Account, Cell, Occupancy, Property, User } from '../../world/cell.js';
import { addUser, linkAccount, occupyAccount, openAccount } from '../../world/changes/accounts.js';
import { createAgreement, terminateAgreement } from '../../world/changes/agreements.js';
import { issueFinalBill } from '../../world/changes/billing.js';
import {
  completeActivation,
  completeJoin,
  type JoinProcess,
  recordAgreement,
  requestJoin,
} from '../../world/changes/join-supplier.js';
import {
  changeLeaveStatus,
  completeLeave,
  confirmTermination,
  initiateTermination,
  type LeaveProcess,
  requestLeave,
  updateLeave,
} from '../../world/changes/leave-supplier.js';
import { addMetadata, removeMetadata, updateMetadata } from '../../world/changes/occupancy-metadata.js';
import { householdProduct } from '../../world/products.js';
import { defineScenario, emit } from '../define.js';

const branches = {
  account: { new: 0.6, same: 0.4 },
  date: { kept: 0.85, changed: 0.15 },
  forwarding: { absent: 0.5, kept: 0.36, updated: 0.09, removed: 0.04, 'updated-then-removed': 0.01 },
  occupier: { none: 0.3, unknown: 0.25, identified: 0.45 },
} as const;

export const houseMove = defineScenario({
  name: 'house-move',
  title: 'A customer moves house and takes the supply along',
  story:
    'A customer tells the platform, up to a month ahead, that they are moving. Supply at the old home ends on the day ' +
    'of the move and begins at the new one, often on a new account. The old account gets its final bill, and the old ' +
    'home an account of its own until its next occupier is known.',
  branches,
  *run(stage) {
    const move = planMove(stage);

    // The customer asks: everything of this is said in one conversation.
    const { leave, requested } = requestLeave(stage.cell, { ...move.from, endsOn: move.day, at: stage.now });
    yield* emit(requested);
    yield* after({ milliseconds: 100 }, { seconds: 1 });
    yield* emit(changeLeaveStatus(leave, 'IN_PROGRESS'));
    if (stage.branch.forwarding !== 'absent') {
      yield* after({ seconds: 1 }, { minutes: 1 });
      yield* emit(addMetadata(leave, forwardingAddress, 'true'));
    }
    const account =
      stage.branch.account === 'new' ? yield* openSecondAccount(stage.cell, move.customer) : leave.account;
    yield* after({ seconds: 1 }, { minutes: 5 });
    const joining = { account, property: move.to, startsOn: move.day, at: stage.now };
    const { join, requested: joinRequested } = requestJoin(stage.cell, joining);
    yield* emit(joinRequested);

    for (const supplyPoint of leave.occupancy.property.supplyPoints) {
      yield* after({ minutes: 1 }, { hours: 1 });
      yield* emit(initiateTermination(leave, supplyPoint));
    }
    if (stage.branch.date === 'changed') {
      yield* after({ days: 1 }, { days: 10 }, 'waking');
      join.startsOn = leave.endsOn + stage.random.integer(1, 14);
      yield* emit(updateLeave(leave, join.startsOn, stage.now));
    }

    yield* together(leaveOldHome(stage, leave), settleIn(stage, join));
  },
});

type Telling = Stage<Cell, typeof branches>;

interface Move {
  readonly customer: User;
  readonly from: { readonly account: Account; readonly occupancy: Occupancy };
  readonly to: Property;
  readonly day: number;
}

function planMove({ cell, branch, random, calendar, now }: Telling): Move {
  const { account } = cell;
  const [customer] = account.users;
  const occupancy = account.occupancies.find(({ to }) => to === undefined);
  const to = cell.properties.find((property) => property !== occupancy?.property);
  if (customer === undefined || occupancy === undefined || to === undefined) {
    throw new Error('the household has nobody in it, no home to leave, or none to go to');
  }
  // Only who reports early has the time to change the date.
  const notice = branch.date === 'changed' ? random.integer(14, 30) : random.integer(1, 30);
  return { customer, from: { account, occupancy }, to, day: calendar.dayAt(now) + notice };
}

function* openSecondAccount(cell: Cell, customer: User): Steps<Account> {
  yield* after({ seconds: 1 }, { seconds: 10 });
  const { account, opened } = openAccount(cell, customer);
  yield* emit(opened);
  yield* after({ seconds: 1 }, { seconds: 5 });
  yield* emit(linkAccount(customer, account));
  return account;
}

/** Supply ends at midnight; the confirmations come in over the next two days. */
function* leaveOldHome(stage: Telling, leave: LeaveProcess): Steps {
  const { account, occupancy } = leave;
  const moved = stage.calendar.instantOf(leave.endsOn);
  yield* between(moved + hour, moved + day);
  for (const supplyPoint of occupancy.property.supplyPoints) {
    yield* after({ minutes: 1 }, { hours: 8 });
    yield* emit(confirmTermination(leave, supplyPoint));
  }
  for (const agreement of account.agreements.filter(
    ({ to, supplyPoint }) => to === undefined && occupancy.property.supplyPoints.includes(supplyPoint),
  )) {
    yield* after({ seconds: 1 }, { minutes: 1 });
    yield* emit(terminateAgreement(account, agreement, leave.endsOn));
  }
  yield* after({ minutes: 1 }, { hours: 2 });
  yield* emit(completeLeave(leave));
  yield* after({ milliseconds: 100 }, { seconds: 1 });
  yield* emit(changeLeaveStatus(leave, 'COMPLETED'));

  yield* together(
    sendFinalBill(stage.cell, account),
    welcomeOccupier(stage),
    tidyForwardingAddress(stage, leave),
  );
}

/** It was a change of tenancy: the new home is with the same supplier already. */
function* settleIn({ cell, calendar, random }: Telling, join: JoinProcess): Steps {
  const { account, property } = join;
  const moved = calendar.instantOf(join.startsOn);
  yield* between(moved + hour, moved + 8 * hour);
  for (const supplyPoint of property.supplyPoints) {
    yield* after({ seconds: 10 }, { hours: 1 });
    yield* emit(completeActivation(join, supplyPoint));
    yield* after({ seconds: 1 }, { seconds: 10 });
    const supply = { supplyPoint, product: householdProduct(random), from: join.startsOn };
    const { agreement, created } = createAgreement(cell, account, supply);
    yield* emit(created);
    yield* after({ milliseconds: 200 }, { seconds: 3 });
    yield* emit(recordAgreement(join, agreement));
  }
  yield* after({ minutes: 5 }, { hours: 6 });
  yield* emit(completeJoin(cell, join));
}

function* sendFinalBill(cell: Cell, account: Account): Steps {
  yield* after({ days: 3 }, { days: 21 }, 'night');
  yield* emit(issueFinalBill(cell, account));
}

/** Whoever lives in the old home now uses energy, known by name or not. */
function* welcomeOccupier({ cell, branch, random }: Telling): Steps {
  if (branch.occupier === 'none') return;
  yield* after({ minutes: 1 }, { hours: 2 });
  const { account, opened } = openAccount(cell);
  yield* emit(opened);
  if (branch.occupier === 'unknown') return;
  yield* after({ days: 3 }, { days: 45 }, 'waking');
  yield* emit(occupyAccount(account));
  yield* after({ seconds: 1 }, { seconds: 5 });
  yield* emit(addUser(cell, account, random));
}

function* tidyForwardingAddress({ branch }: Telling, leave: LeaveProcess): Steps {
  if (branch.forwarding === 'updated' || branch.forwarding === 'updated-then-removed') {
    yield* after({ days: 1 }, { days: 5 }, 'waking');
    yield* emit(updateMetadata(leave, forwardingAddress, 'confirmed'));
  }
  if (branch.forwarding === 'removed' || branch.forwarding === 'updated-then-removed') {
    yield* after({ days: 20 }, { days: 60 }, 'waking');
    yield* emit(removeMetadata(leave, forwardingAddress));
  }
}

const forwardingAddress = 'forwarding_address_provided';
