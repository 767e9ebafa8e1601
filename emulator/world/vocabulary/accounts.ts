/** States of an account, as the platform publishes them. */
export const accountStatuses = [
  'PENDING',
  'INCOMPLETE',
  'ACTIVE',
  'DORMANT',
  'WITHDRAWN',
  'ENROLMENT_ERROR',
  'ENROLMENT_REJECTED',
  'VOID',
] as const;
export type AccountStatus = (typeof accountStatuses)[number];

/** What a closed account was before it came back. */
export const statusesBeforeReactivation = { DORMANT: 0.7, WITHDRAWN: 0.3 } as const;

export const reactivationSources = {
  SUPPORT_SITE: 0.4,
  HOUSE_MOVE: 0.25,
  ERRONEOUS_TRANSFER: 0.15,
  NEW_ENROLMENT: 0.15,
  API: 0.05,
} as const;
export type ReactivationSource = keyof typeof reactivationSources;

/** How often a smart meter may be read, from least to most. */
export const readPermissions = ['NO_CONSENT', 'MONTHLY', 'DAILY', 'HALF_HOURLY'] as const;
export type ReadPermission = (typeof readPermissions)[number];

/** Who caused a change. */
export const actorTypes = {
  ACCOUNT_USER: 0.6,
  SUPPORT_USER: 0.25,
  SYSTEM: 0.1,
  DATA_IMPORT: 0.04,
  ORGANISATION: 0.01,
} as const;
export type ActorType = keyof typeof actorTypes;

export const languages = { ENGLISH: 0.995, WELSH: 0.005 } as const;

export const documentFormats = ['LARGE_PRINT', 'BRAILLE', 'AUDIO'] as const;

/** Keys and values that people attach to accounts, users and occupancies. A key is snake_case of at most 64 characters. */
export const metadata = {
  preferred_contact_time: ['morning', 'afternoon', 'evening', 'weekend'],
  loyalty_tier: ['bronze', 'silver', 'gold'],
  external_account_number: ['LEGACY-000417', 'LEGACY-000982', 'LEGACY-001203'],
  smart_install_interest: ['yes', 'no', 'later'],
  forwarding_address_provided: ['true', 'false'],
} as const;
export type MetadataKey = keyof typeof metadata;

/** What a signature stands for: the identity is the number of a user or of an account. */
export const signingIdentityTypes = { ACCOUNT_USER: 0.8, ACCOUNT: 0.2 } as const;

export const consentTypes = {
  TERMS_AND_CONDITIONS: 0.4,
  MARKETING_EMAIL: 0.3,
  SMART_METER_DATA: 0.25,
  THIRD_PARTY_SHARING: 0.05,
} as const;

/** Answers to the question for a consent, as the platform publishes them. */
export const consentValues = { ACCEPTED: 0.8, REJECTED: 0.15, PENDING: 0.03, UNKNOWN: 0.02 } as const;

/** Fixed pairs of name and slug. */
export const campaigns = [
  { name: 'Winter Saver 2026', slug: 'winter-saver-2026' },
  { name: 'Refer a Neighbour', slug: 'refer-a-neighbour' },
  { name: 'Smart Meter Spring', slug: 'smart-meter-spring' },
  { name: 'Greener Nights', slug: 'greener-nights' },
] as const;
