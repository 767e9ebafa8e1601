import { BusbarError } from '../../../src/base/errors.js';
import { quoted } from '../../../src/base/quoted.js';
import { readHeader, type RecordingHeader } from './format.js';
import { type Line, readLines } from './read-lines.js';

/** A recording whose header has been read. */
export interface Recording {
  readonly path: string;
  readonly header: RecordingHeader;
  /** Bytes of the header's line. */
  readonly headerEnd: number;
  /** The lines after the header. */
  readonly lines: AsyncGenerator<Line, void, void>;
}

/** @throws BusbarError `invalid-recording` for a file that is none, `file-failed` for one that cannot be read. */
export async function openRecording(path: string): Promise<Recording> {
  const lines = readLines(path);
  const first = await lines.next();
  if (first.done === true) {
    throw new BusbarError('invalid-recording', `File ${quoted(path)} is empty: it is no recording.`);
  }
  try {
    const header = readHeader(first.value.bytes.toString());
    return { path, header, headerEnd: first.value.end, lines };
  } catch (error) {
    await lines.return();
    throw brokenLine(path, 1, error as Error, 'Make one with: emulate --record FILE.');
  }
}

/** @param reason Begins with "it" and says what is wrong with the line. */
export function brokenLine(path: string, number: number, reason: Error, hint: string): BusbarError {
  const message = `Line ${number} of ${quoted(path)} is broken: ${reason.message}. ${hint}`;
  return new BusbarError('invalid-recording', message, { cause: reason });
}
