/** How reminders follow each other. */
export const dunningPaths = {
  standard_domestic: 0.85,
  business_standard: 0.1,
  vulnerable_light: 0.05,
} as const;

/** How a collection goes, by who is in debt. */
export const collectionConfigs = { DOMESTIC_STANDARD_2026: 0.9, BUSINESS_STANDARD_2026: 0.1 } as const;

/** In the order in which they are sent. */
export const collectionSteps = ['reminder_1', 'reminder_2', 'final_notice', 'letter_before_action'] as const;

/** How a step of sending something ended: its status, its reason, and by which channel. */
export const stepOutcomes = [
  { status: 'COMPLETED', reason: 'MESSAGE_SENT', weight: 0.9 },
  { status: 'SKIPPED', reason: 'NO_CONTACT_DETAILS', weight: 0.04 },
  { status: 'SKIPPED', reason: 'PAUSED', weight: 0.06 },
] as const;

export const stepChannels = { EMAIL: 0.7, SMS: 0.2, POST: 0.1 } as const;

/** Who paused or resumed something. */
export const pauseSources = { SUPPORT_USER: 0.7, SYSTEM: 0.2, API: 0.1 } as const;

export const pauseReasons = {
  PAYMENT_PROMISE: 0.4,
  BREATHING_SPACE: 0.15,
  COMPLAINT: 0.15,
  VULNERABILITY: 0.1,
  PAYMENT_PLAN: 0.2,
} as const;

/** Agencies that collect for us, and for whom they say they do. */
export const agencies = { 'AGY-NORTH': 0.6, 'AGY-SOUTH': 0.4 } as const;
export const collectionCampaigns = { LIVE: 0.6, TERM: 0.35, DECEASED: 0.05 } as const;

/** Why a debt that was given up was not taken up again. */
export const writeBackSkips = {
  NO_WRITE_OFF_FOUND: 0.5,
  BELOW_THRESHOLD: 0.3,
  ACTIVE_PAYMENT_PLAN: 0.15,
  ACCOUNT_CLOSED: 0.05,
} as const;

/** What made it fail, and the name of the error. */
export const writeBackFailures = {
  LEDGER_LOCKED: 'LedgerLockedError',
  LEDGER_UNAVAILABLE: 'LedgerTimeoutError',
} as const;
export type WriteBackFailure = keyof typeof writeBackFailures;

export const depositReasons = {
  LOW_CREDIT_SCORE: 0.6,
  NO_CREDIT_HISTORY: 0.3,
  HIGH_RISK_SECTOR: 0.1,
} as const;

/** What pays off a debt. */
export const allocationReasons = { PAYMENT: 0.85, CREDIT: 0.15 } as const;

export const feeTypes = { FIXED_FEE: 0.9, INTEREST: 0.1 } as const;
/** Pence. The last is what a business can be charged. */
export const lateFees = { '500': 0.4, '1000': 0.3, '1500': 0.2, '7000': 0.1 } as const;

export const pauseNotes = [
  'Paused while a payment plan is agreed.',
  'The customer asked for more time.',
  'A complaint is open about the bill.',
  'Moved to a lighter path after a call.',
  'Paused until the new reading is in.',
  'Breathing space was granted.',
] as const;

export const startNotes = [
  'Started by the nightly run.',
  'Balance overdue for more than fourteen days.',
  'Last direct debit was returned.',
] as const;

export const withdrawalNotes = [
  'The balance was paid in full.',
  'The debt moved to collection.',
  'A payment plan was agreed.',
  'Raised in error.',
] as const;
