export const exportTechnologies = {
  SOLAR: 0.9,
  SOLAR_AND_STORAGE: 0.06,
  WIND: 0.02,
  HYDRO: 0.01,
  STORAGE: 0.01,
} as const;

/** Capacities in kilowatts, with two decimals. `3.68` is the limit of one phase without prior consent. */
export const netCapacities = {
  '3.68': 0.6,
  '5.00': 0.2,
  '10.00': 0.1,
  '17.00': 0.05,
  '50.00': 0.05,
} as const;

/** Lines of products for exported energy. */
export const exportLines = { OUTGOING: 0.6, 'OUTGOING-FIX': 0.4 } as const;

/** Network operators in Texas, with the prefixes and the length of their ESI IDs. */
export const texasUtilities = {
  ONCOR: { weight: 0.45, prefixes: ['1044372', '1017699'], digits: 17 },
  CENTERPOINT: { weight: 0.35, prefixes: ['1008901'], digits: 22 },
  AEP_TEXAS_CENTRAL: { weight: 0.1, prefixes: ['1003278'], digits: 17 },
  AEP_TEXAS_NORTH: { weight: 0.05, prefixes: ['1020404'], digits: 17 },
  TNMP: { weight: 0.05, prefixes: ['1040051'], digits: 17 },
} as const;
export type TexasUtility = keyof typeof texasUtilities;
