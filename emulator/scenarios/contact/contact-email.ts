import { after, type ScenarioContext, type Steps, until } from '../../engine/scenario.js';
import { hour, type Instant } from '../../engine/time.js';
import type { Cell } from '../../world/cell.js';
import {
  assignToBucket,
  assignToTimeline,
  awaitCustomerReply,
  changeOpenStatus,
  closeConversation,
  type Conversation,
  openConversation,
  snooze,
  unassignFromBucket,
  unassignFromTimeline,
} from '../../world/contact/conversations.js';
import {
  dismissReport,
  failMessage,
  ingestMessage,
  type Message,
  migrateEmail,
  newMessage,
  prioritize,
  receiveMessage,
  reportMessage,
  runActions,
  scanAttachment,
  sendMessage,
  tagMessage,
} from '../../world/contact/messages.js';
import { type Customer, customerOf } from '../../world/customer/customer.js';
import { noAgent, staffId } from '../../world/staff.js';
import {
  type Channel,
  channels,
  closeReasons,
  timelineCount,
  type Topic,
  topics,
} from '../../world/contact/words.js';
import { weightedKey } from '../../world/weights.js';
import { defineScenario, emit, type Context } from '../define.js';

const branches = {
  kind: {
    normal: 0.86,
    migrated: 0.04,
    spam: 0.072,
    'spam-dismissed': 0.008,
    phishing: 0.017,
    'phishing-dismissed': 0.003,
  },
  attachment: { none: 0.878, safe: 0.12, unsafe: 0.002 },
  tagged: { yes: 0.7, no: 0.3 },
  prioritized: { no: 0.7, yes: 0.3 },
  timeline: { yes: 0.5, no: 0.5 },
  snoozed: { no: 0.9, yes: 0.1 },
  delivery: { arrived: 0.985, failed: 0.015 },
  reply: { no: 0.75, yes: 0.25 },
} as const;

export const contactEmail = defineScenario({
  name: 'contact-email',
  title: 'A customer writes and is answered',
  description:
    'A customer writes, mostly an e-mail. The message is taken in, scanned, tagged and put before the agents who know ' +
    'about its topic. An agent answers in office hours, sometimes after putting it aside for some days; the customer ' +
    'may answer back. Spam and phishing are reported instead, now and then by mistake. At last the conversation is closed.',
  rate: 900,
  lead: 3,
  branches,
  *run(context) {
    const { cell, branch, random } = context;
    const customer = customerOf(cell);
    if (customer === undefined) return;
    const migrated = branch.kind === 'migrated';
    if (migrated) {
      yield* emit(migrateEmail(cell, customer));
      yield* after({ seconds: 1 }, { seconds: 20 });
    }
    const { conversation, message } = yield* customerWrites(context, customer, {
      channel: migrated ? 'EMAIL' : random.weighted(channels),
      topic: weightedKey(random, topics),
      attachment: branch.attachment,
    });
    yield* sortConversation(context, conversation, message);

    const genuine = yield* judge(context, conversation, message);
    if (genuine) {
      if (branch.snoozed === 'yes') yield* snoozeConversation(context, conversation);
      yield* reply(context, conversation);
    }
    yield* endConversation(context, conversation);
  },
});

export function* customerWrites(
  context: Context,
  customer: Customer,
  about: {
    readonly channel: Channel;
    readonly topic: Topic;
    readonly attachment?: 'none' | 'safe' | 'unsafe';
  },
): Steps<{ conversation: Conversation; message: Message }> {
  const { cell, random } = context;
  const { attachment = 'none' } = about;
  const message = newMessage(cell, about.channel);
  yield* emit(ingestMessage(customer, message));
  if (attachment !== 'none') {
    yield* after({ seconds: 2 }, { seconds: 30 });
    yield* emit(scanAttachment(cell, customer, attachment, random));
  }
  yield* after({ seconds: 1 }, { seconds: 15 });
  const { conversation, opened } = openConversation(cell, customer, about);
  yield* emit(opened);
  yield* after({ milliseconds: 100 }, { seconds: 2 });
  yield* emit(receiveMessage(conversation, message));
  yield* after({ milliseconds: 500 }, { seconds: 5 });
  yield* emit(runActions(conversation, message, random));
  return { conversation, message };
}

export function* platformWrites(
  context: Context,
  customer: Customer,
  about: { readonly channel: Channel; readonly topic: Topic },
): Steps<Conversation> {
  const { conversation, opened } = openConversation(context.cell, customer, about);
  yield* emit(opened);
  yield* after({ milliseconds: 100 }, { seconds: 2 });
  yield* writeToCustomer(context, conversation);
  return conversation;
}

export function* writeToCustomer(context: Context, conversation: Conversation): Steps<Message> {
  const message = newMessage(context.cell, conversation.channel);
  yield* emit(sendMessage(conversation, message));
  return message;
}

export function* endConversation(context: Context, conversation: Conversation): Steps {
  const { cell, random } = context;
  yield* after({ minutes: 5 }, { days: 1 }, 'office');
  const reason = random.weighted(closeReasons);
  if (reason === 'AGENT_CLOSED') assignAgent(context, conversation);
  const fromBucket = unassignFromBucket(conversation, reason);
  if (fromBucket !== undefined) yield* emit(fromBucket);
  if (conversation.timeline !== undefined) {
    yield* after({ milliseconds: 200 }, { seconds: 5 });
    const fromTimeline = unassignFromTimeline(conversation);
    if (fromTimeline !== undefined) yield* emit(fromTimeline);
  }
  yield* after({ seconds: 1 }, { minutes: 10 });
  yield* emit(closeConversation(cell, conversation, reason));
}

type ContactEmail = ScenarioContext<Cell, typeof branches>;

function* sortConversation(context: ContactEmail, conversation: Conversation, message: Message): Steps {
  const { cell, branch, random } = context;
  if (branch.tagged === 'yes') {
    yield* after({ milliseconds: 500 }, { seconds: 10 });
    yield* emit(tagMessage(conversation, message, random));
  }
  if (branch.prioritized === 'yes') {
    yield* after({ milliseconds: 200 }, { seconds: 5 });
    yield* emit(prioritize(cell, conversation, message, random));
  }
  yield* after({ milliseconds: 500 }, { seconds: 10 });
  yield* emit(assignToBucket(conversation));
  if (branch.timeline === 'yes') {
    yield* after({ milliseconds: 200 }, { seconds: 5 });
    yield* emit(assignToTimeline(conversation, random.integer(1, timelineCount), staffId(random)));
  }
}

/** Assigns the first agent who reads the conversation. */
function assignAgent({ random }: Context, conversation: Conversation): void {
  if (conversation.agent === noAgent) conversation.agent = staffId(random);
}

/** Returns whether the message is genuine. Reports are reviewed, and some dismissed. */
function* judge({ branch }: ContactEmail, conversation: Conversation, message: Message): Steps<boolean> {
  const { kind } = branch;
  if (kind === 'normal' || kind === 'migrated') return true;
  const as = kind === 'spam' || kind === 'spam-dismissed' ? 'spam' : 'phishing';
  yield* after({ minutes: 5 }, { hours: 8 }, 'office');
  yield* emit(reportMessage(conversation, message, as));
  if (kind === 'spam' || kind === 'phishing') return false;
  yield* after({ minutes: 5 }, { days: 1 }, 'office');
  yield* emit(dismissReport(conversation, message, as));
  return true;
}

function* snoozeConversation(context: ContactEmail, conversation: Conversation): Steps {
  yield* after({ minutes: 10 }, { days: 1 }, 'office');
  assignAgent(context, conversation);
  const to = morningIn(context, context.random.integer(1, 5));
  yield* emit(snooze(context.cell, conversation, to));
  yield* until(to);
  yield* after({ milliseconds: 50 }, { seconds: 30 });
  yield* emit(changeOpenStatus(conversation, 'OPEN_REMINDED'));
}

/** Returns nine o'clock after that many working days. */
function morningIn({ calendar, cell }: ContactEmail, workingDays: number): Instant {
  return calendar.instantOf(calendar.addWorkingDays(cell.today, workingDays), 9 * hour);
}

function* reply(context: ContactEmail, conversation: Conversation): Steps {
  const { cell, branch } = context;
  yield* after({ minutes: 15 }, { days: 2 }, 'office');
  assignAgent(context, conversation);
  const message = yield* writeToCustomer(context, conversation);
  if (branch.delivery === 'failed') {
    yield* after({ seconds: 5 }, { minutes: 10 });
    yield* emit(failMessage(cell, conversation, message));
    yield* after({ minutes: 10 }, { hours: 8 }, 'office');
    yield* writeToCustomer(context, conversation);
  }
  if (branch.reply === 'no') return;

  yield* after({ milliseconds: 200 }, { seconds: 2 });
  yield* emit(awaitCustomerReply(conversation));
  yield* after({ minutes: 30 }, { days: 3 }, 'waking');
  const answer = newMessage(cell, conversation.channel);
  yield* emit(ingestMessage(conversation, answer));
  yield* after({ seconds: 1 }, { seconds: 15 });
  yield* emit(receiveMessage(conversation, answer));
  yield* after({ milliseconds: 200 }, { seconds: 2 });
  yield* emit(changeOpenStatus(conversation, 'OPEN_CUSTOMER_REPLIED'));
  yield* after({ minutes: 15 }, { days: 1 }, 'office');
  yield* writeToCustomer(context, conversation);
}
