import { funnels } from './sales.js';

/** Supply at half-hourly prices, for whoever works from home on a larger scale. */
export const energyFunnel = 'BUSINESS_ENERGY';

/** What homes are sold beside energy. */
export const goodsFunnels = { ...funnels, [energyFunnel]: 0 } as const;

/** How far a lead gets before it becomes an opportunity, in this order. */
export const leadStages = ['NEW', 'CONTACTED', 'QUALIFIED'] as const;

/** Where somebody who asks for a quote came from. */
export const quoteSources = ['search', 'newsletter', 'recommendation', 'shop_window'] as const;
