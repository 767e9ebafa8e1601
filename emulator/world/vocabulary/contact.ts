/** Ways in which customers write, by how common they are. */
export const channels = {
  EMAIL: 0.78,
  SMS: 0.12,
  TWILIO_WHATSAPP: 0.06,
  POST: 0.02,
  GENERIC_API: 0.02,
} as const;

export type Channel = keyof typeof channels;

/** Who carries each channel. */
export const vendors: Readonly<Record<Channel, string>> = {
  EMAIL: 'MAILVENDOR',
  SMS: 'SMSVENDOR',
  TWILIO_WHATSAPP: 'TWILIO',
  POST: 'POSTVENDOR',
  GENERIC_API: 'APIVENDOR',
};

/** Why a message to the customer does not arrive. */
export const deliveryFailures: Readonly<Record<Channel, { readonly type: string; readonly reason: string }>> =
  {
    EMAIL: { type: 'BOUNCE', reason: 'mailbox full' },
    SMS: { type: 'INVALID_ADDRESS', reason: 'unknown recipient' },
    TWILIO_WHATSAPP: { type: 'OUTSIDE_REPLY_WINDOW', reason: 'last message of the customer is too long ago' },
    POST: { type: 'INVALID_ADDRESS', reason: 'unknown recipient' },
    GENERIC_API: { type: 'VENDOR_ERROR', reason: 'no answer from the vendor' },
  };

/** What customers write about; each has a bucket of agents that know about it (1 to 8). */
export const topics = {
  billing: {
    weight: 0.24,
    bucket: 1,
    subjects: ['My last bill', 'A question about my statement', 'Bill too high'],
  },
  'meter-reading': {
    weight: 0.18,
    bucket: 2,
    subjects: ['Meter reading', 'My meter readings', 'Wrong reading'],
  },
  payment: {
    weight: 0.16,
    bucket: 3,
    subjects: ['Changing my direct debit', 'Payment date', 'A refund, please'],
  },
  'moving-home': { weight: 0.12, bucket: 4, subjects: ['Moving house', 'I am moving out', 'New home'] },
  tariff: {
    weight: 0.12,
    bucket: 5,
    subjects: ['My tariff', 'Which tariff suits me?', 'End of my fixed tariff'],
  },
  'smart-meter': { weight: 0.11, bucket: 6, subjects: ['Smart meter appointment', 'Display shows nothing'] },
  complaint: { weight: 0.07, bucket: 7, subjects: ['Complaint', 'I am not happy with this'] },
} as const;

export type Topic = keyof typeof topics;

/** Timelines that conversations wait in, most urgent first. */
export const timelines = [1, 2, 3, 4, 5] as const;

/** Where customers write to. */
export const inbox = 'hello@example.com';

/** What is done to every message as it comes in, in this order. */
export const inboundActions = ['auto_tag', 'detect_complaint', 'auto_assign', 'out_of_office_reply'] as const;

export const attachments = { 'meter-photo.jpg': 0.6, 'bill.pdf': 0.3, 'letter.pdf': 0.1 } as const;
export const unsafeAttachments = { 'invoice.zip': 0.6, 'statement.html': 0.4 } as const;

/** Why conversations end. */
export const closeReasons = {
  AGENT_CLOSED: 0.8,
  STALE: 0.15,
  CUSTOMER_CLOSED: 0.03,
  INACTIVE: 0.02,
} as const;
export const chatCloseReasons = { AGENT_CLOSED: 0.55, CUSTOMER_CLOSED: 0.3, INACTIVE: 0.15 } as const;
