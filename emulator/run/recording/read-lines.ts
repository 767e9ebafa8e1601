import { type FileHandle, open } from 'node:fs/promises';
import { BusbarError, quoted, unreadable } from 'busbar/base';

/** A line of a file, without its line feed. */
export interface Line {
  /** Line number, from 1. */
  readonly number: number;
  readonly bytes: Buffer;
  /** Bytes of the file up to the end of the line, line feed included. */
  readonly end: number;
  /** Whether the line ends in a line feed. A last line without one was interrupted. */
  readonly isWhole: boolean;
}

const chunkSize = 64 * 1024;

/** Maximum bytes of a line, more than any event has. */
const maxLine = 64 * 1024 * 1024;

/**
 * Yields the lines of a file, which may be larger than memory.
 * @throws BusbarError `invalid-option`, or `invalid-recording` for a line beyond 64 MiB.
 */
export async function* readLines(path: string): AsyncGenerator<Line, void, void> {
  const file = await reading(path, () => open(path, 'r'));
  try {
    yield* linesOf(file, path);
  } finally {
    await file.close();
  }
}

async function* linesOf(file: FileHandle, path: string): AsyncGenerator<Line, void, void> {
  let parts: Buffer[] = [];
  let length = 0;
  let number = 1;
  let end = 0;
  for (;;) {
    const { bytesRead, buffer } = await reading(path, () => file.read(Buffer.allocUnsafe(chunkSize)));
    if (bytesRead === 0) break;
    let rest = buffer.subarray(0, bytesRead);
    for (let at = rest.indexOf(lineFeed); at !== -1; at = rest.indexOf(lineFeed)) {
      const last = rest.subarray(0, at);
      const bytes = parts.length === 0 ? last : Buffer.concat([...parts, last]);
      end += bytes.length + 1;
      yield { number, bytes, end, isWhole: true };
      number++;
      parts = [];
      length = 0;
      rest = rest.subarray(at + 1);
    }
    if (rest.length === 0) continue;
    length += rest.length;
    if (length > maxLine) {
      const message = `Line ${number} of ${quoted(path)} is longer than ${maxLine} bytes. Name a recording.`;
      throw new BusbarError('invalid-recording', message);
    }
    parts.push(rest);
  }
  if (parts.length === 0) return;
  const bytes = Buffer.concat(parts);
  yield { number, bytes, end: end + bytes.length, isWhole: false };
}

const lineFeed = 0x0a;

async function reading<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unreadable(path, error, 'Check path and permissions.');
  }
}
