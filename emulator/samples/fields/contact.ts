import { minute, formatDay, formatInstant, hour } from '../../engine/time.js';
import { london } from '../../engine/calendar.js';
import {
  callMoves,
  type Channel,
  channels,
  closeReasons,
  conversationBuckets,
  conversationMoves,
  conversationTimelines,
  deliveryFailures,
  inboundActions,
  liveChatChannels,
  liveChatCloseReasons,
  subjects,
  vendors,
} from '../../world/vocabulary/contact.js';
import {
  attachmentNames,
  buckets,
  partnerCount,
  staff,
  unsafeAttachmentNames,
} from '../../world/vocabulary/platform.js';
import { weightedRow } from '../../world/vocabulary/rows.js';
import { user } from '../facts/household.js';
import { relayId } from '../facts/relay-id.js';
import { agent } from '../facts/staff.js';
import { justNow } from '../facts/times.js';
import type { Scene, Subject } from '../subject.js';
import type { Area } from './area.js';

/** Conversations with customers: letters, chats, calls, and the files that come with them. */
export const contact: Area = {
  fields: {
    conversation_id: conversationId,
    conversation_relay_id: (s) => relayId('InkConversation', conversationId(s)),
    live_chat_conversation_relay_id: (s) => relayId('InkConversation', conversationId(s)),
    message_id: (s) => s.integer('message'),
    message_relay_id: messageRelayId,
    relay_id: messageRelayId,
    bucket_relay_id: (s) => relayId('InkBucket', s.random.integer(1, conversationBuckets.length)),
    timeline_relay_id: (s) => relayId('InkTimeline', s.random.integer(1, conversationTimelines.length)),
    ink_note_relay_id: (s) => relayId('InkNote', s.integer('note')),
    latest_contacted_account_user_number: (s) => user(s).number,
    organisation_id: (s) => s.once('organisation', (random) => random.integer(1, partnerCount)),
    actor_type: (s) => actor(s).type,
    actor_id: (s) => actor(s).id,
    old_priority: (s) => priorities(s).before,
    new_priority: (s) => priorities(s).after,
    prioritized_at: justNow,
    closed_at: justNow,
    bounced_at: justNow,
    snoozed_to: (s) => {
      const days = s.random.integer(1, 5);
      return formatInstant(london.instantOf(london.addWorkingDays(s.today, days), 9 * hour));
    },
    close_reason: (s) => s.random.weighted(liveChatCloseReasons),
    channel,
    vendor: (s) => vendors[channel(s)],
    vendor_id: (s) => s.uuid('vendor message'),
    occurred_at: justNow,
    filename: (s) => s.random.weighted(attachmentNames),
    size_in_bytes: (s) => Math.floor(s.random.spread(20_000, 6_000_000)),
    call_id: (s) => s.integer('call'),
    call_key: (s) => storageKey(s, 'calls', 'call', 'wav'),
    transcript_key: (s) => storageKey(s, 'transcripts', 'call', 'json'),
    redacted_transcript_key: (s) => storageKey(s, 'transcripts', 'call', 'redacted.json'),
    bucket: () => buckets.calls,
    s3_bucket: () => buckets.attachments,
    s3_key: (s) => storageKey(s, 'attachments', 'attachment', 'bin'),
    file_reference: (s) => s.uuid('file'),
  },
  shapes: {
    InkAction: {
      code: (s) => s.random.weighted(inboundActions),
      succeeded: (s) => s.random.chance(0.97),
      stop_further_evaluation: (s) => s.random.chance(0.1),
    },
    InkContent: {
      from_address: fromAddress,
      subject: (s) => subjectLine(s).subject,
      to_addresses: () => ['hello@example.com'],
      tags: (s) => [...subjectLine(s).tags],
    },
    InkFailure: {
      type: (s) => deliveryFailure(s).type,
      reason: (s) => deliveryFailure(s).reason,
    },
    // The message left before it failed.
    InkMessageWithVendor: { occurred_at: (s) => formatInstant(s.at - s.random.integer(1, 30) * minute) },
  },
  events: {
    'comms.account-call.updated': {
      changes: (s) => {
        const { from, to } = weightedRow(s.random, callMoves);
        return { status: { old: from, new: to } };
      },
    },
    'ink.conversation.closed': { reason: (s) => s.random.weighted(closeReasons) },
    'ink.conversation.open_status_changed': {
      previous_status: (s) => conversationMove(s).from,
      new_status: (s) => conversationMove(s).to,
    },
    'ink.message_attachment.unsafe': { filename: (s) => s.random.pick(unsafeAttachmentNames) },
    'ink.messages.inbound-email-migration': {
      message_id: (s) => `<${s.uuid('email')}@example.com>`,
      s3_key: (s) => storageKey(s, 'inbound', 'email', 'eml'),
      s3_bucket: () => buckets.inboundEmail,
    },
  },
  counts: { actions_results: (s) => s.random.integer(1, 4) },
};

function conversationId(subject: Subject): number {
  const wanted = subject.pinned('conversation_id');
  return typeof wanted === 'number' ? wanted : subject.integer('conversation');
}

function messageRelayId(subject: Subject): string {
  const wanted = subject.pinned('message_id');
  return relayId('InkMessage', typeof wanted === 'number' ? wanted : subject.integer('message'));
}

/** What did not arrive was sent by the channel that it failed on. */
function channel(subject: Subject): Channel {
  if (subject.eventType.endsWith('message-failed')) return deliveryFailure(subject).channel;
  const likely: Readonly<Partial<Record<Channel, number>>> = subject.eventType.includes('live-chat')
    ? liveChatChannels
    : channels;
  return subject.once('channel', (random) => random.weighted(likely as Record<Channel, number>));
}

/** A letter and a form have none. */
function fromAddress(subject: Subject): string {
  const from = channel(subject);
  if (from === 'EMAIL') return user(subject).email;
  return from === 'SMS' || from === 'TWILIO_WHATSAPP' ? `+447700900${phoneDigits(subject)}` : '';
}

function deliveryFailure(subject: Subject): (typeof deliveryFailures)[number] {
  return subject.once('delivery failure', (random) => weightedRow(random, deliveryFailures));
}

function conversationMove(subject: Subject): (typeof conversationMoves)[number] {
  return subject.once('conversation status', (random) => weightedRow(random, conversationMoves));
}

function actor(subject: Subject): { type: string; id: number } {
  const isPerson = subject.once('actor is a person', (random) => random.chance(0.7));
  return isPerson ? { type: 'SUPPORT_USER', id: agent(subject) } : { type: 'SYSTEM', id: staff.systemUser };
}

/** 0 to 100, with one decimal. */
function priorities(subject: Subject): { before: number; after: number } {
  return subject.once('priority', (random) => ({
    before: random.chance(0.5) ? 0 : random.integer(1, 500) / 10,
    after: random.integer(1, 1000) / 10,
  }));
}

function subjectLine(subject: Subject): (typeof subjects)[number] {
  return subject.once('subject line', (random) => random.pick(subjects));
}

/** The last three digits of a number that is kept for drama. */
function phoneDigits(subject: Subject): string {
  return subject.once('telephone', (random) => String(random.integer(0, 999)).padStart(3, '0'));
}

function storageKey(scene: Scene, kind: string, file: string, ending: string): string {
  return `${kind}/${formatDay(scene.today).replaceAll('-', '/')}/${scene.uuid(file)}.${ending}`;
}
