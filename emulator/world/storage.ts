import { formatDay } from '../engine/time.js';
import type { Cell } from './cell.js';

/** Buckets of the platform's file storage. */
export const buckets = {
  billing: 'emulator-billing-documents',
  calls: 'emulator-call-recordings',
  attachments: 'emulator-attachments',
  inboundEmail: 'emulator-inbound-email',
  production: 'emulator-production-files',
} as const;

/** Returns the storage key of a new file: `calls/2026/11/20/<uuid>.wav`. */
export function storageKey(cell: Cell, kind: string, extension: string): string {
  return `${kind}/${formatDay(cell.today).replaceAll('-', '/')}/${cell.ids.uuid(kind)}.${extension}`;
}
