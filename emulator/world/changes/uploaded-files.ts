import type { Occurrence } from '../../engine/scenario.js';
import type { Cell } from '../cell.js';
import { occurrence } from '../occurrence.js';

/** Something that a customer uploaded: its reference, which is the key of its events too. */
export type UploadedFile = string;

/** Looks for malware in a new file. */
export function scanFile(
  cell: Cell,
  verdict: 'safe' | 'unsafe',
): { file: UploadedFile; scanned: Occurrence } {
  const file = cell.ids.uuid('uploaded file');
  const scanned = occurrence(`external_messaging.uploaded_file.${verdict}`, file, {
    v1: { file_reference: file },
  });
  return { file, scanned };
}

/** A safe file has been read, or could not be. */
export function processFile(file: UploadedFile, result: 'processed' | 'processing_failed'): Occurrence {
  return occurrence(`external_messaging.uploaded_file.${result}`, file, { v1: { file_reference: file } });
}
