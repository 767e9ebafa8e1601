/** Channels of written contact. */
export const channels = {
  EMAIL: 0.78,
  SMS: 0.12,
  TWILIO_WHATSAPP: 0.06,
  POST: 0.02,
  GENERIC_API: 0.02,
} as const;
export type Channel = keyof typeof channels;

export const liveChatChannels = { GENERIC_API: 0.7, TWILIO_WHATSAPP: 0.3 } as const;

/** The vendor that carries the messages of each channel. */
export const vendors = {
  EMAIL: 'MAILVENDOR',
  SMS: 'SMSVENDOR',
  TWILIO_WHATSAPP: 'TWILIO',
  POST: 'PRINTVENDOR',
  GENERIC_API: 'EMULATOR',
} as const satisfies Record<Channel, string>;

export const closeReasons = {
  AGENT_CLOSED: 0.8,
  STALE: 0.15,
  CUSTOMER_CLOSED: 0.03,
  INACTIVE: 0.02,
} as const;
export type CloseReason = keyof typeof closeReasons;
export const liveChatCloseReasons = { AGENT_CLOSED: 0.5, CUSTOMER_CLOSED: 0.4, INACTIVE: 0.1 } as const;

/** Subject lines with their tags. The first tag is the topic. */
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
] as const;

/** Automatic actions on inbound messages, in order. */
export const inboundActions = ['auto_tag', 'auto_assign', 'out_of_office_reply', 'detect_complaint'] as const;

const vendorError = { type: 'VENDOR_ERROR', reason: 'carrier did not answer' } as const;

/** The delivery failure of each channel. */
export const deliveryFailures = {
  EMAIL: { type: 'BOUNCE', reason: 'mailbox full' },
  SMS: vendorError,
  TWILIO_WHATSAPP: { type: 'OUTSIDE_REPLY_WINDOW', reason: 'last message is too old' },
  POST: vendorError,
  GENERIC_API: vendorError,
} as const satisfies Record<Channel, object>;

/** Queues of conversations, numbered from 1. */
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
/** Timelines that show conversations are numbered from 1 to this. */
export const timelineCount = 5;

type Bucket = (typeof conversationBuckets)[number];

/** Topics of conversations with their buckets. A topic is a tag of its messages. */
export const topics = {
  billing: { weight: 0.28, bucket: 'Billing' },
  'meter-reading': { weight: 0.18, bucket: 'Meter readings' },
  payment: { weight: 0.16, bucket: 'Billing' },
  'moving-home': { weight: 0.12, bucket: 'Moving home' },
  tariff: { weight: 0.12, bucket: 'General' },
  'smart-meter': { weight: 0.11, bucket: 'Smart meters' },
  complaint: { weight: 0.03, bucket: 'Complaints' },
} as const satisfies Record<string, { weight: number; bucket: Bucket }>;

export type Topic = keyof typeof topics;

/** The address that customers write to. */
export const inbox = 'hello@example.com';

export const attachmentNames = {
  'meter-photo.jpg': 0.5,
  'final-reading.png': 0.2,
  'letter.pdf': 0.2,
  'tenancy-agreement.pdf': 0.1,
} as const;

/** File names of attachments that the scan rejects. */
export const unsafeAttachmentNames = ['invoice.zip', 'refund-form.docm', 'statement.iso'] as const;

export const pushProviders = { FCM: 0.55, APNS: 0.45 } as const;
