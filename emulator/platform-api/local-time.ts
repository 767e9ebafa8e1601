import { london } from '../engine/calendar.js';
import { day, hour, type Instant } from '../engine/time.js';

/** The code for a string that isn't a datetime, or a local time that the change to summer time skips. */
type Unreadable = 'invalid_datetime' | 'nonexistent_local_time';

const form =
  /^(\d{4}-\d\d-\d\d)T((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)(Z|[ +-](?:0\d|1[0-4]):?[0-5]\d)?$/;

/**
 * Reads an ISO 8601 datetime. Without a timezone it is local time in London (specification, formats), and of a repeated
 * local time in autumn the first. A space before the offset is an unescaped plus sign of a query.
 */
export function readDatetime(text: string): Instant | Unreadable {
  const [, date = '', time = '', zone] = form.exec(text) ?? [];
  const asUtc = Date.parse(`${date}T${time}Z`);
  // Date.parse moves a day that its month lacks to the next month.
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
