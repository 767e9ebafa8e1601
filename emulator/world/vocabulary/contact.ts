/** How customers write, as the platform publishes it. */
export const channels = {
  EMAIL: 0.78,
  SMS: 0.12,
  TWILIO_WHATSAPP: 0.06,
  POST: 0.02,
  GENERIC_API: 0.02,
} as const;
export type Channel = keyof typeof channels;

/** A live chat runs on the website or in a messenger. */
export const liveChatChannels = { GENERIC_API: 0.7, TWILIO_WHATSAPP: 0.3 } as const;

/** Who carries messages of a channel. */
export const vendors = {
  EMAIL: 'MAILVENDOR',
  SMS: 'SMSVENDOR',
  TWILIO_WHATSAPP: 'TWILIO',
  POST: 'PRINTVENDOR',
  GENERIC_API: 'EMULATOR',
} as const satisfies Record<Channel, string>;

/** States of a conversation, as the platform publishes them, with the moves that leave it open. */
export const conversationMoves = [
  { from: 'OPEN_NEW', to: 'OPEN', weight: 0.3 },
  { from: 'OPEN', to: 'OPEN_CUSTOMER_REPLIED', weight: 0.35 },
  { from: 'SNOOZED', to: 'OPEN_REMINDED', weight: 0.2 },
  { from: 'SNOOZED', to: 'OPEN_CUSTOMER_REPLIED', weight: 0.1 },
  { from: 'CLOSED', to: 'OPEN_CUSTOMER_REPLIED', weight: 0.05 },
] as const;
export type ConversationStatus = (typeof conversationMoves)[number]['from' | 'to'];

export const closeReasons = {
  AGENT_CLOSED: 0.8,
  STALE: 0.15,
  CUSTOMER_CLOSED: 0.03,
  INACTIVE: 0.02,
} as const;
/** A live chat ends when somebody leaves it. */
export const liveChatCloseReasons = { AGENT_CLOSED: 0.5, CUSTOMER_CLOSED: 0.4, INACTIVE: 0.1 } as const;

/** What stands in the subject line, and the tags that it gets. */
export const subjects = [
  { subject: 'My bill looks too high', tags: ['billing'] },
  { subject: 'When is my next bill?', tags: ['billing'] },
  { subject: 'Here is my meter reading', tags: ['meter-reading'] },
  { subject: 'I cannot submit my reading', tags: ['meter-reading'] },
  { subject: 'We are moving house', tags: ['moving-home'] },
  { subject: 'Final reading for the old flat', tags: ['moving-home', 'meter-reading'] },
  { subject: 'New tenant at this address', tags: ['moving-home'] },
  { subject: 'I want to make a complaint', tags: ['complaint'] },
  { subject: 'Still waiting for an answer', tags: ['complaint'] },
  { subject: 'My smart meter shows nothing', tags: ['smart-meter'] },
  { subject: 'Please book a smart meter', tags: ['smart-meter'] },
  { subject: 'Change the date of my direct debit', tags: ['payment'] },
  { subject: 'My payment did not go through', tags: ['payment'] },
  { subject: 'Could I pay in instalments?', tags: ['payment'] },
  { subject: 'Which tariff is best for an electric car?', tags: ['tariff'] },
  { subject: 'My fixed tariff is ending', tags: ['tariff'] },
  { subject: 'What does the standing charge pay for?', tags: ['tariff', 'billing'] },
  { subject: 'Refund of my credit balance', tags: ['payment', 'billing'] },
  { subject: 'Wrong name on the account', tags: ['billing'] },
  { subject: 'Thank you for your help', tags: [] },
] as const;

/** What a rule can do with a message that came in. */
export const inboundActions = {
  auto_tag: 0.5,
  auto_assign: 0.3,
  out_of_office_reply: 0.1,
  detect_complaint: 0.1,
} as const;

/** Why a message did not arrive. */
export const deliveryFailures = [
  { type: 'BOUNCE', reason: 'mailbox full', channel: 'EMAIL', weight: 0.5 },
  { type: 'INVALID_ADDRESS', reason: 'unknown recipient', channel: 'EMAIL', weight: 0.25 },
  {
    type: 'OUTSIDE_REPLY_WINDOW',
    reason: 'last message is too old',
    channel: 'TWILIO_WHATSAPP',
    weight: 0.15,
  },
  { type: 'VENDOR_ERROR', reason: 'carrier did not answer', channel: 'SMS', weight: 0.1 },
] as const;

/** Shelves that conversations wait on, and timelines that they are shown in: fixed, numbered from 1. */
export const conversationBuckets = [
  'General',
  'Billing',
  'Meter readings',
  'Moving home',
  'Complaints',
  'Vulnerable customers',
  'Business',
  'Smart meters',
] as const;
export const conversationTimelines = ['Account', 'Business', 'Lead', 'Partner', 'Property'] as const;

/** What a telephone call becomes. */
export const callMoves = [
  { from: 'RINGING', to: 'IN_PROGRESS', weight: 0.3 },
  { from: 'IN_PROGRESS', to: 'COMPLETED', weight: 0.7 },
] as const;
