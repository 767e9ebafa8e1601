import { DateTime } from 'luxon';
import { formatInstant, type Instant } from '../engine/time.js';

/** The zone of datetimes that carry none (specification, formats). */
export const assumedZone = 'Europe/London';

/** Why a datetime cannot be read: it is none, or its local time is one that spring skips. */
export type Unreadable = 'invalid_datetime' | 'nonexistent_local_time';

/**
 * An ISO 8601 datetime. Without a timezone it is local time in London; of a local time that autumn repeats the first
 * is meant. A space before the offset is the plus sign that somebody did not escape in a query.
 */
export function readDatetime(text: string): Instant | Unreadable {
  const form =
    /^(\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?)(Z|[ +-](0\d|1[0-4]):?[0-5]\d)?$/;
  const [, local, , , , zone] = form.exec(text) ?? [];
  if (local === undefined) return 'invalid_datetime';
  const read = DateTime.fromISO(local + (zone ?? '').replace(' ', '+'), { zone: assumedZone });
  if (!read.isValid) return 'invalid_datetime';
  if (zone !== undefined) return read.toMillis();
  if (read.toFormat("yyyy-MM-dd'T'HH:mm") !== local.slice(0, 16)) return 'nonexistent_local_time';
  const earlier = read.minus({ hours: 1 });
  return (earlier.hour === read.hour ? earlier : read).toMillis();
}

/** As the specification's examples write it, without milliseconds: `2026-03-02T09:00:00Z`. */
export function shortInstant(at: Instant): string {
  return formatInstant(at).replace('.000Z', 'Z');
}
