/** Root causes of disputes about the reading at a change of supplier. The specification lists no codes. */
export const rootCauses = {
  ESTIMATED_READ: 0.5,
  TRANSPOSED_DIGITS: 0.2,
  LATE_READ: 0.15,
  IMPERIAL_METRIC: 0.1,
  WRONG_METER: 0.05,
} as const;

/** `R1` actual versus estimated reading, `R2` customer's photograph, `R3` pattern of use. */
export const disputeCriteria = { R1: 0.5, R2: 0.35, R3: 0.15 } as const;

/** Status and response codes of each stage of a dispute. The code is empty before the first response. */
export const disputeResponses = {
  started: { status: 'OPEN', codes: [''] },
  queried: { status: 'QUERIED', codes: ['R01', 'R02'] },
  alternative_proposed: { status: 'ALTERNATIVE_PROPOSED', codes: ['R01', 'R02'] },
  accepted: { status: 'AGREED', codes: ['A01', 'A02'] },
} as const;
export type DisputeStage = keyof typeof disputeResponses;

/** Comments that fit any root cause. */
export const disputeComments = [
  'The customer sent a photograph of the register.',
  'The reading fits neither the history nor the season.',
  '',
] as const;

export const rootCauseComments = {
  ESTIMATED_READ: 'The reading was estimated by the agent.',
  TRANSPOSED_DIGITS: 'The digits appear to be transposed.',
  LATE_READ: 'The reading was taken days after the transfer.',
  IMPERIAL_METRIC: 'The unit of the register was mistaken.',
  WRONG_METER: 'The two meters of the building may have been swapped.',
} as const satisfies Record<keyof typeof rootCauses, string>;

/** Categories and subcategories of data quality issues. */
export const readingIssues = {
  CONSUMPTION: ['NEGATIVE_ADVANCE', 'HIGH_READ', 'ZERO_ADVANCE'],
  READS: ['MISSING_READS', 'OUT_OF_SEQUENCE'],
  METER_DETAILS: ['SERIAL_MISMATCH', 'WRONG_DIGITS'],
} as const;
export type ReadingIssue = keyof typeof readingIssues;

/** Types of readings by the meter that gives them. */
export const readingTypes = {
  electricity: { INTERVAL: 0.5, ACCUMULATION: 0.48, PEAK: 0.02 },
  smartGas: { INTERVAL: 0.5, ACCUMULATION: 0.5 },
  plainGas: { ACCUMULATION: 1 },
} as const;

/** Sources of a cancelled issue. */
export const issueSources = { AUTOMATIC: 0.7, SUPPORT_USER: 0.3 } as const;
