import { BusbarError } from '../base/errors.js';

/** An ISO 8601 time with a zone: `2026-03-01T12:00Z`, or with `+01:00`. */
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Returns a time in milliseconds since the epoch.
 * @param others Other values of the option in messages, for example `earliest or `.
 * @throws BusbarError `invalid-option`
 */
export function parseTime(option: string, text: string, others = ''): number {
  const time = instant.test(text) ? Date.parse(text) : Number.NaN;
  const day = text.slice(0, 10);
  // Date.parse takes 31 February for 3 March.
  if (!Number.isNaN(time) && new Date(day).toISOString().startsWith(day)) return time;
  throw new BusbarError(
    'invalid-option',
    `"--${option}" takes ${others}a time with its zone, e.g. 2026-03-01T12:00:00Z or 2026-03-01T12:00+01:00, not ${JSON.stringify(text)}.`,
  );
}
