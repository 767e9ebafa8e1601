/** What businesses are put on by contract. */
export const businessProducts = { 'BUS-12M-FIXED-26-04-01': 0.8, 'BUS-FLEX-25-10-01': 0.2 } as const;

/** What a domestic fixed term is. */
export const fixedTermProducts = { 'FIX-12M-26-01-14': 1 } as const;

/** Days that contracts run for. */
export const contractTerms = { 365: 0.7, 730: 0.3 } as const;

/** Days before its end at which a contract's holder is reminded of it. */
export const expiryNotices = [60, 49, 30, 7] as const;

export const groupTypes = { MULTI_SITE: 0.6, PORTFOLIO: 0.4 } as const;

export const groupNames = ['All sites', 'Shops', 'Head office and depots', 'Northern sites'] as const;

/** What members of a group have in common. */
export const traitTypes = { BILLING_CONSOLIDATION: 0.7, DISCOUNT: 0.3 } as const;
