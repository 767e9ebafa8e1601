import { london } from '../engine/calendar.js';
import { day, formatInstant, hour, type Instant } from '../engine/time.js';

/** The zone of datetimes that carry none (specification, formats). */
export const assumedZone = 'Europe/London';

/** Why a datetime cannot be read: it is none, or its local time is one that spring skips. */
export type Unreadable = 'invalid_datetime' | 'nonexistent_local_time';

const form =
  /^(\d{4}-\d\d-\d\d)T((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)(Z|[ +-](?:0\d|1[0-4]):?[0-5]\d)?$/;

/**
 * An ISO 8601 datetime. Without a timezone it is local time in London; of a local time that autumn repeats the first
 * is meant. A space before the offset is the plus sign that somebody did not escape in a query.
 */
export function readDatetime(text: string): Instant | Unreadable {
  const [, date = '', time = '', zone] = form.exec(text) ?? [];
  const asUtc = Date.parse(`${date}T${time}Z`);
  // A day that its month does not have would be one of the next month.
  if (Number.isNaN(asUtc) || new Date(asUtc).toISOString().slice(0, 10) !== date) return 'invalid_datetime';
  if (zone !== undefined) {
    const offset = zone.replace(' ', '+').replace(/(\d\d):?(\d\d)$/, '$1:$2');
    return Date.parse(`${date}T${time}${offset}`);
  }
  const localDay = Math.floor(asUtc / day);
  const timeOfDay = asUtc - localDay * day;
  const at = london.instantOf(localDay, timeOfDay);
  return at === london.instantOf(localDay, timeOfDay + hour) ? 'nonexistent_local_time' : at;
}

/** As the specification's examples write it, without milliseconds: `2026-03-02T09:00:00Z`. */
export function shortInstant(at: Instant): string {
  return formatInstant(at).replace('.000Z', 'Z');
}
