import { memoized } from 'busbar/base';
import { hash32 } from '../../engine/random.js';
import { type Day, dateOf, dayOf } from '../../engine/time.js';

/** Prices of a fuel: of a kilowatt-hour and of a day, in hundredths of a penny. */
export interface Price {
  readonly unit: number;
  readonly standing: number;
}

/** Number of a quarter: it grows by one. */
export type Quarter = number;

export function quarterOf(date: Day): Quarter {
  const { year, month } = dateOf(date);
  return year * 4 + Math.floor((month - 1) / 3);
}

export function firstDayOf(quarter: Quarter): Day {
  return dayOf(Math.floor(quarter / 4), (quarter % 4) * 3 + 1, 1);
}

/**
 * Returns the price cap of a quarter, with 5 % VAT, for direct debit and the average region. Quarters before the table have
 * 72 % of its first row. Each quarter after it differs from the same quarter a year before by at most 4 %.
 */
export const capOf = memoized((quarter: Quarter): Readonly<Record<'electricity' | 'gas', Price>> => {
  const [unit, standing, gasUnit, gasStanding] = rowOf(quarter);
  return { electricity: { unit, standing }, gas: { unit: gasUnit, standing: gasStanding } };
});

type Row = readonly [unit: number, standing: number, gasUnit: number, gasStanding: number];

function rowOf(quarter: Quarter): Row {
  const listed = published[Math.max(0, quarter - firstQuarter)];
  if (listed === undefined) {
    return rowOf(quarter - 4).map((value, nth) =>
      perMille(value, 960 + (hash32('cap', quarter, nth) % 81)),
    ) as unknown as Row;
  }
  return quarter < firstQuarter ? (listed.map((value) => perMille(value, 720)) as unknown as Row) : listed;
}

function perMille(value: number, factor: number): number {
  return Math.round((value * factor) / 1000);
}

/** The second quarter of 2022. */
const firstQuarter = 2022 * 4 + 1;

/** Ofgem's price cap by quarter, in hundredths of a penny with VAT. Two caps of 2022 were valid for half a year. */
const published: readonly Row[] = [
  [2834, 4534, 737, 2722],
  [2834, 4534, 737, 2722],
  [3404, 4636, 1033, 2849],
  [3404, 4636, 1033, 2849],
  [3321, 5297, 1031, 2911],
  [3011, 5297, 751, 2911],
  [2735, 5337, 689, 2962],
  [2862, 5335, 742, 2960],
  [2450, 6010, 604, 3143],
  [2236, 6012, 548, 3141],
  [2450, 6099, 624, 3166],
  [2486, 6097, 634, 3165],
  [2703, 5380, 699, 3267],
  [2573, 5137, 633, 2982],
  [2635, 5368, 629, 3403],
  [2769, 5475, 593, 3509],
  [2467, 5721, 574, 2909],
  [2611, 5719, 733, 2904],
];

/** Factors of a region, per mille of the average: electricity, gas, and wholesale prices of half-hourly products. */
interface Regional {
  readonly standing: number;
  readonly unit: number;
  readonly gas: number;
  readonly wholesale: number;
}

export function regional(letter: string): Regional {
  const [standing, unit, gas, wholesale] = regions[letter as keyof typeof regions];
  return { standing, unit, gas, wholesale };
}

const regions = {
  A: [930, 1005, 990, 2120],
  B: [1000, 990, 1005, 2040],
  C: [850, 1015, 1020, 2210],
  D: [1300, 1050, 985, 2330],
  E: [990, 1000, 1000, 2160],
  F: [1100, 985, 975, 2070],
  G: [950, 1000, 995, 2180],
  H: [830, 995, 1010, 2250],
  J: [860, 1010, 1015, 2290],
  K: [1120, 1010, 1000, 2010],
  L: [1020, 1010, 1025, 2390],
  M: [1080, 960, 980, 2100],
  N: [1050, 980, 985, 2140],
  P: [1100, 990, 1015, 2360],
} as const;
