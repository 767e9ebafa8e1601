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

/** Values of notes about accounts, by key. A key is snake_case, of at most 64 characters. */
export const accountNotes = {
  external_account_number: ['LEGACY-000417', 'LEGACY-000982', 'LEGACY-001203'],
  loyalty_tier: ['bronze', 'silver', 'gold'],
} as const;

/** Values of notes about users, by key. */
export const userNotes = {
  preferred_contact_time: ['morning', 'afternoon', 'evening', 'weekend'],
  smart_install_interest: ['yes', 'no', 'later'],
} as const;

export const campaigns = [
  { name: 'Winter Saver 2026', slug: 'winter-saver-2026' },
  { name: 'Refer a Neighbour', slug: 'refer-a-neighbour' },
  { name: 'Smart Meter Spring', slug: 'smart-meter-spring' },
  { name: 'Greener Nights', slug: 'greener-nights' },
] as const;
