import { london } from '../engine/calendar.js';
import { type Day, formatInstant, type Instant } from '../engine/time.js';

/** Formats local midnight at the start of the day as an instant in UTC: 23:00 of the day before in summer. */
export function localMidnight(date: Day): string {
  return formatInstant(london.instantOf(date));
}

/** Formats an instant without milliseconds, like the specification's examples: `2026-03-02T09:00:00Z`. */
export function shortInstant(at: Instant): string {
  return formatInstant(at).replace('.000Z', 'Z');
}

/** Value of a required field for an end that is not known yet. */
export const openEnd = '';

/** Formats local midnight at the start of the day on which something ends. */
export function endOf(date: Day | undefined): string {
  return date === undefined ? openEnd : localMidnight(date);
}

/** Returns the relay id of an object: Base64 of its type and number, so that both ids always agree. */
export function relayId(type: string, id: number): string {
  return Buffer.from(`${type}:${id}`).toString('base64');
}
