import type { DayPart, OpeningHours } from './calendar.js';
import type { RandomStream } from './random.js';
import { hour } from './time.js';

/** Draws a time within opening hours, in milliseconds after midnight, by the traffic of the hours. */
export function timeWithin(open: OpeningHours, dayPart: DayPart, random: RandomStream): number {
  const table = traffic[dayPart];
  const before = table[0] - 1;
  let total = 0;
  for (let nth = 1; nth < table.length; nth++)
    total += (table[nth] as number) * lengthOpen(open, before + nth);
  let left = random.next() * total;
  for (let nth = 1; nth < table.length; nth++) {
    const weight = table[nth] as number;
    const ofHour = weight * lengthOpen(open, before + nth);
    if (left < ofHour) return Math.max(open[0], (before + nth) * hour) + Math.floor(left / weight);
    left -= ofHour;
  }
  return open[0];
}

/** Returns how long the opening hours cover that hour of the day, in milliseconds. */
function lengthOpen([from, to]: OpeningHours, hourOfDay: number): number {
  return Math.max(0, Math.min(to, (hourOfDay + 1) * hour) - Math.max(from, hourOfDay * hour));
}

const night = [0, 16, 28, 26, 18, 20] as const;
const office = [8, 6, 12, 10, 8, 6, 8, 11, 9, 7, 4] as const;

/** First hour of each day part, then the relative traffic of this hour and those that follow. */
const traffic: Readonly<Record<DayPart, readonly [first: number, ...weights: number[]]>> = {
  'working-day': office,
  office,
  night,
  'month-start-night': night,
  'month-start-working-night': night,
  'working-morning': [6, 20, 35, 30, 15],
  // Networks and market operators send most messages after the batches of the night.
  industry: [6, 24, 22, 18, 8, 5, 4, 3, 3, 3, 3, 3, 2, 1, 1],
  'evening-batch': [20, 40, 30, 20, 10],
  // Peaks before work, at lunch and in the evening.
  waking: [7, 4, 8, 6, 5, 5, 7, 7, 5, 5, 5, 6, 8, 11, 12, 11, 7],
  daytime: [8, 4, 8, 10, 10, 9, 9, 9, 8, 8, 8, 9, 8],
  evening: [17, 36, 46, 11, 5, 2],
};
