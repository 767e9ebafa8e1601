/** Formats an instant in UTC, e.g. `2026-03-02 09:00:00.385`. */
export function dateAndTime(at: number): string {
  return new Date(at).toISOString().slice(0, 23).replace('T', ' ');
}

/** Formats a time of day in UTC, e.g. `09:00:00.385`. */
export function time(at: number): string {
  return new Date(at).toISOString().slice(11, 23);
}

/** Formats a time of day of the wall clock, e.g. `09:00:00 UTC`. */
export function wallTime(at: number): string {
  return `${time(at).slice(0, 8)} UTC`;
}

/** Formats a date in UTC, e.g. `Mon 2 Mar 2026`. */
export function day(at: number): string {
  const [weekday, date, month, year] = new Date(at).toUTCString().replace(',', '').split(' ');
  return `${weekday} ${Number(date)} ${month} ${year}`;
}

/** Formats a duration in its largest unit, rounded, e.g. `3 days`. */
export function span(milliseconds: number): string {
  const [second, minute, hour, whole] = [1_000, 60_000, 3_600_000, 86_400_000];
  if (milliseconds < second) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < minute) return `${Number((milliseconds / second).toFixed(1))} s`;
  if (milliseconds < 2 * hour) return `${Math.round(milliseconds / minute)} min`;
  if (milliseconds < 2 * whole) return `${Math.round(milliseconds / hour)} h`;
  return `${Math.round(milliseconds / whole)} days`;
}

/** Formats a count, e.g. `12,345`. */
export function count(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Formats a count of things, e.g. `1 event`, `12 events`. */
export function counted(value: number, one: string, many?: string): string {
  return `${count(value)} ${noun(value, one, many)}`;
}

/** Returns the noun for a count, singular or plural. */
export function noun(value: number, one: string, many = `${one}s`): string {
  return value === 1 ? one : many;
}
