export const loginMethods = { PASSWORD: 0.55, MAGIC_LINK: 0.2, GOOGLE: 0.1, APPLE: 0.1, SSO: 0.05 } as const;

/** Second factors. A login without one has an empty string in the payload. */
export const mfaDevices = { SMS: 0.5, TOTP: 0.35, EMAIL: 0.15 } as const;
export type MfaDevice = keyof typeof mfaDevices;

/**
 * Reasons for a failed login of somebody who gives up, by step. Those who mistype a password and get in make most failures:
 * of all, 85 % are invalid credentials, 7 % invalid codes, 5 % locked accounts and 3 % expired links.
 */
export const loginFailures = {
  PASSWORD: { INVALID_CREDENTIALS: 0.18, ACCOUNT_LOCKED: 0.51, EXPIRED_LINK: 0.31 },
  MFA: { INVALID_MFA_CODE: 1 },
} as const;

export const verificationTypes = { EMAIL: 0.6, SMS: 0.35, MANUAL: 0.04, OTHER: 0.01 } as const;

/** Security rules are numbered from 1 to this. */
export const securityRuleCount = 12;

export const reactivationSources = {
  SUPPORT_SITE: 0.4,
  HOUSE_MOVE: 0.25,
  ERRONEOUS_TRANSFER: 0.15,
  NEW_ENROLMENT: 0.15,
  API: 0.05,
} as const;
export type ReactivationSource = keyof typeof reactivationSources;

/** The likelihood of each permission to read smart meters. */
export const readPermissions = { NO_CONSENT: 0.05, MONTHLY: 0.2, DAILY: 0.35, HALF_HOURLY: 0.4 } as const;

export const languages = { ENGLISH: 0.995, WELSH: 0.005 } as const;

export const documentFormats = ['LARGE_PRINT', 'BRAILLE', 'AUDIO'] as const;

/**
 * Values of notes about accounts, by key. A key is snake_case, of at most 64 characters. Eight random digits replace a `#`.
 */
export const accountNotes = {
  external_account_number: ['LEGACY-#'],
  loyalty_tier: ['bronze', 'silver', 'gold'],
} as const;

/** Values of notes about users, by key. */
export const userNotes = {
  preferred_contact_time: ['morning', 'afternoon', 'evening', 'weekend'],
  smart_install_interest: ['yes', 'no', 'later'],
} as const;
