import type { RandomStream } from '../engine/random.js';
import { dateOf } from '../engine/time.js';
import type { Supply } from './cell.js';

/** Draws the cost of the supply's energy in pence, by days, season and household. */
export function energyCost({ supplyPoint, from, to }: Supply, random: RandomStream): number {
  const { month } = dateOf(to - 1);
  const perDay = supplyPoint.market === 'GBR_GAS' ? gasPerDay : electricityPerDay;
  return Math.round((to - from) * (perDay[month - 1] as number) * random.spread(0.5, 2));
}

/** Pence per day of an average home, January to December: both total about 90 pounds a month in summer, 210 in winter. */
const electricityPerDay = [300, 290, 270, 250, 230, 220, 220, 220, 230, 250, 270, 290];
const gasPerDay = [410, 390, 320, 220, 130, 80, 70, 70, 100, 210, 320, 390];
