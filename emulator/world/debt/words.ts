export const dunningPaths = { standard_domestic: 0.95, vulnerable_light: 0.05 } as const;

/** Communication steps of a collection, in order. */
export const collectionSteps = ['reminder_1', 'reminder_2', 'final_notice', 'letter_before_action'] as const;

export const stepChannels = { EMAIL: 0.7, SMS: 0.2, POST: 0.1 } as const;

export const pauseReasons = {
  PAYMENT_PROMISE: 0.4,
  BREATHING_SPACE: 0.15,
  COMPLAINT: 0.15,
  VULNERABILITY: 0.1,
  PAYMENT_PLAN: 0.2,
} as const;

export const agencies = { 'AGY-NORTH': 0.6, 'AGY-SOUTH': 0.4 } as const;

export const depositReasons = {
  LOW_CREDIT_SCORE: 0.6,
  NO_CREDIT_HISTORY: 0.3,
  HIGH_RISK_SECTOR: 0.1,
} as const;

export const feeTypes = { FIXED_FEE: 0.9, INTEREST: 0.1 } as const;
/** Fees by the bill that is late, in pence. A larger bill costs 7,000. */
export const lateFees = [
  { below: 20_000, fee: 500 },
  { below: 40_000, fee: 1_000 },
  { below: 100_000, fee: 1_500 },
] as const;

export const startNotes = [
  'Started by the nightly run.',
  'Balance overdue for more than fourteen days.',
  'No payment arrived after the bill.',
] as const;
