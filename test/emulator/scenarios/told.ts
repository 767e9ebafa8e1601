import { DateTime } from 'luxon';
import type { EventType, PayloadOf, VersionOf } from '../../../catalogue/index.js';
import type { Emission } from '../../../emulator/index.js';

/** An event as it was told: when, in which cell, what. */
export interface Told<T extends EventType, V extends VersionOf<T>> {
  readonly at: number;
  readonly cell: number;
  readonly key: string;
  readonly payload: PayloadOf<T, V>;
}

/** Every event of that type and version, in order. */
export function told<T extends EventType, V extends VersionOf<T>>(
  emissions: readonly Emission[],
  type: T,
  version: V,
): Told<T, V>[] {
  return emissions
    .filter(({ envelope }) => envelope.event_type === type && envelope.version === version)
    .map(({ envelope, at, cell, key }) => ({ at, cell, key, payload: envelope.payload as PayloadOf<T, V> }));
}

/** What happened in each cell: the types of its events in order, versions of one occurrence told once. */
export function sequences(emissions: readonly Emission[]): string[][] {
  const cells = new Map<number, string[]>();
  const seen = new Set<string>();
  for (const { cell, envelope, headers } of emissions) {
    const occurrence = headers['occurrence-id'] ?? '';
    if (seen.has(occurrence)) continue;
    seen.add(occurrence);
    cells.set(cell, [...(cells.get(cell) ?? []), envelope.event_type]);
  }
  return [...cells.values()];
}

/** The emissions of each cell, in order. */
export function byCell(emissions: readonly Emission[]): Emission[][] {
  const cells = new Map<number, Emission[]>();
  for (const emission of emissions) cells.set(emission.cell, [...(cells.get(emission.cell) ?? []), emission]);
  return [...cells.values()];
}

/** The hour and the day of the week (1 is Monday) that clocks show somewhere. */
export function clock(at: number, zone = 'Europe/London'): { hour: number; weekday: number } {
  const local = DateTime.fromMillis(at, { zone });
  return { hour: local.hour + local.minute / 60, weekday: local.weekday };
}

/** The instant of local midnight in London, as the platform writes it. */
export function midnightOf(date: string): string {
  return DateTime.fromISO(date, { zone: 'Europe/London' }).toUTC().toISO() ?? '';
}
