/** Markets of supply points in Great Britain, as the platform publishes them. */
export const markets = { GBR_ELECTRICITY: 0.55, GBR_GAS: 0.45 } as const;
export type Market = keyof typeof markets;

/** What is sold besides energy has a market of its own. */
export const quotedMarkets = { GBR_ELECTRICITY: 0.6, GBR_GAS: 0.25, SIMPLE_SERVICES: 0.15 } as const;

export const fuels = { DUAL_FUEL: 0.55, ELECTRICITY: 0.35, GAS: 0.1 } as const;
export type Fuel = keyof typeof fuels;

/** States of a process, as the platform publishes them, with the moves that we let it make. */
export const processMoves = [
  { from: 'PENDING', to: 'IN_PROGRESS', weight: 0.45 },
  { from: 'IN_PROGRESS', to: 'COMPLETED', weight: 0.4 },
  { from: 'IN_PROGRESS', to: 'CANCELLED', weight: 0.06 },
  { from: 'IN_PROGRESS', to: 'STALLED', weight: 0.03 },
  { from: 'IN_PROGRESS', to: 'ERRORED', weight: 0.01 },
  { from: 'STALLED', to: 'IN_PROGRESS', weight: 0.03 },
  { from: 'COMPLETED', to: 'REVERSED', weight: 0.02 },
] as const;
export type ProcessStatus = (typeof processMoves)[number]['from' | 'to'];

/** Why an account comes on supply. */
export const joinSubtypes = {
  CHANGE_OF_SUPPLIER: 0.8,
  MOVE_IN: 0.12,
  DATA_IMPORT: 0.06,
  NEW_CONNECTION: 0.02,
} as const;
export type JoinSubtype = keyof typeof joinSubtypes;

/** The journey of a supply point follows from the subtype of the process. */
export const activationJourneys = {
  CHANGE_OF_SUPPLIER: 'CHANGE_OF_SUPPLY',
  MOVE_IN: 'CHANGE_OF_TENANCY',
  DATA_IMPORT: 'INTERNAL_TRANSFER',
  NEW_CONNECTION: 'NEW_CONNECTION',
} as const satisfies Record<JoinSubtype, string>;
export type ActivationJourney = (typeof activationJourneys)[JoinSubtype];

/** Why an account leaves; a change of supplier is the passive one. */
export const leaveSubtypes = {
  CHANGE_OF_SUPPLIER: 0.6,
  MOVE_OUT: 0.35,
  DEMIGRATION: 0.03,
  DEBT_DISCONNECTION: 0.02,
} as const;
export type LeaveSubtype = keyof typeof leaveSubtypes;

export const triggerActions = { ENROLMENT: 0.8, HOUSE_MOVE: 0.15, PRODUCT_SWITCH: 0.05 } as const;

export const paymentMethods = { DIRECT_DEBIT: 0.8, NON_DIRECT_DEBIT: 0.12, PREPAYMENT: 0.08 } as const;

/** Energised or not. */
export const energisationStatuses = { E: 0.6, D: 0.4 } as const;

/** What feeds energy back. */
export const exportTechnologies = {
  SOLAR: 0.9,
  SOLAR_AND_STORAGE: 0.06,
  WIND: 0.02,
  HYDRO: 0.01,
  STORAGE: 0.01,
} as const;

/** Kilowatts, as a string with two decimals: `3.68` is what one phase may feed back without asking. */
export const netCapacities = {
  '3.68': 0.6,
  '5.00': 0.2,
  '10.00': 0.1,
  '17.00': 0.05,
  '50.00': 0.05,
} as const;

/** Products for energy that is fed back. */
export const exportProducts = { 'OUTGOING-19-05-13': 0.6, 'OUTGOING-FIX-24-10-26': 0.4 } as const;
