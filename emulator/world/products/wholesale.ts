import { london } from '../../engine/calendar.js';
import { hash32 } from '../../engine/random.js';
import { type Day, dateOf, minute, weekday } from '../../engine/time.js';

export const halfHour = 30 * minute;

/** Wholesale prices of a day, in hundredths of a penny per kilowatt-hour. */
interface Wholesale {
  /** Of its 46, 48 or 50 half-hours. */
  readonly prices: readonly number[];
  readonly mean: number;
}

export function wholesaleOn(seed: number, date: Day): Wholesale {
  if (known.seed !== seed || known.days.size > maxKnown) known = { seed, days: new Map() };
  let wholesale = known.days.get(date);
  if (wholesale === undefined) {
    const prices = computePrices(seed, date);
    const mean = Math.round(prices.reduce((sum, price) => sum + price, 0) / prices.length);
    known.days.set(date, (wholesale = { prices, mean }));
  }
  return wholesale;
}

let known = { seed: 0, days: new Map<Day, Wholesale>() };
const maxKnown = 4_000;

/** The level of a day, times demand by the hour, less what wind and sun supply. */
function computePrices(seed: number, date: Day): number[] {
  const level = levelOf(seed, date);
  // What wind and sun supply at 0, 6, 12, 18 and 24 o'clock.
  const supplies = [0, 1, 2, 3, 4].map((nth) => supplyAt(seed, date + Math.floor(nth / 4), nth % 4));
  const begins = london.instantOf(date);
  const count = (london.instantOf(date + 1) - begins) / halfHour;
  return Array.from({ length: count }, (_, nth) => {
    const time = ((nth * 24) / count) * 2;
    const demand = between(demands, time / 2);
    const supply = between(supplies, time / 12);
    return Math.round((level * (demand - supply)) / 1000);
  });
}

/** Returns the value at a position in a list, linear between neighbours. */
function between(values: readonly number[], at: number): number {
  const below = Math.floor(at);
  const low = values[below] as number;
  return low + ((values[below + 1] as number) - low) * (at - below);
}

/** Returns hundredths of a penny: a weighted mean of the last seven days' hashes, dearer in winter. */
function levelOf(seed: number, date: Day): number {
  let sum = 0;
  for (let ago = 0; ago < 7; ago++) sum += (7 - ago) * (hash32(seed, 'market', date - ago) >>> 16);
  const { month } = dateOf(date);
  const season = month <= 2 || month >= 11 ? 1_120 : 960;
  return Math.round((season * (410 + Math.floor((800 * sum) / (28 * 0xffff)))) / 1000);
}

/** Returns what wind and sun supply at a quarter of a day, per mille of mean demand. */
function supplyAt(seed: number, date: Day, nth: number): number {
  const wind = hash32(seed, 'wind', date, nth) >>> 16;
  const isStorm = wind > (nth === 0 ? 0xac00 : 0xf800);
  const isSunny = nth === 2 && isWeekend(date) && isSummer(date) && hash32(seed, 'sun', date) % 2 === 0;
  return Math.floor((wind * 400) / 0xffff) - 200 + (isStorm ? 800 : 0) + (isSunny ? 1_100 : 0);
}

const isWeekend = (date: Day) => weekday(date) % 6 === 0;
const isSummer = (date: Day) => Math.abs(dateOf(date).month - 6) <= 2;

/** Demand at each hour of the day, per mille of the mean. */
const demands = [
  800, 760, 720, 700, 700, 760, 900, 1080, 1130, 1050, 960, 910, 890, 870, 900, 1010, 1280, 1480, 1480, 1330,
  1180, 1060, 960, 870, 800,
];
