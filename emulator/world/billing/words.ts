/** Reasons for holding a bill for review. */
export const holdCodes = {
  HIGH_BILL: 0.4,
  MISSING_READS: 0.25,
  NEGATIVE_CONSUMPTION: 0.15,
  MANUAL_REVIEW: 0.15,
  PRICE_CHANGE_OVERLAP: 0.05,
} as const;
export type HoldCode = keyof typeof holdCodes;

/** Statuses of a document at an external print house, with their codes. */
export const externalStatuses = { SUBMITTED: '100', SENT: '200', DELIVERED: '201', REJECTED: '400' } as const;
export type ExternalStatus = keyof typeof externalStatuses;

/** Errors of the billing step that issues a statement. */
export const statementErrors = [
  'Statement total does not equal the sum of its lines',
  'Ledger is locked',
] as const;

/** Errors in preparing a period for charging. */
export const primingErrors = [
  'No unit rate covers the whole period',
  'Register advance is missing',
  'A day has no agreement',
  'Two agreements overlap',
] as const;

export const rebateTypes = { WARM_HOME_DISCOUNT: 0.7, SOCIAL_TARIFF: 0.2, GREEN_LEVY: 0.1 } as const;

export const rebateDeclineReasons = {
  INSUFFICIENT_EVIDENCE_PROVIDED: 0.35,
  ALREADY_RECEIVED_DISCOUNT: 0.2,
  APPLICATIONS_NOT_OPEN: 0.15,
  NO_LONGER_ON_SUPPLY: 0.15,
  HAS_OPEN_APPLICATION: 0.1,
  DUPLICATE: 0.05,
} as const;

/** Processes that need approval. */
export const approvalProcesses = { REFUND: 0.5, CREDIT: 0.25, WRITE_OFF: 0.15, PRICE_OVERRIDE: 0.1 } as const;

export const approvalReasons = [
  'The evidence is complete.',
  'Within the limit of the team.',
  'Agreed with the customer on the telephone.',
  'Follows from an upheld complaint.',
  'Corrects a mistake of ours.',
] as const;

export const rejectionReasons = [
  'The evidence is not enough.',
  'Above the limit of the team.',
  'The account has an open dispute.',
  'Asked for twice.',
  'The balance has changed since.',
] as const;
