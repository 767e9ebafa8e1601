/** Published type of each contract journey. */
export const contractJourneys = {
  creation: 'CONTRACT_CREATION',
  termination: 'CONTRACT_TERMINATION',
  variation: 'CONTRACT_VARIATION',
} as const;

export const contractGroupTypes = {
  PORTFOLIO: { weight: 0.5, name: 'Portfolio of sites' },
  MULTI_SITE: { weight: 0.35, name: 'Several sites, one bill' },
  HOUSEHOLD: { weight: 0.15, name: 'One household' },
} as const;

/** Traits of a contract group, with their data. */
export const traits = {
  BILLING_CONSOLIDATION: { frequency: 'MONTHLY' },
  DISCOUNT: { percent: 5 },
} as const;
export type TraitType = keyof typeof traits;

/** Days before its expiry on which a customer gets a notice. */
export const expiryNotices = [60, 49, 30, 7] as const;

export const businessProducts = { 'BUS-12M-FIXED-26-04-01': 0.8, 'BUS-FLEX-25-10-01': 0.2 } as const;

/** Products of household contracts. */
export const fixedTermProducts = { 'FIX-12M-26-01-14': 1 } as const;

/** Terms of contracts in days. */
export const contractTerms = { 365: 0.7, 730: 0.3 } as const;
