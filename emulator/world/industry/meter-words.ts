/** Mechanisms of gas meters: credit, prepayment or smart. */
export const gasMechanisms = {
  smart: { S2: 0.78, S1: 0.22 },
  credit: { CR: 0.953, MT: 0.025, TH: 0.007, NS: 0.006, U: 0.009 },
  prepaid: { ET: 0.5, PP: 0.37, CM: 0.13 },
} as const;
type Weights = (typeof gasMechanisms)[keyof typeof gasMechanisms];
export type GasMechanism = Weights extends infer W ? (W extends Weights ? keyof W : never) : never;

/** First and last year in which smart meters of each generation were made. */
export const smartGasMeterYears = { S1: [2013, 2018], S2: [2017, 2025] } as const;

/** Types of gas meters, by measuring method. */
export const gasMeterTypes = { U: 0.35, D: 0.3, S: 0.3, L: 0.03, R: 0.01, T: 0.005, Z: 0.005 } as const;

/** `LI` means live. The others mean faulty, capped, clamped or removed meters. */
export const gasMeterStatuses = {
  LI: 0.97,
  FA: 0.005,
  IN: 0.005,
  CU: 0.005,
  CL: 0.003,
  CA: 0.003,
  SP: 0.002,
  RE: 0.003,
  OT: 0.002,
  UN: 0.001,
  NI: 0.001,
} as const;

/** Owners of gas meters, by code. */
export const gasMeterOwners = {
  T: { weight: 0.6, name: 'Transporter' },
  S: { weight: 0.2, name: 'Supplier' },
  C: { weight: 0.2, name: 'Customer' },
} as const;

export interface GasMeterMake {
  /** Prefix of its serial numbers. */
  readonly prefix: string;
  readonly model: string;
  readonly manufacturer: string;
}

/** Makes of gas meters: smart, metric (cubic metres) and imperial (cubic feet). */
export const gasMeterMakes = {
  smart: [{ prefix: 'E6S', model: 'E6', manufacturer: 'LAN' }],
  metric: [
    { prefix: 'G4A', model: 'G4', manufacturer: 'ACT' },
    { prefix: 'G4P', model: 'G4', manufacturer: 'ITR' },
  ],
  imperial: [
    { prefix: 'U6A', model: 'U6', manufacturer: 'SCH' },
    { prefix: 'U16A', model: 'U16', manufacturer: 'SCH' },
  ],
} as const satisfies Record<string, readonly GasMeterMake[]>;

/** Locations of gas meters, by two-digit code. */
export const gasMeterLocations = {
  '01': 'Cellar, on the left',
  '02': 'Under the stairs',
  '03': 'In the hall',
  '04': 'Kitchen, behind the units',
  '06': 'Garage wall',
  '09': 'Cupboard beside the boiler',
  '11': 'Inside the front door',
  '32': 'Box on the outside wall',
  '98': 'Elsewhere, ask the occupier',
} as const;
export type GasMeterLocation = keyof typeof gasMeterLocations;

/** Links between meters: free-standing, primary or secondary. */
export const meterLinkCodes = { F: 0.99, P: 0.006, S: 0.004 } as const;

/** Cohorts for reading and managing gas meters. */
export const cohorts = { SMART: 0.5, A: 0.2, B: 0.15, C: 0.1, LEGACY: 0.05 } as const;

/** Factor from metered to corrected volume at standard pressure and temperature. */
export const standardCorrectionFactor = 1.02264;

export const fitterInstructions = [
  'Ring the bell twice; the gate sticks.',
  'The key to the meter box hangs beside it.',
  'Please keep the side gate closed.',
  'Access only between nine and four.',
  'Turn off at the valve before reading.',
  'Torch needed: there is no light.',
  '',
] as const;
