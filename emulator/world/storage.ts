import { formatDay, type Day } from '../engine/time.js';
import type { Cell } from './cell.js';

/** Returns the storage key of a new file: `calls/2026/11/20/<uuid>.wav`. */
export function storageKey(cell: Cell, kind: string, on: Day, extension: string): string {
  return `${kind}/${formatDay(on).replaceAll('-', '/')}/${cell.ids.uuid(kind)}.${extension}`;
}
