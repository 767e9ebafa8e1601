import { createReadStream } from 'node:fs';
import { BusbarError, gunzipped, gzipProblem, isUtf16, quoted, unreadable } from 'busbar/base';

/** A line of text, without its line feed. */
export interface Line {
  /** Line number, from 1. */
  readonly number: number;
  /** Empty for a line that is too long. The first line has no byte order mark. */
  readonly bytes: Buffer;
  /** Bytes up to the end of the line, line feed included. */
  readonly end: number;
  /** Whether the line ends in a line feed. A last line without one was interrupted. */
  readonly isWhole: boolean;
  /** Whether the line is longer than {@link maxLine}. */
  readonly isTooLong: boolean;
}

/** Maximum bytes of a line, more than any event has. */
export const maxLine = 64 * 1024 * 1024;

/**
 * Yields the lines of a file, which may be larger than memory, and in gzip.
 * @throws BusbarError `invalid-option`, or `invalid-recording` for a line beyond 64 MiB.
 */
export async function* readLines(path: string): AsyncGenerator<Line, void, void> {
  for await (const line of linesIn(chunksOf(path))) {
    if (line.isTooLong) {
      const message = `Line ${line.number} of ${quoted(path)} is longer than ${maxLine} bytes. Name a recording.`;
      throw new BusbarError('invalid-recording', message);
    }
    yield line;
  }
}

/**
 * Splits bytes into lines, and keeps at most one of them in memory. Yields a line as soon as it is too long. Decompresses
 * gzip data.
 * @throws BusbarError `invalid-recording` for broken gzip data, `file-failed` for UTF-16, which shells on Windows write
 */
export async function* linesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line, void, void> {
  let parts: Buffer[] = [];
  let length = 0;
  let number = 1;
  let end = 0;
  for await (const chunk of decompressed(chunks)) {
    for (let rest = chunk; rest.length > 0; ) {
      const at = rest.indexOf(lineFeed);
      const part = at === -1 ? rest : rest.subarray(0, at);
      const wasTooLong = length > maxLine;
      length += part.length;
      const isTooLong = length > maxLine;
      if (!isTooLong) parts.push(part);
      else if (!wasTooLong) {
        parts = [];
        yield { number, bytes: Buffer.alloc(0), end: end + length, isWhole: false, isTooLong };
      }
      if (at === -1) break;
      end += length + 1;
      if (!isTooLong) yield { number, bytes: joined(parts, number), end, isWhole: true, isTooLong };
      number++;
      parts = [];
      length = 0;
      rest = rest.subarray(at + 1);
    }
  }
  if (parts.length > 0) {
    yield { number, bytes: joined(parts, number), end: end + length, isWhole: false, isTooLong: false };
  }
}

async function* decompressed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  try {
    yield* gunzipped(chunks);
  } catch (error) {
    const problem = gzipProblem(error);
    if (problem === undefined) throw error;
    throw new BusbarError('invalid-recording', `The recording ${problem}. Copy it again.`, { cause: error });
  }
}

const lineFeed = 0x0a;

function joined(parts: readonly Buffer[], number: number): Buffer {
  const [first] = parts;
  const bytes = first !== undefined && parts.length === 1 ? first : Buffer.concat(parts);
  const start = number === 1 ? bytes.toString('utf8', 0, 4) : '';
  if (isUtf16(start)) throw new BusbarError('file-failed', 'The input is UTF-16 text. Convert it to UTF-8.');
  return start.startsWith('\uFEFF') ? bytes.subarray(3) : bytes;
}

/** Reads a file, or another source under its name. @throws BusbarError `invalid-option` if it cannot be read */
export async function* chunksOf(
  path: string,
  advice = 'Check path and permissions.',
  source: AsyncIterable<Buffer> = createReadStream(path),
): AsyncGenerator<Buffer, void, void> {
  try {
    yield* source;
  } catch (error) {
    throw unreadable(path, error, advice);
  }
}
