import { funnels } from './sales.js';

/** Funnel for energy at half-hourly prices, for home businesses. */
export const energyFunnel = 'BUSINESS_ENERGY';

/** Funnels for goods, without energy. */
export const goodsFunnels = { ...funnels, [energyFunnel]: 0 } as const;

/** Stages of a lead before it becomes an opportunity, in order. */
export const leadStages = ['NEW', 'CONTACTED', 'QUALIFIED'] as const;

/** Marketing sources of quote requests. */
export const quoteSources = ['search', 'newsletter', 'recommendation', 'shop_window'] as const;
