/** Ways to sign in without a second factor. */
export const loginMethods = {
  PASSWORD: 0.55,
  MAGIC_LINK: 0.2,
  GOOGLE: 0.1,
  APPLE: 0.1,
  SSO: 0.05,
} as const;

/** Where a second factor comes from. */
export const mfaDevices = { SMS: 0.5, EMAIL: 0.3, TOTP: 0.2 } as const;

/** Why a first step fails. A wrong code of a second factor is a failure of the other step: INVALID_MFA_CODE. */
export const loginFailures = { INVALID_CREDENTIALS: 0.91, ACCOUNT_LOCKED: 0.06, EXPIRED_LINK: 0.03 } as const;

/** What a contact detail is verified by. */
export const verificationTypes = { EMAIL: 0.7, SMS: 0.3 } as const;

/** Brand by what kind of cell the customer lives in. */
export const brands = {
  household: 'EMULATOR_ENERGY',
  'dual-fuel': 'EMULATOR_ENERGY',
  newcomer: 'EMULATOR_ENERGY',
  dormant: 'EMULATOR_ENERGY',
  platform: 'EMULATOR_ENERGY',
  business: 'EMULATOR_BUSINESS',
  texas: 'EMULATOR_TEXAS',
} as const;
