import { formatInstant, type Instant } from '../../engine/time.js';
import type { Cell } from '../cell.js';
import type { Customer } from '../customer/customer.js';
import { occurrence } from '../occurrence.js';
import { relayId } from '../formats.js';
import { noAgent, organisations, systemUser } from '../staff.js';
import { type Channel, type CloseReason, conversationBuckets, type Topic, topics } from './words.js';

/** A conversation between a customer and the platform. Key of its events: account number. */
export interface Conversation extends Customer {
  readonly id: number;
  readonly relayId: string;
  readonly channel: Channel;
  readonly topic: Topic;
  readonly organisation: number;
  status: 'OPEN_NEW' | 'OPEN' | 'OPEN_CUSTOMER_REPLIED' | 'OPEN_REMINDED' | 'SNOOZED' | 'CLOSED';
  priority: number;
  /** Id of the agent; `noAgent` before one is assigned. */
  agent: number;
  /** Relay ids of its assignments. */
  bucket: string | undefined;
  timeline: string | undefined;
}

export function openConversation(
  cell: Cell,
  customer: Customer,
  about: { readonly channel: Channel; readonly topic: Topic },
) {
  const id = cell.ids.integer('conversation');
  const conversation: Conversation = {
    account: customer.account,
    user: customer.user,
    id,
    relayId: relayId('InkConversation', id),
    channel: about.channel,
    topic: about.topic,
    organisation: cell.setting === 'business' ? organisations.business : organisations.domestic,
    status: 'OPEN_NEW',
    priority: 0,
    agent: noAgent,
    bucket: undefined,
    timeline: undefined,
  };
  const opened = occurrence('ink.conversation.opened', customer.account.number, {
    v1: describe(conversation),
  });
  return { conversation, opened };
}

export function assignToBucket(conversation: Conversation) {
  const nth = conversationBuckets.indexOf(topics[conversation.topic].bucket) + 1;
  const bucket = relayId('InkBucket', nth);
  conversation.bucket = bucket;
  return occurrence('ink.conversation.assigned_to_bucket', conversation.account.number, {
    v1: { ...place(conversation, bucket), ...system },
  });
}

export function assignToTimeline(conversation: Conversation, timeline: number, agent: number) {
  conversation.agent = agent;
  conversation.timeline = relayId('InkTimeline', timeline);
  return occurrence('ink.conversation.assigned_to_timeline', conversation.account.number, {
    v1: queue(conversation, conversation.timeline),
  });
}

export function unassignFromBucket(conversation: Conversation, reason: CloseReason) {
  const { bucket } = conversation;
  if (bucket === undefined) return undefined;
  conversation.bucket = undefined;
  return occurrence('ink.conversation.unassigned_from_bucket', conversation.account.number, {
    v1: { ...place(conversation, bucket), ...(reason === 'AGENT_CLOSED' ? actor(conversation) : system) },
  });
}

export function unassignFromTimeline(conversation: Conversation) {
  const { timeline } = conversation;
  if (timeline === undefined) return undefined;
  conversation.timeline = undefined;
  return occurrence('ink.conversation.unassigned_from_timeline', conversation.account.number, {
    v1: queue(conversation, timeline),
  });
}

export function snooze(cell: Cell, conversation: Conversation, to: Instant) {
  conversation.status = 'SNOOZED';
  return occurrence('ink.conversation.snoozed', conversation.account.number, {
    v1: {
      ...describe(conversation),
      snoozed_to: formatInstant(to),
      ink_note_relay_id: relayId('InkNote', cell.ids.integer('ink note')),
    },
  });
}

/** Changes the status at the end of a snooze, or when the customer replies. No agent does so. */
export function changeOpenStatus(
  conversation: Conversation,
  status: 'OPEN_REMINDED' | 'OPEN_CUSTOMER_REPLIED',
) {
  const previous = conversation.status;
  conversation.status = status;
  return occurrence('ink.conversation.open_status_changed', conversation.account.number, {
    v1: { ...describe(conversation), ...system, new_status: status, previous_status: previous },
  });
}

export function awaitCustomerReply(conversation: Conversation) {
  return occurrence('ink.conversation.await_customer_reply', conversation.account.number, {
    v1: describe(conversation),
  });
}

export function closeConversation(cell: Cell, conversation: Conversation, reason: CloseReason) {
  conversation.status = 'CLOSED';
  return occurrence('ink.conversation.closed', conversation.account.number, {
    v1: {
      ...describe(conversation),
      ...closer(conversation, reason),
      closed_at: formatInstant(cell.now),
      reason,
    },
  });
}

function describe(conversation: Conversation) {
  return {
    conversation_id: conversation.id,
    conversation_relay_id: conversation.relayId,
    account_number: conversation.account.number,
    latest_contacted_account_user_number: conversation.user.number,
    support_user_id: conversation.agent,
    ...actor(conversation),
    organisation_id: conversation.organisation,
  };
}

/** The actor of a change: the agent, or the system user if there is none. */
function actor({ agent }: Conversation) {
  return agent === noAgent ? system : { actor_type: 'SUPPORT_USER', actor_id: agent };
}

/** Returns the actor of a closing: the agent, the customer, or the system for a stale conversation. */
function closer(conversation: Conversation, reason: CloseReason) {
  if (reason === 'AGENT_CLOSED') return actor(conversation);
  if (reason === 'CUSTOMER_CLOSED') return { actor_type: 'ACCOUNT_USER', actor_id: conversation.user.id };
  return system;
}

const system = { actor_type: 'SYSTEM', actor_id: systemUser } as const;

function place(conversation: Conversation, bucket: string) {
  return {
    conversation_relay_id: conversation.relayId,
    bucket_relay_id: bucket,
    support_user_id: conversation.agent,
    organisation_id: conversation.organisation,
  };
}

function queue(conversation: Conversation, timeline: string) {
  return {
    conversation_relay_id: conversation.relayId,
    timeline_relay_id: timeline,
    support_user_id: conversation.agent,
  };
}
