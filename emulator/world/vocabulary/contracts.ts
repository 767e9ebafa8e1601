/** What is being done with a contract, as the platform publishes it. */
export const contractJourneys = {
  creation: 'CONTRACT_CREATION',
  termination: 'CONTRACT_TERMINATION',
  variation: 'CONTRACT_VARIATION',
} as const;

/** What a contract is about. */
export const subjectTypes = { SUPPLY_POINT: 0.8, ACCOUNT: 0.2 } as const;
export type SubjectType = keyof typeof subjectTypes;

export const contractGroupTypes = {
  PORTFOLIO: { weight: 0.5, name: 'Portfolio of sites' },
  MULTI_SITE: { weight: 0.35, name: 'Several sites, one bill' },
  HOUSEHOLD: { weight: 0.15, name: 'One household' },
} as const;

/** What holds for every contract of a group, with what it says. */
export const traits = {
  BILLING_CONSOLIDATION: { frequency: 'MONTHLY' },
  DISCOUNT: { percent: 5 },
} as const;
export type TraitType = keyof typeof traits;

/** Days before the end at which a customer is told that it is near. */
export const expiryNotices = [60, 49, 30, 7] as const;
