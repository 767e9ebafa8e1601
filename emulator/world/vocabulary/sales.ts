/** What homes are sold beside energy. */
export const goodsFunnels = { EV_CHARGER: 0.5, HEAT_PUMP: 0.25, SOLAR: 0.25 } as const;

/** Whoever works from home on a larger scale asks for this one, with half-hourly prices. */
export const energyFunnel = 'BUSINESS_ENERGY';

/** How far a lead gets before it becomes an opportunity, in this order. */
export const leadStages = ['NEW', 'CONTACTED', 'QUALIFIED'] as const;

/** Where somebody who asks for a quote came from. */
export const quoteSources = ['search', 'newsletter', 'recommendation', 'shop_window'] as const;
