import { after, between, type ScenarioContext, type Steps, parallel } from '../../engine/scenario.js';
import { type Day, day, hour } from '../../engine/time.js';
import type { Account, Agreement, Cell, Occupancy, Property } from '../../world/cell.js';
import {
  addUser,
  awaitedOccupiers,
  linkAccount,
  occupyAccount,
  openAccount,
  openOccupierAccount,
  reactivateAccount,
} from '../../world/customer/accounts.js';
import {
  agreementsBeyond,
  createAgreement,
  hasLeftSince,
  resumeAgreement,
  revokeAgreement,
  endAgreement,
} from '../../world/supply/agreements.js';
import {
  cancelJoin,
  completeActivation,
  completeJoin,
  type JoinProcess,
  requestJoin,
  requestJoinEnd,
} from '../../world/supply/join-supplier.js';
import {
  confirmTermination,
  initiateTermination,
  isLeaving,
  type LeaveProcess,
  requestLeave,
  requestLeaveEnd,
  reverseLeave,
  updateLeave,
} from '../../world/supply/leave-supplier.js';
import { type Note, notesAbout, removeNote, updateNote, writeNote } from '../../world/customer/metadata.js';
import {
  type Customer,
  customerOf,
  freeHome,
  homeOf,
  releaseHome,
  reserveHome,
} from '../../world/customer/customer.js';
import { booksOf, keepPast, planLastBill } from '../../world/billing/books.js';
import { postPayment } from '../../world/billing/ledger.js';
import { billBeforeRun, billMissedNight } from '../billing/billing-cycle.js';
import { issueLastBill, settleLastBill, untilLastBill } from '../billing/final-bill.js';
import {
  customerWrites,
  endConversation,
  platformWrites,
  writeToCustomer,
} from '../contact/contact-email.js';
import { defineScenario, emit } from '../define.js';
import { agree, deemedProduct, takeBackCharges, undoJoin } from './joining.js';
import { cancelLeaving, completeLeaving, startLeaving } from './leaving.js';

/** Most days from a move to the last bill of the old home. */
const daysToLastBill = 21;

const branches = {
  told: { web: 0.7, email: 0.3 },
  outcome: { moved: 0.93, cancelled: 0.05, reversed: 0.02 },
  account: { new: 0.6, same: 0.4 },
  date: { kept: 0.85, changed: 0.15 },
  forwarding: { absent: 0.5, kept: 0.36, updated: 0.09, removed: 0.04, 'updated-then-removed': 0.01 },
  occupier: { none: 0.3, unknown: 0.25, identified: 0.45 },
} as const;

export const houseMove = defineScenario({
  name: 'house-move',
  title: 'A customer moves house and takes the supply along',
  description:
    'A customer tells the platform, up to a month ahead, that they are moving. Supply at the old home ends on the day ' +
    'of the move and begins at the new one, often on a new account. The old account gets its final bill, and the old ' +
    'home an account of its own until its next occupier is known. Some moves are put off, some are called off, and a ' +
    'few are undone when the customer comes back.',
  rate: 22,
  // The longest notice, and the days up to the last bill of the old home.
  lead: 30 + daysToLastBill,
  branches,
  *run(context) {
    const move = planMove(context);
    if (move === undefined) return;
    yield* parallel(
      reportMove(context, move),
      ...(context.branch.told === 'email' ? [writeAbout(context, move.customer)] : []),
    );
  },
});

type HouseMove = ScenarioContext<Cell, typeof branches>;

interface Move {
  readonly customer: Customer;
  readonly from: Occupancy;
  readonly to: Property;
  readonly day: Day;
}

function planMove({ cell, branch, random, calendar }: HouseMove): Move | undefined {
  const customer = customerOf(cell);
  const from = customer && homeOf(customer.account);
  const to = freeHome(cell, customer?.user);
  if (customer === undefined || from === undefined || to === undefined || isLeaving(from)) return undefined;
  // A changed or cancelled move needs an early notice; a move reported by e-mail needs time for the reply.
  const early = branch.date === 'changed' || branch.outcome === 'cancelled';
  const notice = random.integer(early ? 14 : branch.told === 'email' ? 6 : 1, 30);
  const movesOn = cell.today + notice;
  // The last bill of an earlier move came before the run.
  if (movesOn < calendar.dayAt(cell.ids.start) - daysToLastBill) return undefined;
  return { customer, from, to, day: movesOn };
}

/** Reports the move: in one session on the web, or by telephone after an e-mail. */
function* reportMove(context: HouseMove, move: Move): Steps {
  const { cell, branch } = context;
  if (branch.told === 'email') yield* after({ minutes: 30 }, { hours: 6 }, 'office');
  // Another supplier can have taken over the home since then.
  if (isLeaving(move.from)) return;
  const asked = { account: move.customer.account, occupancy: move.from, endsOn: move.day };
  const leave = yield* startLeaving(requestLeave(cell, asked));
  const forwarding = branch.forwarding === 'absent' ? undefined : yield* noteForwardingAddress(cell, leave);
  const account = branch.account === 'new' ? yield* openSecondAccount(cell, move.customer) : leave.account;
  yield* after({ seconds: 1 }, { minutes: 5 });
  const joining = { account, property: move.to, startsOn: move.day };
  const { join, requested } = requestJoin(cell, joining);
  yield* emit(requested);
  for (const supplyPoint of leave.occupancy.property.supplyPoints) {
    yield* after({ minutes: 1 }, { hours: 1 });
    yield* emit(initiateTermination(leave, supplyPoint));
  }

  if (branch.date === 'changed') {
    yield* after({ days: 1 }, { days: 10 }, 'waking');
    join.startsOn = leave.endsOn + context.random.integer(1, 14);
    yield* emit(updateLeave(cell, leave, join.startsOn));
  }
  if (branch.outcome === 'cancelled') return yield* cancelMove(cell, leave, join);
  yield* parallel(moveOver(context, leave, join, forwarding), billBeforeRun(context, account));
}

/** Notes that there is a forwarding address, unless the note of a move that was called off is still there. */
function* noteForwardingAddress(cell: Cell, leave: LeaveProcess): Steps<Note | undefined> {
  const key = 'forwarding_address_provided';
  if (notesAbout(cell, leave).has(key)) return undefined;
  yield* after({ seconds: 1 }, { minutes: 1 });
  const { note, created } = writeNote(cell, leave, key, 'true');
  yield* emit(created);
  return note;
}

function* openSecondAccount(cell: Cell, { user }: Customer): Steps<Account> {
  yield* after({ seconds: 1 }, { seconds: 10 });
  const { account, opened } = openAccount(cell, user);
  yield* emit(opened);
  yield* after({ seconds: 1 }, { seconds: 5 });
  yield* emit(linkAccount(user, account));
  return account;
}

function* moveOver(
  context: HouseMove,
  leave: LeaveProcess,
  join: JoinProcess,
  forwarding: Note | undefined,
): Steps {
  const agreements: Agreement[] = [];
  yield* parallel(leaveOldHome(context, leave, forwarding), settleIn(context, join, agreements));
  if (context.branch.outcome === 'reversed') yield* reverseMove(context, leave, join, agreements);
}

/** Ends supply at midnight. The confirmations arrive on the day. */
function* leaveOldHome(context: HouseMove, leave: LeaveProcess, forwarding: Note | undefined): Steps {
  const { account, occupancy, endsOn } = leave;
  const moved = context.calendar.instantOf(endsOn);
  yield* between(moved + hour, moved + day);
  for (const supplyPoint of occupancy.property.supplyPoints) {
    yield* after({ minutes: 1 }, { hours: 8 });
    yield* emit(confirmTermination(leave, supplyPoint));
    for (const agreement of agreementsBeyond(account, supplyPoint, endsOn)) {
      yield* after({ seconds: 1 }, { minutes: 1 });
      yield* emit(endAgreement(account, agreement, endsOn));
    }
  }
  yield* after({ minutes: 1 }, { hours: 2 });
  const isReversed = context.branch.outcome === 'reversed';
  if (context.branch.account === 'new' && !isReversed) planLastBill(context.cell, account, endsOn);
  if (isReversed) reserveHome(context.cell, occupancy.property);
  yield* completeLeaving(leave);

  if (isReversed) return;
  yield* parallel(
    sendFinalBill(context, leave),
    welcomeOccupier(context, leave),
    tidyForwardingAddress(context, forwarding),
  );
}

/** Starts supply at the new home: a change of tenancy, without a change of supplier. */
function* settleIn(context: HouseMove, join: JoinProcess, agreements: Agreement[]): Steps {
  const { cell, calendar, branch } = context;
  const { property } = join;
  const moved = calendar.instantOf(join.startsOn);
  yield* between(moved + hour, moved + 8 * hour);
  for (const supplyPoint of property.supplyPoints) {
    yield* after({ seconds: 10 }, { hours: 1 });
    yield* emit(completeActivation(join, supplyPoint));
    yield* after({ seconds: 1 }, { seconds: 10 });
    agreements.push(yield* agree(context, join, supplyPoint));
  }
  yield* after({ minutes: 5 }, { hours: 6 });
  yield* emit(completeJoin(cell, join, branch.outcome === 'reversed'));
}

function* cancelMove(cell: Cell, leave: LeaveProcess, join: JoinProcess): Steps {
  yield* after({ hours: 1 }, { days: 3 }, 'waking');
  yield* emit(requestLeaveEnd(leave, 'cancellation'));
  yield* after({ seconds: 1 }, { minutes: 2 });
  yield* emit(requestJoinEnd(join, 'cancellation'));
  yield* after({ minutes: 1 }, { hours: 4 });
  yield* cancelLeaving(leave);
  yield* after({ seconds: 1 }, { minutes: 10 });
  yield* emit(cancelJoin(cell, join));
}

/** Reverses both processes: supply at the old home continues on the same products. */
function* reverseMove(
  context: HouseMove,
  leave: LeaveProcess,
  join: JoinProcess,
  agreements: readonly Agreement[],
): Steps {
  const { account, endsOn } = leave;
  yield* after({ days: 3 }, { days: 14 }, 'office');
  keepPast(context.cell, account, endsOn);
  yield* emit(requestJoinEnd(join, 'reversal'));
  yield* after({ seconds: 1 }, { minutes: 5 });
  yield* emit(requestLeaveEnd(leave, 'reversal'));
  for (const agreement of agreements) {
    yield* after({ workingDays: 1, minutes: 5 }, { workingDays: 2, hours: 3 }, 'working-day');
    yield* emit(revokeAgreement(join.account, agreement));
  }
  yield* after({ seconds: 1 }, { minutes: 10 });
  yield* undoJoin(join);
  yield* parallel(takeBackCharges(context, join), returnHome(context, leave));
}

/** Continues supply at the old home. */
function* returnHome(context: HouseMove, leave: LeaveProcess): Steps {
  const { cell } = context;
  const { account, endsOn } = leave;
  yield* after({ minutes: 1 }, { hours: 1 });
  releaseHome(cell, leave.occupancy.property);
  yield* emit(reverseLeave(leave));
  if (account.status !== 'ACTIVE') {
    yield* after({ milliseconds: 500 }, { seconds: 5 });
    yield* emit(reactivateAccount(account, 'HOUSE_MOVE'));
  }
  for (const ended of account.agreements.filter(({ from, to }) => to === endsOn && from < endsOn)) {
    yield* after({ seconds: 1 }, { minutes: 1 });
    yield* emit(resumeAgreement(cell, account, ended, endsOn).created);
  }
  // The charges of the other home since then are taken back.
  const books = booksOf(cell, account);
  books.billedTo = Math.min(books.billedTo, endsOn);
  yield* billMissedNight(context, account);
}

function* sendFinalBill(context: HouseMove, { account, endsOn }: LeaveProcess): Steps {
  yield* untilLastBill(context, endsOn);
  // The bill of an end of supply after the move also covers the old home.
  if (hasLeftSince(context.cell, account, endsOn)) return;
  const due = yield* issueLastBill(context, account, endsOn);
  yield* parallel(settleLastBill(context, account, due), writeAboutFinalBill(context, account));
}

function* writeAboutFinalBill(context: HouseMove, account: Account): Steps {
  const [user] = account.users;
  if (user === undefined) return;
  yield* after({ hours: 3 }, { hours: 6 });
  const about = { channel: 'EMAIL', topic: 'moving-home' } as const;
  const conversation = yield* platformWrites(context, { account, user }, about);
  yield* endConversation(context, conversation);
}

/** Opens an account for the next occupier of the old home, who may be identified later. */
function* welcomeOccupier(context: HouseMove, leave: LeaveProcess): Steps {
  const { cell, branch } = context;
  if (branch.occupier === 'none') return;
  yield* after({ minutes: 1 }, { hours: 2 });
  const { property } = leave.occupancy;
  const { account, opened } = openOccupierAccount(cell, property, leave.endsOn);
  yield* emit(opened);
  // They are supplied on a deemed contract from the first day on.
  for (const supplyPoint of property.supplyPoints) {
    const product = deemedProduct(cell, supplyPoint, leave.endsOn);
    yield* emit(createAgreement(cell, account, { supplyPoint, product, from: leave.endsOn }).created);
  }
  if (branch.occupier === 'unknown') return yield* billBeforeRun(context, account);
  awaitedOccupiers.of(cell).add(account);
  yield* parallel(identify(context, account), billBeforeRun(context, account));
}

function* identify({ cell, random }: HouseMove, account: Account): Steps {
  yield* after({ days: 3 }, { days: 45 }, 'waking');
  yield* emit(occupyAccount(account));
  yield* after({ seconds: 1 }, { seconds: 5 });
  yield* emit(addUser(cell, account, random));
  yield* payFirstBills(cell, account);
}

/** Pays the bills that an occupier got before they were identified. */
function* payFirstBills(cell: Cell, account: Account): Steps {
  const amount = booksOf(cell, account).bills.reduce((sum, bill) => sum + bill.amount, 0);
  if (amount === 0 || cell.traits.prepaid) return;
  yield* after({ minutes: 2 }, { minutes: 20 });
  yield* emit(postPayment(cell, account, 'payment', amount).posted);
}

function* tidyForwardingAddress({ cell, branch }: HouseMove, note: Note | undefined): Steps {
  if (note === undefined) return;
  if (branch.forwarding === 'updated' || branch.forwarding === 'updated-then-removed') {
    yield* after({ days: 1 }, { days: 5 }, 'waking');
    yield* emit(updateNote(note, 'confirmed'));
  }
  if (branch.forwarding === 'removed' || branch.forwarding === 'updated-then-removed') {
    yield* after({ days: 20 }, { days: 60 }, 'waking');
    yield* emit(removeNote(cell, note));
  }
}

/** Writes an e-mail about the move, which gets a reply. */
function* writeAbout(context: HouseMove, customer: Customer): Steps {
  const { conversation } = yield* customerWrites(context, customer, {
    channel: 'EMAIL',
    topic: 'moving-home',
  });
  yield* after({ hours: 6 }, { hours: 10 }, 'office');
  yield* writeToCustomer(context, conversation);
  yield* endConversation(context, conversation);
}
