/**
 * Kinds of cells: a household on supply, one that certainly has both fuels, one with gas alone, one with two customers,
 * one with a smart meter, one whose car we charge, a landlord with several homes, one that joined a few weeks ago, one that
 * left two or three months ago (the last two with gas, for disputed readings), one that withdrew before its supply began, one
 * that left or withdrew, one with a monthly bill, one that has missed it, one whose fixed term ends, an unknown occupier, the
 * executors of a customer who died, a business, a household in Texas, or the platform itself, which has no customers.
 */
export const cellKinds = [
  'household',
  'dual-fuel',
  'gas-only',
  'shared',
  'smart',
  'driver',
  'landlord',
  'newcomer',
  'billed',
  'debtor',
  'dormant',
  'withdrawn',
  'closed',
  'fixed-term',
  'occupier',
  'executors',
  'business',
  'texas',
  'platform',
] as const;
export type CellKind = (typeof cellKinds)[number];

/** Kind of a cell in a run: `closed` is `dormant` or `withdrawn` there. */
export type PlayedKind = Exclude<CellKind, 'closed'>;

/** Mix of a population. Every number is per mille; the parts of a choice add up to 1,000. */
export type Mix = typeof defaultMix;

/** Each comment names the calibration targets that the row meets. */
export const defaultMix = {
  /** Kinds of cells. Targets 3, 5, 6, 7, 8 and 15. */
  kinds: {
    household: 805,
    landlord: 15,
    driver: 39,
    'gas-only': 15,
    newcomer: 20,
    dormant: 21,
    withdrawn: 9,
    business: 40,
    texas: 20,
    occupier: 12,
    executors: 4,
  },
  tenure: { owned: 650, private: 190, social: 160 },
  /** Target 1. */
  flat: { owned: 100, private: 420, social: 470 },
  /** Mean 2.36. */
  persons: {
    house: { 1: 250, 2: 345, 3: 170, 4: 150, 5: 60, 6: 25 },
    flat: { 1: 480, 2: 320, 3: 120, 4: 60, 5: 15, 6: 5 },
  },
  /** Targets 2 and 3. */
  fuels: {
    house: { both: 862, electricity: 138 },
    flat: { both: 560, electricity: 440 },
  },
  car: {
    owned: { house: 50, flat: 20 },
    private: { house: 30, flat: 20 },
    social: { house: 20, flat: 10 },
  },
  /** Target 10. */
  twoRegisters: { both: 41, electricity: 315 },
  smartElectricity: { car: 970, plain: 657 },
  /** Target 11. */
  smartGas: { smart: 940, plain: 30 },
  /** Target 12. */
  prepaid: {
    owned: { house: 55, flat: 75 },
    private: { house: 200, flat: 260 },
    social: { house: 330, flat: 400 },
  },
  /** Of those who do not prepay. Target 13. */
  directDebit: { owned: 880, private: 720, social: 670 },
  /** Target 28. */
  taste: {
    car: { fixed: 120, variable: 90, 'half-hourly': 100, ev: 690, tracker: 0 },
    smart: { fixed: 505, variable: 315, 'half-hourly': 115, ev: 0, tracker: 65 },
    plain: { fixed: 560, variable: 440, 'half-hourly': 0, ev: 0, tracker: 0 },
  },
  /** Of houses with electricity. Target 14. */
  export: { car: 150, owned: 60, private: 15, social: 30 },
  /** Target 29. */
  secondBrand: 60,
  /** Of households of two or more. Target 4. */
  secondCustomer: 390,
  /** Of landlords. */
  homes: { 2: 700, 3: 300 },
  /** Households that switch away or move in a year. Targets 9, 34 and 36. */
  leaving: { owned: 125, private: 350, social: 160 },
};
