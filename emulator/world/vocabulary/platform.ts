/** Ids of staff. Automatic changes are made by the system user. */
export const staff = { systemUser: 1, firstAgent: 1001, lastAgent: 1200 } as const;

/** Operations teams for businesses are numbered from 1 to this. */
export const operationsTeamCount = 12;

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

/** File names of attachments that the scan rejects. */
export const unsafeAttachmentNames = ['invoice.zip', 'refund-form.docm', 'statement.iso'] as const;
