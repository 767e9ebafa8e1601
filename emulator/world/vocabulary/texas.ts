/** Network operators in Texas, with the prefixes and the length of their ESI IDs. */
export const texasUtilities = {
  ONCOR: { weight: 0.45, prefixes: ['1044372', '1017699'], digits: 17 },
  CENTERPOINT: { weight: 0.35, prefixes: ['1008901'], digits: 22 },
  AEP_TEXAS_CENTRAL: { weight: 0.1, prefixes: ['1003278'], digits: 17 },
  AEP_TEXAS_NORTH: { weight: 0.05, prefixes: ['1020404'], digits: 17 },
  TNMP: { weight: 0.05, prefixes: ['1040051'], digits: 17 },
} as const;
export type TexasUtility = keyof typeof texasUtilities;
