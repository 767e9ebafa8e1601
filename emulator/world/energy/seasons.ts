import { type Names, names } from '../../engine/random.js';
import { dateOf, type Day, dayOf, yearOf } from '../../engine/time.js';

/** Shares of the months in a year's energy, January to December, and the largest effect of a week's weather, per mille. */
const seasons = {
  electricity: { months: [100, 89, 90, 80, 76, 71, 72, 72, 75, 85, 92, 98], weather: 40 },
  gas: { months: [165, 140, 120, 80, 48, 28, 23, 23, 33, 70, 115, 155], weather: 120 },
  export: { months: [25, 45, 80, 115, 140, 145, 140, 120, 90, 55, 28, 17], weather: 200 },
} as const;

export type Season = keyof typeof seasons;

/**
 * Returns a function: the energy used before a day, in Wh, by a supply that uses `yearly` Wh in an average year. It counts
 * from the year ten years before the first day of the run. The energy of a period is a difference, so periods add up.
 */
export function usedBefore(
  { seed, today }: { readonly seed: number; readonly today: Day },
  season: Season,
  yearly: number,
): (date: Day) => number {
  const { epoch, sums, weather } = sumsOf(seed, yearOf(today) - 10, season);
  return (date) => {
    while (epoch + sums.length <= date) addMonth(sums, epoch, weather, season);
    const sum = sums[Math.max(0, date - epoch)] as number;
    // In two parts, so that no product exceeds 2^53.
    const whole = Math.floor(sum / perYear);
    return yearly * whole + Math.floor((yearly * (sum - whole * perYear)) / perYear);
  };
}

/** Sum of the weights of a year's days, about. */
const perYear = 1_000_000;

interface Sums {
  readonly key: number;
  readonly epoch: Day;
  readonly weather: Names;
  /** Weights before each day from `epoch` on. */
  readonly sums: number[];
}

/** The tables of the worlds in use. */
const tables: Partial<Record<Season, Sums>> = {};

function sumsOf(seed: number, year: number, season: Season): Sums {
  const key = seed * 10_000 + year;
  const known = tables[season];
  if (known?.key === key) return known;
  return (tables[season] = { key, epoch: dayOf(year, 1, 1), weather: names(seed, 'weather'), sums: [0] });
}

/**
 * Adds the days of the month after the last. The weight of a day is interpolated between the middles of months, times the
 * weather of its week.
 */
function addMonth(sums: number[], epoch: Day, weatherOf: Names, season: Season): void {
  const { months, weather } = seasons[season];
  const first = epoch + sums.length - 1;
  const { year, month } = dateOf(first);
  const days = dayOf(year, month + 1, 1) - first;
  const near = (months[month - 1] as number) * 1000;
  let sum = sums.at(-1) as number;
  let week = Number.NaN;
  let factor = 0;
  for (let dayOfMonth = 1; dayOfMonth <= days; dayOfMonth++) {
    const weekOfDay = Math.floor((first + dayOfMonth - 1) / 7);
    if (weekOfDay !== week) {
      week = weekOfDay;
      factor = 1000 - weather + (weatherOf.hash32(week) % (2 * weather + 1));
    }
    const far = (months[(month + (dayOfMonth < 16 ? 10 : 12)) % 12] as number) * 1000;
    const away = Math.min(15, Math.abs(dayOfMonth - 16));
    sum += Math.floor(((near * (30 - away) + far * away) * factor) / (30_000 * days));
    sums.push(sum);
  }
}
