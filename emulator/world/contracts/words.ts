/** Published type of each contract journey. */
export const contractJourneys = {
  creation: 'CONTRACT_CREATION',
  termination: 'CONTRACT_TERMINATION',
  variation: 'CONTRACT_VARIATION',
} as const;

export const contractGroupTypes = {
  MULTI_SITE: { weight: 0.6, name: 'Several sites, one bill' },
  PORTFOLIO: { weight: 0.4, name: 'Portfolio of sites' },
} as const;

/** Traits of a contract group, with their data. */
export const traits = {
  BILLING_CONSOLIDATION: { frequency: 'MONTHLY' },
  DISCOUNT: { percent: 5 },
} as const;
export type TraitType = keyof typeof traits;

/** Days before its expiry on which a customer gets a notice. */
export const expiryNotices = [60, 49, 30, 7] as const;

/** Terms of contracts in months. */
export const contractTerms = { 12: 0.7, 24: 0.3 } as const;
