/** Devices whose consumption can be moved, by how common they are. */
export const deviceTypes = {
  ELECTRIC_VEHICLES: 0.7,
  CHARGE_POINTS: 0.2,
  BATTERIES: 0.05,
  HEAT_PUMPS: 0.03,
  THERMOSTATS: 0.01,
  INVERTERS: 0.01,
} as const;

/** Makers that do not exist, with a model each. */
export const deviceModels = { VOLTA: 'Swift 4', NORDBIL: 'Fjord', AMPERA: 'One', KILOWATTS: 'K2' } as const;

/** Batteries of cars, in Wh. */
export const batteries = { 40_000: 0.15, 52_000: 0.2, 62_000: 0.35, 77_000: 0.2, 100_000: 0.1 } as const;

/** Chargers, in W: most homes have one phase. */
export const chargers = { 7_000: 0.35, 7_400: 0.55, 11_000: 0.09, 22_000: 0.01 } as const;

export const fleets = ['fleet-gb-ev-01', 'fleet-gb-ev-02', 'fleet-gb-ev-03', 'fleet-gb-ev-04'] as const;

export const targetTypes = { ABSOLUTE_STATE_OF_CHARGE: 0.9, RELATIVE_STATE_OF_CHARGE: 0.1 } as const;
