import { comparing } from './comparing.js';
import type { Invariant, StreamEvent } from './invariant.js';
import { lifecycle } from './lifecycle.js';
import { identifier } from './payload.js';

const conversation = (event: StreamEvent) => identifier(event, 'conversation_relay_id');
const message = (event: StreamEvent) => identifier(event, 'message', 'relay_id');
const open = { from: ['open'] } as const;
export const contactInvariants: readonly Invariant[] = [
  lifecycle({
    name: 'conversation-in-order',
    statement:
      'No event occurs in a conversation before it is opened, or after it is closed, unless it is opened again.',
    entity: 'conversation',
    of: conversation,
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
  unassignedAfterAssigned('bucket'),
  unassignedAfterAssigned('timeline'),
  dismissedAfterReported('spam'),
  dismissedAfterReported('phishing'),
  lifecycle({
    name: 'message-fails-after-sent',
    statement: 'An outbound message is sent once, and fails only after that.',
    entity: 'message',
    of: message,
    begins: { 'ink.messages.outbound-message-created': 'sent' },
    moves: { 'ink.messages.outbound-message-failed': { from: ['sent'], to: 'failed' } },
  }),
  // Remembers both ids, by each of them.
  comparing<string>({
    name: 'conversation-ids-fixed',
    statement: 'The id of a conversation and its relay id never change.',
    entity: 'conversation',
    of: bothIds,
    see(event, before) {
      const keep = bothIds(event)?.join(' ');
      const entity = `conversation "${identifier(event, 'conversation_id')}"`;
      return { keep, entity, what: before !== undefined && before !== keep && 'has another relay id' };
    },
  }),
  lifecycle({
    name: 'live-chat-in-order',
    statement: 'Messages of a live chat occur between its start and its end.',
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

function unassignedAfterAssigned(place: 'bucket' | 'timeline') {
  return lifecycle({
    name: `${place}-left-after-joined`,
    statement: `A conversation is unassigned only from a ${place} that it is assigned to.`,
    entity: `conversation and ${place}`,
    of(event) {
      const ids = [conversation(event), identifier(event, `${place}_relay_id`)];
      return ids.includes(undefined) ? undefined : ids.join(' ');
    },
    moves: {
      [`ink.conversation.assigned_to_${place}`]: { from: ['unassigned', 'assigned'], to: 'assigned' },
      [`ink.conversation.unassigned_from_${place}`]: { from: ['assigned'], to: 'unassigned' },
    },
  });
}

function dismissedAfterReported(report: 'spam' | 'phishing') {
  return lifecycle({
    name: `${report}-dismissed-after-reported`,
    statement: `A report of ${report} is dismissed once, after it was made.`,
    entity: 'message',
    of: message,
    moves: {
      'ink.messages.inbound-message-created': { from: ['accepted'] },
      [`ink.messages.reported-${report}`]: { from: ['accepted'], to: 'reported' },
      [`ink.messages.${report}-report-dismissed`]: { from: ['reported'], to: 'accepted' },
    },
  });
}

function bothIds(event: StreamEvent) {
  const ids = [identifier(event, 'conversation_id'), conversation(event)];
  return ids.includes(undefined) ? undefined : ids;
}
