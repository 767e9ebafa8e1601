/** A point of virtual time, in whole milliseconds since the Unix epoch. */
export type Instant = number;

/** A calendar day of the local time zone, as the number of days since 1 January 1970. */
export type Day = number;

/** A length of time. The parts add up; working days are counted by the calendar, after the rest. */
export interface Span {
  readonly milliseconds?: number;
  readonly seconds?: number;
  readonly minutes?: number;
  readonly hours?: number;
  readonly days?: number;
  readonly workingDays?: number;
}

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** The fixed part of a span, in milliseconds: everything but its working days. */
export function milliseconds(span: Span): number {
  return (
    (span.milliseconds ?? 0) +
    (span.seconds ?? 0) * second +
    (span.minutes ?? 0) * minute +
    (span.hours ?? 0) * hour +
    (span.days ?? 0) * day
  );
}

/** RFC 3339 in UTC with milliseconds: `2026-11-20T09:14:07.123Z`. */
export function formatInstant(at: Instant): string {
  // Built from a remembered text of the day: four times as fast as a Date, and a run writes two of these an event.
  const date = Math.floor(at / day);
  const ofDay = at - date * day;
  const seconds = Math.floor(ofDay / second);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const fraction = String(ofDay - seconds * second).padStart(3, '0');
  return `${formatDay(date)}T${digits2[hours]}:${digits2[minutes - hours * 60]}:${digits2[seconds - minutes * 60]}.${fraction}Z`;
}

/** ISO 8601 calendar date: `2026-11-20`. */
export function formatDay(date: Day): string {
  let text = dayTexts.get(date);
  if (text === undefined) dayTexts.set(date, (text = new Date(date * day).toISOString().slice(0, 10)));
  return text;
}

const digits2: readonly string[] = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
/** A run speaks of a few hundred days, and of each very often. */
const dayTexts = new Map<Day, string>();

/** The day of a year, a month (1 to 12) and a day of the month. */
export function dayOf(year: number, month: number, dayOfMonth: number): Day {
  return Date.UTC(year, month - 1, dayOfMonth) / day;
}

/** The year, the month (1 to 12) and the day of the month: the other way round of `dayOf`. */
export function dateOf(date: Day): { year: number; month: number; dayOfMonth: number } {
  const utc = new Date(date * day);
  return { year: utc.getUTCFullYear(), month: utc.getUTCMonth() + 1, dayOfMonth: utc.getUTCDate() };
}

/** 0 is Sunday, 6 is Saturday. */
export function weekday(date: Day): number {
  // 1 January 1970 was a Thursday.
  return (((date + 4) % 7) + 7) % 7;
}

export function yearOf(date: Day): number {
  return new Date(date * day).getUTCFullYear();
}
