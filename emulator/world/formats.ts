import { london } from '../engine/calendar.js';
import { type Day, formatDay, formatInstant } from '../engine/time.js';
import type { Cell } from './cell.js';

/** Formats local midnight at the start of the day as an instant in UTC: 23:00 of the day before in summer. */
export function localMidnight(date: Day): string {
  return formatInstant(london.instantOf(date));
}

/** Value of a required field for an end that is not known yet. */
export const openEnd = '';

/** Returns the relay id of an object: Base64 of its type and number, so that both ids always agree. */
export function relayId(type: string, id: number): string {
  return Buffer.from(`${type}:${id}`).toString('base64');
}

/** Returns the storage key of a new file: `calls/2026/11/20/<uuid>.wav`. */
export function storageKey(cell: Cell, kind: string, on: Day, extension: string): string {
  return `${kind}/${formatDay(on).replaceAll('-', '/')}/${cell.ids.uuid(kind)}.${extension}`;
}
