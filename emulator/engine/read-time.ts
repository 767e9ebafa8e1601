import { BusbarError, quoted, readDuration } from 'busbar/base';
import { formatInstant, type Instant } from './time.js';

/** Completes "must be" or "takes" for an instant. */
export const expectedInstant =
  'an instant with its zone, e.g. 2026-03-02T09:00:00Z, or a date, e.g. 2026-03-02';

/** Reads an instant as {@link readInstant} does. @throws BusbarError `invalid-option`, naming the option */
export function parseInstant(option: string, text: string): Instant {
  const at = readInstant(text);
  if (at !== undefined) return at;
  throw invalidOption(option, expectedInstant, text);
}

/** Returns the instant of an RFC 3339 text, or of a date at midnight UTC. Returns undefined for any other text. */
export function readInstant(text: string): Instant | undefined {
  const [, date = ''] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.exec(text) ?? [];
  const [midnight, at] = [Date.parse(date), Date.parse(text)];
  if (Number.isNaN(midnight) || Number.isNaN(at)) return undefined;
  // `Date` takes 31 February for 3 March.
  return formatInstant(midnight).startsWith(date) ? at : undefined;
}

/** Reads a duration as {@link readDuration} does. @throws BusbarError `invalid-option`, naming the option */
export function parseDuration(option: string, text: string): number {
  const duration = readDuration(text);
  if (duration === undefined) throw invalidOption(option, 'a duration, e.g. 7d, 12h or P7DT12H', text);
  return duration;
}

function invalidOption(option: string, expected: string, text: string): BusbarError {
  return new BusbarError('invalid-option', `Option "${option}" takes ${expected}, not ${quoted(text)}.`);
}
