import type { Finding, Invariant, StreamEvent } from './invariant.js';
import { fine } from './invariant.js';
import { lifecycle } from './lifecycle.js';
import { Memory } from './memory.js';
import { identifier } from './payload.js';

const conversation = (event: StreamEvent) => identifier(event, 'conversation_relay_id');
const message = (event: StreamEvent) => identifier(event, 'message', 'relay_id');
const open = { from: ['open'] } as const;
const reported = { from: ['taken as it is'], to: 'reported' } as const;
const dismissed = { from: ['reported'], to: 'taken as it is' } as const;

export const contactInvariants: readonly Invariant[] = [
  lifecycle({
    name: 'conversation-in-order',
    statement:
      'Nothing happens in a conversation before it is opened, and nothing after it is closed, unless it is opened again.',
    entity: 'conversation',
    of: conversation,
    begins: {},
    moves: {
      'ink.conversation.opened': { from: ['not there', 'closed'], to: 'open' },
      'ink.conversation.open_status_changed': { from: ['open', 'closed'], to: 'open' },
      'ink.conversation.closed': { from: ['open'], to: 'closed' },
      'ink.messages.inbound-message-created': open,
      'ink.messages.outbound-message-created': open,
      'ink.messages.outbound-message-failed': open,
      'ink.messages.reported-spam': open,
      'ink.messages.reported-phishing': open,
      'ink.messages.spam-report-dismissed': open,
      'ink.messages.phishing-report-dismissed': open,
      'ink.actions.run': open,
      'ink.content.inbound-message-tagged': open,
      'ink.conversation.priority.changed': open,
      'ink.conversation.assigned_to_bucket': open,
      'ink.conversation.assigned_to_timeline': open,
      'ink.conversation.unassigned_from_bucket': open,
      'ink.conversation.unassigned_from_timeline': open,
      'ink.conversation.snoozed': open,
      'ink.conversation.await_customer_reply': open,
    },
  }),
  lifecycle({
    name: 'bucket-left-after-joined',
    statement: 'A conversation is unassigned only from a bucket that it is assigned to.',
    entity: 'conversation and bucket',
    of: (event) => pair(conversation(event), identifier(event, 'bucket_relay_id')),
    begins: {},
    moves: {
      'ink.conversation.assigned_to_bucket': { from: ['elsewhere', 'there'], to: 'there' },
      'ink.conversation.unassigned_from_bucket': { from: ['there'], to: 'elsewhere' },
    },
  }),
  lifecycle({
    name: 'timeline-left-after-joined',
    statement: 'A conversation is unassigned only from a timeline that it is assigned to.',
    entity: 'conversation and timeline',
    of: (event) => pair(conversation(event), identifier(event, 'timeline_relay_id')),
    begins: {},
    moves: {
      'ink.conversation.assigned_to_timeline': { from: ['elsewhere', 'there'], to: 'there' },
      'ink.conversation.unassigned_from_timeline': { from: ['there'], to: 'elsewhere' },
    },
  }),
  lifecycle({
    name: 'spam-dismissed-after-reported',
    statement: 'A report of spam is dismissed only after it was made, and once.',
    entity: 'message',
    of: message,
    begins: {},
    moves: {
      'ink.messages.inbound-message-created': { from: ['taken as it is'] },
      'ink.messages.reported-spam': reported,
      'ink.messages.spam-report-dismissed': dismissed,
    },
  }),
  lifecycle({
    name: 'phishing-dismissed-after-reported',
    statement: 'A report of phishing is dismissed only after it was made, and once.',
    entity: 'message',
    of: message,
    begins: {},
    moves: {
      'ink.messages.inbound-message-created': { from: ['taken as it is'] },
      'ink.messages.reported-phishing': reported,
      'ink.messages.phishing-report-dismissed': dismissed,
    },
  }),
  lifecycle({
    name: 'message-fails-after-sent',
    statement: 'A message to a customer is sent once, and fails only after that.',
    entity: 'message',
    of: message,
    begins: { 'ink.messages.outbound-message-created': 'sent' },
    moves: { 'ink.messages.outbound-message-failed': { from: ['sent'], to: 'failed' } },
  }),
  {
    name: 'conversation-ids-fixed',
    statement: 'The number of a conversation and its relay id belong to each other for good.',
    proof: 'stream',
    start: watchIdentifiers,
  },
  lifecycle({
    name: 'live-chat-in-order',
    statement: 'Messages of a live chat come between its beginning and its end.',
    entity: 'live chat',
    of: (event) =>
      identifier(event, 'live_chat_conversation', 'conversation_relay_id') ??
      identifier(event, 'live_chat_conversation_relay_id'),
    begins: { 'ink.live-chat.initiated': 'open' },
    moves: {
      'ink.live-chat.messages.outbound-message-created': { from: ['open'] },
      'ink.live-chat.closed': { from: ['open'], to: 'closed' },
    },
  }),
];

function watchIdentifiers() {
  const relayIds = new Memory<string>();
  const numbers = new Memory<string>();
  function see(event: StreamEvent): readonly Finding[] {
    const id = identifier(event, 'conversation_id');
    const relayId = conversation(event);
    if (id === undefined || relayId === undefined) return fine;
    const isOther = (relayIds.get(id) ?? relayId) !== relayId || (numbers.get(relayId) ?? id) !== id;
    relayIds.set(id, relayId);
    numbers.set(relayId, id);
    return isOther
      ? [{ event, entity: `conversation "${id}"`, what: 'has another relay id than before' }]
      : fine;
  }
  return { see };
}

function pair(a: string | undefined, b: string | undefined): string | undefined {
  return a === undefined || b === undefined ? undefined : `${a} ${b}`;
}
