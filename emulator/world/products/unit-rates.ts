import { london } from '../../engine/calendar.js';
import { hash32, randomStream } from '../../engine/random.js';
import { dateOf, type Day, dayOf, hour, type Instant, minute, weekday } from '../../engine/time.js';

/** A kind of change of a unit rate over time. */
export type PriceKind = 'half-hourly' | 'daily' | 'two-rate' | 'quarterly' | 'fixed';

/** An electricity tariff: a product in a region. */
export interface Tariff {
  readonly seed: number;
  readonly product: string;
  readonly price: PriceKind;
  readonly region: string;
  /** The start of its first price. */
  readonly from: Instant;
  readonly isExport: boolean;
  readonly isBusiness: boolean;
}

/** The consecutive periods of a price; their indexes grow with time, without gaps. */
export interface Periods {
  readonly indexAt: (at: Instant) => number;
  readonly begin: (index: number) => Instant;
  /** Returns the index of the last period with a published price at a virtual instant. */
  readonly published: (now: Instant) => number;
}

/** Returns the periods of a kind of price: half-hours, days, nights and days, or quarters, in London time. */
export function periodsOf(price: PriceKind): Periods {
  switch (price) {
    case 'half-hourly':
      return {
        indexAt: (at) => Math.floor(at / halfHour),
        begin: (index) => index * halfHour,
        // The day of prices runs from 23:00 to 23:00.
        published: (now) => Math.floor(london.instantOf(publishedDay(now), 23 * hour) / halfHour) - 1,
      };
    case 'daily':
      return {
        indexAt: (at) => london.dayAt(at),
        begin: (date) => london.instantOf(date),
        published: publishedDay,
      };
    case 'two-rate':
      return {
        indexAt(at) {
          const date = london.dayAt(at);
          if (at < nightBegins(date)) return 2 * date - 1;
          return at < nightEnds(date) ? 2 * date : 2 * date + 1;
        },
        begin: (index) => (index % 2 === 0 ? nightBegins(index / 2) : nightEnds((index - 1) / 2)),
        published: (now) => 2 * publishedDay(now) + 1,
      };
    case 'quarterly':
    case 'fixed': {
      const indexAt = (at: Instant) => {
        const { year, month } = dateOf(london.dayAt(at));
        return year * 4 + Math.floor((month - 1) / 3);
      };
      const begin = (index: number) => london.instantOf(dayOf(Math.floor(index / 4), (index % 4) * 3 + 1, 1));
      return { indexAt, begin, published: indexAt };
    }
  }
}

/** Returns pence per kilowatt-hour in a period, without VAT, to the hundredth. Depends only on its arguments. */
export function priceOf(tariff: Tariff, index: number): number {
  const { seed, product, price, region } = tariff;
  const chance = (...name: (string | number)[]) => hash32(seed, 'price', product, ...name) / 2 ** 32;
  const regional = 1 + (region.charCodeAt(0) - 71) / 150;
  switch (price) {
    case 'half-hourly':
      return halfHourPrice(tariff, index);
    case 'daily':
      return hundredths(regional * (9 + 9 * wholesaleOfDay(seed, index).level * (0.9 + chance(index) / 5)));
    case 'two-rate':
      return hundredths(regional * (index % 2 === 0 ? 8.1 : 26.4));
    case 'quarterly':
      return hundredths(regional * (23 + 4.5 * chance(index)));
    case 'fixed':
      return hundredths(regional * (tariff.isExport ? 12 : 22 + 4 * chance('fixed')));
  }
}

/** Adds VAT: 5 % for households, 20 % for businesses, none for exported energy, which the platform does not sell. */
export function withVat(value: number, { isBusiness, isExport }: Tariff): number {
  const rate = isExport ? 1 : isBusiness ? 1.2 : 1.05;
  return Math.round(value * rate * 10_000) / 10_000;
}

const halfHour = 30 * minute;

/** Returns min(coefficient x wholesale + peak, cap), the published formula; the peak is 16:00 to 19:00. */
function halfHourPrice({ seed, region, isExport }: Tariff, index: number): number {
  const at = index * halfHour;
  const date = london.dayAt(at);
  const timeOfDay = at - london.instantOf(date);
  const coefficient = 2.1 + (region.charCodeAt(0) - 65) / 75;
  const wholesale = wholesaleAt(seed, date, timeOfDay, index);
  if (isExport) return hundredths(Math.min(100, 0.95 * wholesale * 1.9 + 2));
  const isPeak = timeOfDay >= 16 * hour && timeOfDay < 19 * hour;
  return hundredths(Math.min(95, coefficient * wholesale + (isPeak ? 12 : 0)));
}

/** Returns pence per kilowatt-hour on the market, the same for all regions and products. */
function wholesaleAt(seed: number, date: Day, timeOfDay: number, index: number): number {
  const { level, windy, sunny } = wholesaleOfDay(seed, date);
  const ofDay = Math.min(23, Math.floor(timeOfDay / hour));
  const noise = hash32(seed, 'wholesale', index) / 2 ** 32;
  if (windy && ofDay < 7) return -0.2 - 2.5 * noise;
  if (sunny && ofDay >= 10 && ofDay < 16) return -0.1 - 1.5 * noise;
  return (wholesaleByHour[ofDay] as number) * level * (0.9 + 0.2 * noise);
}

/** Returns the market of a day. Windy nights and sunny weekends have negative prices; winter is dearer than summer. */
function wholesaleOfDay(seed: number, date: Day) {
  const random = randomStream(seed, 'wholesale day', date);
  const { month } = dateOf(date);
  return {
    level: random.spread(0.7, 1.4) * (month <= 2 || month >= 11 ? 1.15 : 0.97),
    windy: random.chance(0.055),
    sunny: random.chance(0.3) && month >= 4 && month <= 8 && weekday(date) % 6 === 0,
  };
}

const wholesaleByHour = [
  5.2, 5, 4.6, 4.4, 4.4, 4.8, 6, 7.4, 7.6, 6.8, 6, 5.6, 5.4, 5.2, 5.4, 6.4, 9, 10.4, 10, 8.6, 7.6, 6.8, 6.2,
  5.6,
];

/** Returns the last day with published prices: the next day from 16:05 to 16:40, on one day in a hundred from 20:00. */
function publishedDay(now: Instant): Day {
  const today = london.dayAt(now);
  const random = randomStream('publication', today);
  const timeOfDay = random.chance(0.01) ? 20 * hour : 16 * hour + random.integer(5, 40) * minute;
  return now >= london.instantOf(today, timeOfDay) ? today + 1 : today;
}

const nightBegins = (date: Day) => london.instantOf(date, 30 * minute);
const nightEnds = (date: Day) => london.instantOf(date, 5 * hour + 30 * minute);

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
