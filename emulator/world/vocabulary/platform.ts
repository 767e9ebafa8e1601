/** Brands of the supplier. */
export const brands = { EMULATOR_ENERGY: 0.9, EMULATOR_BUSINESS: 0.08, EMULATOR_TEXAS: 0.02 } as const;
export type Brand = keyof typeof brands;

/** Staff are numbered; whatever happens without a person is done by the system user. */
export const staff = { systemUser: 1, firstAgent: 1001, lastAgent: 1200 } as const;

/** Teams that look after businesses are numbered from 1 to this. */
export const operationsTeamCount = 12;

/** Organisations of partners are numbered from 1 to this; 0 where none is involved. */
export const partnerCount = 40;

/** Where files lie. */
export const buckets = {
  billing: 'emulator-billing-documents',
  calls: 'emulator-call-recordings',
  attachments: 'emulator-attachments',
  inboundEmail: 'emulator-inbound-email',
  production: 'emulator-production-files',
} as const;

export const attachmentNames = {
  'meter-photo.jpg': 0.5,
  'final-reading.png': 0.2,
  'letter.pdf': 0.2,
  'tenancy-agreement.pdf': 0.1,
} as const;

/** What is found unsafe rarely looks like a photograph. */
export const unsafeAttachmentNames = ['invoice.zip', 'refund-form.docm', 'statement.iso'] as const;
