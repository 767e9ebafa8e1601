export const funnels = { EV_CHARGER: 0.35, HEAT_PUMP: 0.2, SOLAR: 0.25, BUSINESS_ENERGY: 0.2 } as const;

/** Names of campaigns. The year in which an account joins replaces a `#`. */
export const campaigns = [
  'Winter Saver #',
  'Refer a Neighbour',
  'Smart Meter Spring',
  'Greener Nights',
] as const;
