import { london } from '../engine/calendar.js';
import { type Day, formatInstant } from '../engine/time.js';

/** Local midnight at the start of the day, as the platform writes instants: in UTC, so 23:00 the day before in summer. */
export function localMidnight(date: Day): string {
  return formatInstant(london.instantOf(date));
}

/** How the platform writes an end that is not known yet, in fields that it requires. */
export const openEnd = '';
