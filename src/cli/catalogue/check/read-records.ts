import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BusbarError } from '../../../base/errors.js';
import { quoted } from '../../../base/quoted.js';
import { recordHeaders } from '../../../transports/record-headers.js';
import type { ConsumerRecord } from '../../../transports/transport.js';

/** Largest line, and largest file that is a single JSON document, in bytes. */
const maxBytes = 64 * 1024 * 1024;

/** Records of larger chunks outlive the first garbage collections, which takes longer. */
const chunkBytes = 256 * 1024;

/**
 * Reads records in batches from a file of JSON lines, or of one JSON document, which may be a list; either may be in gzip.
 * The offset of a record is its line. The first line decides for all. It is
 * - an object with `value` or `base64`, and `headers` or `key`, for example from a recording of the emulator
 * - an object with `topic`, `partition`, `offset` and `payload`, as `kcat -J` prints it
 * - any other JSON: the value of a record without key and headers.
 * @param file Path, or `-` for standard input.
 * @throws BusbarError `file-failed` with file and line
 */
export async function* readRecords(file: string): AsyncGenerator<readonly ConsumerRecord[], void, void> {
  let line = 0;
  try {
    for await (const records of recordsIn(await opened(file), file)) {
      line = records.at(-1)?.offset ?? line;
      yield records;
    }
  } catch (error) {
    if (error instanceof BusbarError) throw error;
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    if (!code.startsWith('Z_'))
      throw failed(file, `cannot be read: ${code}. Check path and permissions.`, error);
    const problem = code === 'Z_BUF_ERROR' ? 'ends in the middle of' : 'has broken';
    throw failed(file, `${problem} gzip data, after line ${line}. Copy the file again.`, error);
  }
}

/** Returns the name of a file in messages. */
export function nameOf(file: string): string {
  return file === '-' ? 'Standard input' : `File ${quoted(file)}`;
}

/** @throws BusbarError `file-failed` if the record is a line that is not JSON */
export function rejectBroken(file: string, { headers, value, offset }: ConsumerRecord): void {
  if (headers === noHeaders && value !== null && parsed(value) === undefined) throw broken(file, offset);
}

/** Headers of a record that is a line without headers. */
const noHeaders = recordHeaders();
const inputStart = Buffer.from('{"input":');

async function* recordsIn(
  chunks: AsyncIterable<Buffer>,
  file: string,
): AsyncGenerator<readonly ConsumerRecord[], void, void> {
  let form: 'values' | 'records' | 'document' | undefined;
  const document: Buffer[] = [];
  let size = 0;
  let number = 0;
  for await (const lines of linesOf(chunks, file)) {
    const records: ConsumerRecord[] = [];
    for (const line of lines) {
      number++;
      if (form === undefined && !isBlank(line)) {
        const first = parsed(line);
        const isHeader = first !== undefined && Object.hasOwn(first, 'busbar-recording');
        if (first === undefined || Array.isArray(first)) form = 'document';
        else form = isHeader || wrapped(first, number) !== undefined ? 'records' : 'values';
        if (isHeader) continue;
      }
      if (form === 'document') {
        document.push(line);
        size += line.length;
        if (size > maxBytes) throw failed(file, `is one JSON document of more than 64 MiB. ${asLines}`);
      } else if (!isBlank(line)) {
        if (form === 'values') records.push(recordOf(line, number));
        else if (!line.subarray(0, inputStart.length).equals(inputStart))
          records.push(recordIn(line, number, file));
      }
    }
    yield records;
  }
  if (form === 'document') yield documentIn(document, file);
}

const asLines = 'Write one record in a line, for example with: jq -c ".[]".';

function documentIn(lines: readonly Buffer[], file: string): ConsumerRecord[] {
  const text = lines.map((line) => line.toString()).join('\n');
  try {
    const items = [JSON.parse(text)].flat() as unknown[];
    return items.map((item) => wrapped(item, 1) ?? recordOf(bytesOf(item), 1));
  } catch {
    throw broken(file, brokenLineOf(lines));
  }
}

/** Returns the number of the line that ends JSON in vain. The parser's message has it only at times. */
function brokenLineOf(lines: readonly Buffer[]): number {
  let [whole, cut] = [0, lines.length];
  while (cut - whole > 1) {
    const middle = (whole + cut) >> 1;
    if (isBeginning(Buffer.concat(lines.slice(0, middle)).toString())) whole = middle;
    else cut = middle;
  }
  return cut;
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const position = /at position (\d+)/.exec(message)?.[1];
    return message.includes('end of JSON input') || Number(position) === text.length;
  }
}

function recordIn(bytes: Buffer, line: number, file: string): ConsumerRecord {
  const item = parsed(bytes);
  if (item === undefined) throw broken(file, line);
  return wrapped(item, line) ?? recordOf(bytes, line);
}

/** Returns the record of an object with its parts; undefined for any other value. */
function wrapped(item: unknown, line: number): ConsumerRecord | undefined {
  const { topic, partition, offset, headers, key, value, base64, payload } = Object(item) as Readonly<
    Record<string, unknown>
  >;
  const isRecord = (value ?? base64) !== undefined && (headers ?? key) !== undefined;
  const isKcat = ![topic, partition, offset, payload].includes(undefined);
  if (!isRecord && !isKcat) return undefined;
  const sent =
    typeof base64 === 'string' ? Buffer.from(base64, 'base64') : bytesOf(isRecord ? value : payload);
  return {
    ...recordOf(sent, line),
    topic: typeof topic === 'string' ? topic : '',
    key: bytesOf(key),
    headers: recordHeaders(headerPairs(headers)),
  };
}

function headerPairs(headers: unknown): (readonly [string, string])[] {
  if (!Array.isArray(headers)) {
    return Object.entries(Object(headers) as object).map(([name, value]) => [name, String(value)] as const);
  }
  // As `kcat -J` prints them: name, value, name, value.
  return headers.flatMap((name, at) =>
    at % 2 === 0 ? [[String(name), String(headers[at + 1])] as const] : [],
  );
}

function bytesOf(value: unknown): Buffer | null {
  if (value === undefined || value === null) return null;
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}

function recordOf(value: Buffer | null, line: number): ConsumerRecord {
  return { topic: '', partition: 0, offset: line, timestamp: 0, key: null, value, headers: noHeaders };
}

/** Returns the parsed JSON, or undefined for other text. */
function parsed(bytes: Uint8Array): object | undefined {
  try {
    return Object(JSON.parse(Buffer.from(bytes).toString())) as object;
  } catch {
    return undefined;
  }
}

function isBlank(bytes: Buffer): boolean {
  return bytes[0] !== 0x7b && bytes.toString().trim() === '';
}

/** Opens a file or standard input, and decompresses what begins as gzip data. */
async function opened(file: string): Promise<AsyncIterable<Buffer>> {
  const input = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: chunkBytes });
  if (file !== '-') await once(input, 'open');
  const chunks = input[Symbol.asyncIterator]() as AsyncIterableIterator<Buffer>;
  const first = await chunks.next();
  async function* whole(): AsyncGenerator<Buffer, void, void> {
    if (first.done === true) return;
    yield first.value;
    yield* chunks;
  }
  if (first.done === true || first.value[0] !== 0x1f || first.value[1] !== 0x8b) return whole();
  // An error of the input ends the output, too.
  return pipeline(Readable.from(whole()), createGunzip(), () => undefined);
}

/** Splits chunks into lines. Yields the lines that end in each chunk. */
async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  file: string,
): AsyncGenerator<readonly Buffer[], void, void> {
  let rest: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      const last = chunk.subarray(start, end);
      lines.push(rest.length === 0 ? last : Buffer.concat([...rest, last]));
      rest = [];
      size = 0;
      start = end + 1;
    }
    rest.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > maxBytes) throw failed(file, `has a line of more than 64 MiB. ${asLines}`);
    yield lines;
  }
  yield [Buffer.concat(rest)];
}

const lineFeed = 0x0a;

function broken(file: string, line: number): BusbarError {
  return failed(file, `is not JSON in line ${line}. Correct the line, or remove it.`);
}

function failed(file: string, problem: string, cause?: unknown): BusbarError {
  return new BusbarError('file-failed', `${nameOf(file)} ${problem}`, { cause });
}
