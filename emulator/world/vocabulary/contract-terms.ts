/** What businesses are put on by contract. */
export const businessProducts = { 'BUS-12M-FIXED-26-04-01': 0.8, 'BUS-FLEX-25-10-01': 0.2 } as const;

/** What households are put on by contract. */
export const fixedTermProducts = { 'FIX-12M-26-01-14': 1 } as const;

/** Days that contracts run for. */
export const contractTerms = { 365: 0.7, 730: 0.3 } as const;
