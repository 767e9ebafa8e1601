export const deviceTypes = {
  ELECTRIC_VEHICLES: 0.7,
  CHARGE_POINTS: 0.2,
  BATTERIES: 0.04,
  HEAT_PUMPS: 0.03,
  THERMOSTATS: 0.02,
  INVERTERS: 0.01,
} as const;
export type DeviceType = keyof typeof deviceTypes;

export const deviceModels = [
  { make: 'Halden', model: 'Halden Two', provider: 'HALDEN' },
  { make: 'Voltra', model: 'City 40', provider: 'VOLTRA' },
  { make: 'Ohmsted', model: 'Wallbox 7', provider: 'OHMSTED' },
  { make: 'Kelvin & Rowe', model: 'Hearth 9', provider: 'KELVINROWE' },
] as const;

/** Charging power in watts, on one phase and on three. */
export const chargingPower = { '7000': 0.3, '7200': 0.3, '7400': 0.25, '11000': 0.1, '22000': 0.05 } as const;

/** Usable capacity in watt-hours. */
export const energyCapacities = {
  '40000': 0.15,
  '52000': 0.15,
  '62000': 0.4,
  '77000': 0.2,
  '100000': 0.1,
} as const;

/** Target state of charge in percent, and the cap that protects a battery. */
export const targetSocs = { '80': 0.6, '90': 0.2, '100': 0.2 } as const;
export const cappedSocs = { '80': 0.7, '90': 0.3 } as const;

export const targetTypes = { ABSOLUTE_STATE_OF_CHARGE: 0.9, RELATIVE_STATE_OF_CHARGE: 0.1 } as const;

export const fleets = ['fleet-gb-ev-01', 'fleet-gb-ev-02', 'fleet-gb-ev-03', 'fleet-gb-ev-04'] as const;

/** Local times at which the car must be ready. */
export const readyTimes = { '07:00': 0.5, '06:30': 0.2, '08:00': 0.2, '05:30': 0.1 } as const;
