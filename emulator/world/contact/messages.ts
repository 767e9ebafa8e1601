import type { RandomStream } from '../../engine/random.js';
import { formatInstant, type Instant } from '../../engine/time.js';
import type { Account, Cell } from '../cell.js';
import type { Customer } from '../customer/customer.js';
import { occurrence } from '../occurrence.js';
import { relayId } from '../formats.js';
import {
  attachmentNames,
  type Channel,
  deliveryFailures,
  inboundActions,
  inbox,
  subjects,
  unsafeAttachmentNames,
  vendors,
} from './words.js';
import { buckets, storageKey } from '../storage.js';
import type { Conversation } from './conversations.js';

/** An inbound or outbound message. Key of its events: account number. */
export interface Message {
  readonly id: number;
  readonly relayId: string;
  readonly vendorId: string;
  readonly channel: Channel;
  readonly at: Instant;
}

export function newMessage(cell: Cell, channel: Channel): Message {
  const id = cell.ids.integer('message');
  const vendorId = cell.ids.uuid('vendor message');
  return { id, relayId: relayId('InkMessage', id), vendorId, channel, at: cell.now };
}

/** Migrates an e-mail from the previous system. */
export function migrateEmail(cell: Cell, { account }: Customer) {
  return occurrence('ink.messages.inbound-email-migration', account.number, {
    v1: {
      message_id: `<${cell.ids.uuid('e-mail')}@example.com>`,
      s3_key: storageKey(cell, 'inbound', 'eml'),
      s3_bucket: buckets.inboundEmail,
    },
  });
}

export function ingestMessage({ account }: Customer, message: Message) {
  return occurrence('ink.messages.inbound-message-ingested', account.number, {
    v1: {
      channel: message.channel,
      vendor: vendors[message.channel],
      vendor_id: message.vendorId,
      message_relay_id: message.relayId,
    },
  });
}

export function scanAttachment(
  cell: Cell,
  { account }: Customer,
  verdict: 'safe' | 'unsafe',
  random: RandomStream,
) {
  const filename = verdict === 'safe' ? random.weighted(attachmentNames) : random.pick(unsafeAttachmentNames);
  return occurrence(`ink.message_attachment.${verdict}`, account.number, {
    v1: {
      filename,
      s3_key: storageKey(cell, 'attachments', filename.replace(/^.*\./, '')),
      s3_bucket: buckets.attachments,
      size_in_bytes: Math.round(random.spread(20_000, 6_000_000)),
    },
  });
}

export function receiveMessage(conversation: Conversation, message: Message) {
  return occurrence('ink.messages.inbound-message-created', conversation.account.number, {
    v1: inConversation(conversation, message),
  });
}

/** Publishes one to four automatic actions. Each fails with a likelihood of 3 %; the last stops further evaluation. */
export function runActions(conversation: Conversation, message: Message, random: RandomStream) {
  const codes = inboundActions.slice(0, random.integer(1, inboundActions.length));
  return occurrence('ink.actions.run', conversation.account.number, {
    v1: {
      conversation_relay_id: conversation.relayId,
      message_relay_id: message.relayId,
      actions_results: codes.map((code, index) => ({
        code,
        succeeded: random.chance(0.97),
        stop_further_evaluation: index === codes.length - 1,
      })),
    },
  });
}

export function tagMessage(conversation: Conversation, message: Message, random: RandomStream) {
  const { subject, tags } = random.pick(subjects.filter(({ tags: [topic] }) => topic === conversation.topic));
  const email = message.channel === 'EMAIL' && {
    from_address: conversation.user.email,
    subject,
    to_addresses: [inbox],
  };
  return occurrence('ink.content.inbound-message-tagged', conversation.account.number, {
    v1: {
      conversation_id: conversation.id,
      conversation_relay_id: conversation.relayId,
      account_number: conversation.account.number,
      message: {
        message_id: message.id,
        occurred_at: formatInstant(message.at),
        channel: message.channel,
        content: { ...email, tags: [...tags] },
      },
    },
  });
}

/** Changes the priority of the conversation because of the message. */
export function prioritize(cell: Cell, conversation: Conversation, message: Message, random: RandomStream) {
  const before = conversation.priority;
  let priority = random.integer(1, 1000) / 10;
  if (priority === before) priority = 0;
  conversation.priority = priority;
  return occurrence('ink.conversation.priority.changed', conversation.account.number, {
    v1: {
      conversation_id: conversation.id,
      conversation_relay_id: conversation.relayId,
      old_priority: before,
      new_priority: priority,
      prioritized_at: formatInstant(cell.now),
      message_id: message.id,
      message_relay_id: message.relayId,
      account_number: conversation.account.number,
      latest_contacted_account_user_number: conversation.user.number,
      support_user_id: conversation.agent,
      organisation_id: conversation.organisation,
    },
  });
}

export function reportMessage(conversation: Conversation, message: Message, as: 'spam' | 'phishing') {
  return occurrence(`ink.messages.reported-${as}`, conversation.account.number, {
    v1: inConversation(conversation, message),
  });
}

export function dismissReport(conversation: Conversation, message: Message, as: 'spam' | 'phishing') {
  return occurrence(`ink.messages.${as}-report-dismissed`, conversation.account.number, {
    v1: inConversation(conversation, message),
  });
}

export function sendMessage(conversation: Conversation, message: Message) {
  conversation.status = 'OPEN';
  return occurrence('ink.messages.outbound-message-created', conversation.account.number, {
    v1: inConversation(conversation, message),
  });
}

export function failMessage(cell: Cell, conversation: Conversation, message: Message) {
  const { channel } = message;
  return occurrence('ink.messages.outbound-message-failed', conversation.account.number, {
    v1: {
      conversation_relay_id: conversation.relayId,
      message: { ...describeMessage(message), vendor: vendors[channel] },
      failure: { ...deliveryFailures[channel], occurred_at: formatInstant(cell.now) },
    },
  });
}

/** A message in events of its conversation. */
function describeMessage({ relayId: relay_id, vendorId: vendor_id, channel, at }: Message) {
  return { relay_id, vendor_id, channel, occurred_at: formatInstant(at) };
}

function inConversation({ relayId, account }: LiveChat, message: Message) {
  return {
    conversation_relay_id: relayId,
    account_number: account.number,
    message: describeMessage(message),
  };
}

/** A live chat. Key of its events: account number. */
type LiveChat = Pick<Conversation, 'relayId' | 'account'>;

export function initiateChat(cell: Cell, account: Account, message: Message) {
  const chat: LiveChat = { relayId: relayId('InkConversation', cell.ids.integer('conversation')), account };
  const initiated = occurrence('ink.live-chat.initiated', account.number, {
    v1: { live_chat_conversation: inConversation(chat, message) },
  });
  return { chat, initiated };
}

export function replyToChat(chat: LiveChat, message: Message) {
  return occurrence('ink.live-chat.messages.outbound-message-created', chat.account.number, {
    v1: { live_chat_conversation: inConversation(chat, message) },
  });
}

export function closeChat(chat: LiveChat, reason: string) {
  return occurrence('ink.live-chat.closed', chat.account.number, {
    v1: {
      live_chat_conversation_relay_id: chat.relayId,
      close_reason: reason,
      account_number: chat.account.number,
    },
  });
}
