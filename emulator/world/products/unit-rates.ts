import { london } from '../../engine/calendar.js';
import { randomStream } from '../../engine/random.js';
import { type Day, hour, type Instant, minute } from '../../engine/time.js';
import { firstDayOf, quarterOf } from './caps.js';
import type { Product } from './products.js';
import {
  halfHourRates,
  lastEnd,
  methodsOf,
  type PaymentMethod,
  ratesOn,
  type Tariff,
  vatOf,
} from './rates.js';
import { halfHour } from './wholesale.js';

/** A kind of rate: all rates of a kilowatt-hour, those of one register of two, or the charge for a day. */
export type RateKind = 'unit' | 'day' | 'night' | 'standing';

/** A rate in a period. */
export interface RateRow {
  /** Pence. */
  readonly withoutVat: number;
  readonly withVat: number;
  readonly from: Instant;
  readonly to: Instant;
  readonly method: PaymentMethod | undefined;
}

/** A list whose rows are computed on demand. */
export interface RateRows {
  readonly count: number;
  readonly at: (index: number) => RateRow;
}

/** Returns the rates that overlap the window and are published at `now`, newest first. There are none before the sale. */
export function rateRows(
  { seed, now }: { readonly seed: number; readonly now: Instant },
  tariff: Tariff,
  kind: RateKind,
  {
    from = -Infinity,
    to = Infinity,
  }: { readonly from?: Instant | undefined; readonly to?: Instant | undefined },
): RateRows {
  const { product } = tariff;
  const sale = london.instantOf(product.from);
  const { indexAt, begin, published } = periodsOf(product, kind);
  const first = indexAt(Math.max(from, sale));
  const last = Math.min(published(now), to === Infinity ? Infinity : indexAt(to - 1));
  const methods = methodsOf(product);
  const isBefore = to <= sale || now < sale || from >= begin(last + 1);
  return {
    count: isBefore ? 0 : Math.max(0, last - first + 1) * methods.length,
    at(nth) {
      const index = last - Math.floor(nth / methods.length);
      const method = methods[nth % methods.length];
      const value = valueAt(seed, tariff, { kind, begins: begin(index), index, method });
      return {
        withoutVat: value / 100,
        withVat: (value * (100 + vatOf(product))) / 10_000,
        from: Math.max(sale, begin(index)),
        to: begin(index + 1),
        method,
      };
    },
  };
}

interface RateAt {
  readonly kind: RateKind;
  readonly begins: Instant;
  readonly index: number;
  readonly method: PaymentMethod | undefined;
}

/** Returns hundredths of a penny without VAT. */
function valueAt(seed: number, tariff: Tariff, { kind, begins, index, method }: RateAt): number {
  const date = london.dayAt(begins);
  if (kind !== 'standing' && tariff.product.line.price === 'half-hourly') {
    return halfHourRates(seed, tariff, date)((begins - london.instantOf(date)) / halfHour);
  }
  const rates = ratesOn(seed, tariff, method ?? 'DIRECT_DEBIT', date);
  if (kind === 'standing') return rates.standing;
  const isNight = kind === 'night' || (tariff.product.line.price === 'two-rate' && index % 2 === 0);
  return (isNight ? rates.night : undefined) ?? rates.unit;
}

/** The consecutive periods of a rate; their indexes grow with time, without gaps. */
interface Periods {
  readonly indexAt: (at: Instant) => number;
  readonly begin: (index: number) => Instant;
  /** Returns the index of the last period with a published rate at a virtual instant. */
  readonly published: (now: Instant) => number;
}

/** Returns the periods of a rate: half-hours, days, nights and days, or quarters, in London time; or the only one. */
function periodsOf(product: Product, kind: RateKind): Periods {
  const { price } = product.line;
  switch (kind === 'standing' && price !== 'fixed' ? 'quarterly' : price) {
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
    case 'quarterly': {
      const indexAt = (at: Instant) => quarterOf(london.dayAt(at));
      return { indexAt, begin: (index) => london.instantOf(firstDayOf(index)), published: indexAt };
    }
    case 'fixed':
      return {
        indexAt: () => 0,
        begin: (index) => london.instantOf(index === 0 ? product.from : (lastEnd(product) as Day)),
        published: () => 0,
      };
  }
}

/** Returns the last day with published prices: the next day from 16:05 to 16:40, on one day in a hundred from 20:00. */
function publishedDay(now: Instant): Day {
  const today = london.dayAt(now);
  const random = randomStream('publication', today);
  const timeOfDay = random.chance(0.01) ? 20 * hour : 16 * hour + random.integer(5, 40) * minute;
  return now >= london.instantOf(today, timeOfDay) ? today + 1 : today;
}

const nightBegins = (date: Day) => london.instantOf(date, 30 * minute);
const nightEnds = (date: Day) => london.instantOf(date, 5 * hour + 30 * minute);
