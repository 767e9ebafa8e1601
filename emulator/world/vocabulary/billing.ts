/** Exactly one of these is what an entry of a ledger is. */
export const entryKinds = { charge: 0.5, payment: 0.35, credit: 0.12, repayment: 0.03 } as const;
export type EntryKind = keyof typeof entryKinds;

/** What an entry comes from, by what it is. */
export const entrySources = {
  charge: 'CHARGE',
  payment: 'PAYMENT',
  credit: 'CREDIT',
  repayment: 'REPAYMENT',
} as const satisfies Record<EntryKind, string>;

/** Why an entry was taken back. */
export const removalReasons = {
  REBILL: 0.6,
  ERROR_CORRECTION: 0.2,
  FEE_WAIVED: 0.1,
  DUPLICATE: 0.1,
} as const;

export const documentTypes = { STATEMENT: 0.9, INVOICE: 0.07, CREDIT_NOTE: 0.03 } as const;

/** Why a bill waits for somebody to look at it. */
export const holdCodes = {
  HIGH_BILL: 0.4,
  MISSING_READS: 0.25,
  NEGATIVE_CONSUMPTION: 0.15,
  MANUAL_REVIEW: 0.15,
  PRICE_CHANGE_OVERLAP: 0.05,
} as const;
export type HoldCode = keyof typeof holdCodes;

/** What becomes of a document at an outside portal, with its code. */
export const externalStatuses = { SUBMITTED: '100', SENT: '200', DELIVERED: '201', REJECTED: '400' } as const;
export type ExternalStatus = keyof typeof externalStatuses;

/** Steps of making a bill, with what goes wrong in them. */
export const billingFailures = {
  charge_supply_points: [
    'No unit rate covers the whole period',
    'Register advance is missing',
    'A day has no agreement',
  ],
  issue_statement: ['Statement total does not equal the sum of its lines', 'Ledger is locked'],
  dispatch_document: ['Document could not be rendered', 'No channel is left to send it by'],
} as const;
export type BillingAction = keyof typeof billingFailures;

/** Why a period could not be prepared for charging. */
export const primingErrors = [
  'No unit rate covers the whole period',
  'Register advance is missing',
  'A day has no agreement',
  'Two agreements overlap',
] as const;

export const rebateTypes = { WARM_HOME_DISCOUNT: 0.7, SOCIAL_TARIFF: 0.2, GREEN_LEVY: 0.1 } as const;

/** Why an application for a rebate is turned down, as the platform publishes it. */
export const rebateDeclineReasons = {
  INSUFFICIENT_EVIDENCE_PROVIDED: 0.35,
  ALREADY_RECEIVED_DISCOUNT: 0.2,
  APPLICATIONS_NOT_OPEN: 0.15,
  NO_LONGER_ON_SUPPLY: 0.15,
  HAS_OPEN_APPLICATION: 0.1,
  DUPLICATE: 0.05,
} as const;

/** Letters that are sent by template. */
export const templates = {
  BILL_READY: 0.6,
  PAYMENT_REMINDER: 0.2,
  WELCOME: 0.1,
  TARIFF_CHANGE: 0.05,
  PRICE_CHANGE: 0.05,
} as const;

/** Why a payment failed, as the platform publishes it. */
export const paymentFailures = {
  INSUFFICIENT_FUNDS: 0.6,
  PAYMENT_INSTRUCTION_NOT_USABLE: 0.2,
  CUSTOMER_OBJECTION: 0.06,
  ACTION_REQUIRED: 0.04,
  PAYER_DECEASED: 0.02,
  INSTITUTIONAL_OBJECTION: 0.02,
  INSUFFICIENT_NOTICE: 0.01,
  INVALID_AMOUNT: 0.01,
  BAD_TIMING: 0.01,
  PAST_DATE: 0.01,
  SUSPICIOUS: 0.01,
  VENDOR_SYSTEM_MALFUNCTION: 0.005,
  UNKNOWN: 0.005,
} as const;

/** Amounts in pence, each range from lowest to highest. */
export const amounts = {
  monthlyBill: [3_000, 60_000],
  debt: [5_000, 250_000],
  deposit: [10_000, 250_000],
} as const;
