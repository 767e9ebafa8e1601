import type { Occurrence } from '../../engine/scenario.js';
import type { Cell } from '../cell.js';
import { occurrence } from '../occurrence.js';

/** Reference of an uploaded file, and key of its events. */
type UploadedFile = string;

/** Publishes the malware scan of a new file. */
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

/** Publishes the processing of a safe file. */
export function processFile(file: UploadedFile, result: 'processed' | 'processing_failed'): Occurrence {
  return occurrence(`external_messaging.uploaded_file.${result}`, file, { v1: { file_reference: file } });
}
