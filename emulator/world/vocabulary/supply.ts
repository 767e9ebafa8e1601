/** Activation journey of a supply point, by the subtype of the joining process. */
export const activationJourneys = {
  CHANGE_OF_SUPPLIER: 'CHANGE_OF_SUPPLY',
  MOVE_IN: 'CHANGE_OF_TENANCY',
} as const;

/** Energised or not. */
export const energisationStatuses = { E: 0.6, D: 0.4 } as const;

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

export const exportProducts = { 'OUTGOING-19-05-13': 0.6, 'OUTGOING-FIX-24-10-26': 0.4 } as const;
