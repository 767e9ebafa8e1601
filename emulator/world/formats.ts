import { london } from '../engine/calendar.js';
import { type Day, formatInstant } from '../engine/time.js';

/** Formats local midnight at the start of the day as an instant in UTC: 23:00 of the day before in summer. */
export function localMidnight(date: Day): string {
  return formatInstant(london.instantOf(date));
}

/** Value of a required field for an end that is not known yet. */
export const openEnd = '';
