import { DateTime } from 'luxon';

/** The hour and the day of the week (1 is Monday) that clocks show somewhere. */
export function clock(at: number, zone = 'Europe/London'): { hour: number; weekday: number } {
  const local = DateTime.fromMillis(at, { zone });
  return { hour: local.hour + local.minute / 60, weekday: local.weekday };
}

/** The instant of local midnight in London, as the platform writes it. */
export function midnightOf(date: string): string {
  return DateTime.fromISO(date, { zone: 'Europe/London' }).toUTC().toISO() ?? '';
}
