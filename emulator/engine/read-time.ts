import { BusbarError } from '../../src/errors.js';
import { quoted } from '../../src/quoted.js';
import { day, hour, type Instant, minute, second } from './time.js';

/** RFC 3339, or a date, which begins at midnight UTC. */
export function parseInstant(option: string, text: string): Instant {
  const isInstant = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  const at = isInstant ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw wrong(option, 'an instant, as 2026-03-02T09:00:00Z or 2026-03-02', text);
}

/** An ISO 8601 duration of weeks, days, hours, minutes and seconds, in milliseconds. */
export function parseDuration(option: string, text: string): number {
  const parts = /^P(?=.)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text);
  if (parts === null) throw wrong(option, 'an ISO 8601 duration, as P7D or PT12H', text);
  const units = [7 * day, day, hour, minute, second];
  return units.reduce((sum, unit, index) => sum + unit * Number(parts[index + 1] ?? 0), 0);
}

function wrong(option: string, wanted: string, text: string): BusbarError {
  return new BusbarError('invalid-option', `Option "${option}" takes ${wanted}, not ${quoted(text)}.`);
}
