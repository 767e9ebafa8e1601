export const funnels = { EV_CHARGER: 0.35, HEAT_PUMP: 0.2, SOLAR: 0.25, BUSINESS_ENERGY: 0.2 } as const;

export const campaigns = [
  { name: 'Winter Saver 2026', slug: 'winter-saver-2026' },
  { name: 'Refer a Neighbour', slug: 'refer-a-neighbour' },
  { name: 'Smart Meter Spring', slug: 'smart-meter-spring' },
  { name: 'Greener Nights', slug: 'greener-nights' },
] as const;
