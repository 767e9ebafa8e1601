/** A point of virtual time, in whole milliseconds since the Unix epoch. */
export type Instant = number;

/** A calendar day of the local time zone, as the number of days since 1 January 1970. */
export type Day = number;

/** A length of time: the sum of its parts. The calendar adds the working days first. */
export interface Span {
  readonly milliseconds?: number;
  readonly seconds?: number;
  readonly minutes?: number;
  readonly hours?: number;
  readonly days?: number;
  readonly workingDays?: number;
}

/** The last instant that can be written, because years have four digits. */
export const lastInstant: Instant = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Returns the milliseconds of a span without its working days. */
export function milliseconds(span: Span): number {
  return (
    (span.milliseconds ?? 0) +
    (span.seconds ?? 0) * second +
    (span.minutes ?? 0) * minute +
    (span.hours ?? 0) * hour +
    (span.days ?? 0) * day
  );
}

/** Formats an instant by RFC 3339, in UTC with milliseconds: `2026-11-20T09:14:07.123Z`. */
export function formatInstant(at: Instant): string {
  // Each event names its instant more than once.
  if (at !== lastFormatted.at) {
    lastFormatted.text = instantText(at);
    lastFormatted.at = at;
  }
  return lastFormatted.text;
}

/** Formats a day by ISO 8601: `2026-11-20`. */
export function formatDay(date: Day): string {
  let text = dayTexts.get(date);
  if (text === undefined) dayTexts.set(date, (text = new Date(date * day).toISOString().slice(0, 10)));
  return text;
}

const lastFormatted = { at: Number.NaN, text: '' };

/**
 * Formats an instant in one call: a string that is concatenated from pieces is copied before it is sent, which takes four
 * times as long, and a Date takes longer still.
 */
function instantText(at: Instant): string {
  const date = formatDay(Math.floor(at / day));
  const time = at - Math.floor(at / day) * day;
  const seconds = Math.floor(time / second);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const minuteOfHour = minutes - hours * 60;
  const secondOfMinute = seconds - minutes * 60;
  const fraction = time - seconds * second;
  return String.fromCharCode(
    date.charCodeAt(0),
    date.charCodeAt(1),
    date.charCodeAt(2),
    date.charCodeAt(3),
    date.charCodeAt(4),
    date.charCodeAt(5),
    date.charCodeAt(6),
    date.charCodeAt(7),
    date.charCodeAt(8),
    date.charCodeAt(9),
    0x54,
    digit(hours / 10),
    digit(hours),
    0x3a,
    digit(minuteOfHour / 10),
    digit(minuteOfHour),
    0x3a,
    digit(secondOfMinute / 10),
    digit(secondOfMinute),
    0x2e,
    digit(fraction / 100),
    digit(fraction / 10),
    digit(fraction),
    0x5a,
  );
}

/** Returns the code of the last decimal digit before the point. */
function digit(value: number): number {
  return 0x30 + (Math.floor(value) % 10);
}

/** Texts of days: a run has a few hundred days and formats each very often. */
const dayTexts = new Map<Day, string>();

/** Returns the day of a year, a month (1 to 12, or beyond its year) and a day of the month. */
export function dayOf(year: number, month: number, dayOfMonth: number): Day {
  // Years that begin in March have their leap day last (H. Hinnant, "chrono-compatible low-level date algorithms").
  const months = 12 * year + month - 3;
  const fromMarch = Math.floor(months / 12);
  const leapDays = Math.floor(fromMarch / 4) - Math.floor(fromMarch / 100) + Math.floor(fromMarch / 400);
  const ofMonths = Math.floor((153 * (months - 12 * fromMarch) + 2) / 5);
  return 365 * fromMarch + leapDays + ofMonths + dayOfMonth - 1 - beforeEpoch;
}

/** Days from 1 March of the year 0 to 1 January 1970. */
const beforeEpoch = 719_468;

/** Returns the year, the month (1 to 12) and the day of the month: the inverse of `dayOf`. */
export function dateOf(date: Day): { year: number; month: number; dayOfMonth: number } {
  const sinceMarch0 = date + beforeEpoch;
  const era = Math.floor(sinceMarch0 / 146_097);
  const dayOfEra = sinceMarch0 - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return { year, month, dayOfMonth: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1 };
}

/** Returns the weekday, from 0 for Sunday to 6 for Saturday. */
export function weekday(date: Day): number {
  // 1 January 1970 was a Thursday.
  return (((date + 4) % 7) + 7) % 7;
}

export function yearOf(date: Day): number {
  return dateOf(date).year;
}
