import { Buffer, isAscii, isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { brokenLine } from '../../../../catalogue/sources/broken-line.js';
import { isUtf16, withoutByteOrderMark } from '../../../base/byte-order-mark.js';
import { BusbarError, quoted, unreadable } from '../../../base/errors.js';
import { gunzipped, gzipProblem } from '../../../base/gunzipped.js';
import { isObject } from '../../../base/options.js';
import type { TextRecord } from '../../../envelope/json.js';
import { recordHeaders } from '../../../transports/record-headers.js';
import type { ConsumerRecord } from '../../../transports/transport.js';

/** Largest line, and largest file that is a single JSON document, in bytes. */
const maxBytes = 64 * 1024 * 1024;

/** V8 gives a string of 128 KiB or more memory of its own, which takes longer. */
const chunkBytes = 120 * 1024;

/** Each read wakes a thread, so few long reads take less time than many short ones. */
const readBytes = 8 * chunkBytes;

/**
 * Reads records in batches from a file of JSON lines, or of one JSON document; either may have lists, and
 * may be in gzip.
 * The offset of a record is its line, or 0 in a document. The first line decides for all. It is
 * - a list of records
 * - an object with `value` or `base64`, and `headers` or `key`, for example from a recording of the emulator
 * - an object with `topic`, `partition`, `offset` and `payload`, as `kcat -J` prints it
 * - messages of SQS or SNS, with one of the above as text
 * - text with tabs before an object, as `kafka-console-consumer` prints it with headers or keys
 * - any other JSON, or text of another format: the value of a record without key and headers.
 *
 * A line that is not JSON decides nothing.
 * @param file Path, or `-` for standard input.
 * @throws BusbarError `invalid-option` if the file cannot be read; `file-failed` with file and line
 */
export async function* readRecords(file: string): AsyncGenerator<readonly ConsumerRecord[], void, void> {
  let line = 0;
  try {
    for await (const records of recordsIn(gunzipped(file === '-' ? process.stdin : bytesIn(file)), file)) {
      line = records.at(-1)?.offset ?? line;
      yield records;
    }
  } catch (error) {
    if (error instanceof BusbarError) throw error;
    const problem = gzipProblem(error);
    if (problem === undefined) throw unreadable(file, error, 'Check path and permissions.');
    throw failed(file, `${problem}, after line ${line}. Copy the file again.`, error);
  }
}

/** Returns the name of a file in messages. */
export function nameOf(file: string): string {
  return file === '-' ? 'Standard input' : `File ${quoted(file)}`;
}

/** Whether the value of the record is JSON. */
export function hasJson({ value }: ConsumerRecord): boolean {
  return value !== null && parsed(value) !== undefined;
}

/** Headers of a record that is a line without headers. */
const noHeaders = recordHeaders();
const inputStart = '{"input":';

/** A line: its text, or its bytes if they are not UTF-8. */
type Line = string | Buffer;

/** A record that is a line of text. */
class LineRecord implements TextRecord {
  readonly topic = '';
  readonly partition = 0;
  readonly offset: number;
  readonly timestamp = 0;
  readonly key = null;
  readonly headers = noHeaders;
  readonly text: string;

  constructor(text: string, offset: number) {
    this.text = text;
    this.offset = offset;
  }

  get value(): Buffer {
    return Buffer.from(this.text);
  }
}

async function* recordsIn(
  chunks: AsyncIterable<Buffer>,
  file: string,
): AsyncGenerator<readonly ConsumerRecord[], void, void> {
  let form: 'values' | 'records' | 'document' | 'text' | undefined;
  const document: Line[] = [];
  let size = 0;
  let number = 0;
  for await (const lines of linesOf(chunks, file)) {
    const records: ConsumerRecord[] = [];
    for (const read of lines) {
      number++;
      const line = number === 1 ? withoutMark(read, file) : read;
      if ((form ?? 'text') === 'text' && !isBlank(line)) {
        const first = parsed(line);
        const isHeader = first !== undefined && Object.hasOwn(first, 'busbar-recording');
        if (isHeader || hasRecords(first, line)) form = 'records';
        else if (first !== undefined) form = 'values';
        else form ??= /^\s*[[{]/.test(line.toString()) ? 'document' : 'text';
        if (isHeader) continue;
      }
      if (form === 'document') {
        document.push(line);
        size += Buffer.byteLength(line);
        if (size > maxBytes) throw failed(file, `is one JSON document of more than 64 MiB. ${asLines}`);
      } else if (!isBlank(line)) {
        if (form !== 'records') records.push(recordOf(line, number));
        else if (typeof line !== 'string' || !line.startsWith(inputStart))
          for (const each of recordsOn(line, number)) records.push(each);
      }
    }
    yield records;
  }
  if (form === 'document') yield documentIn(document, file);
}

/** Returns the first line without its byte order mark. @throws BusbarError `file-failed` if it is UTF-16 */
function withoutMark(line: Line, file: string): Line {
  if (isUtf16(line.toString())) throw failed(file, 'is UTF-16 text. Convert it to UTF-8.');
  return typeof line === 'string' ? withoutByteOrderMark(line) : line;
}

const asLines = 'Write one record in a line, for example with: jq -c .';

function documentIn(lines: readonly Line[], file: string): ConsumerRecord[] {
  const text = lines.join('\n');
  try {
    return itemsIn(JSON.parse(text), 0);
  } catch {
    const line = brokenLine(text);
    if (parsed(lines.slice(0, line - 1).join('\n')) === undefined)
      throw failed(file, `is not JSON in line ${line}. Correct the line, or remove it.`);
    throw failed(file, `has another JSON document in line ${line}. ${asLines}`);
  }
}

/** Whether a line has records with more parts than a value, or several. `item` is its JSON. */
function hasRecords(item: unknown, line: Line): boolean {
  if (item === undefined) return printed(line, 0) !== undefined;
  return wrapped(item, 0) !== undefined || messagesIn(item).next().value !== item;
}

/** Returns the records of a list, or the one of any other value. */
function itemsIn(value: unknown, line: number): ConsumerRecord[] {
  return Array.from(messagesIn(value), (item) => wrapped(item, line) ?? recordOf(bytesOf(item), line));
}

/** Yields the items of lists, and the events in messages of SQS and SNS, which Lambda gets as `Records`. */
function* messagesIn(item: unknown): Generator<unknown, void, void> {
  const about = Object(item) as Readonly<Record<string, unknown>>;
  const list = Array.isArray(item) ? (item as unknown[]) : (about['Messages'] ?? about['Records']);
  const isQueued = (about['ReceiptHandle'] ?? about['receiptHandle']) !== undefined;
  const text = isQueued ? (about['Body'] ?? about['body']) : about['TopicArn'] && about['Message'];
  const sent = about['Sns'] ?? (typeof text === 'string' ? parsed(text) : undefined);
  if (Array.isArray(list)) for (const each of list) yield* messagesIn(each);
  else if (sent === undefined) yield item;
  else yield* messagesIn(sent);
}

function recordsOn(text: Line, line: number): ConsumerRecord[] {
  const item = parsed(text);
  return item === undefined ? [printed(text, line) ?? recordOf(text, line)] : itemsIn(item, line);
}

/** A line of `kafka-console-consumer`: time, partition, offset, headers and key are optional. */
const printedParts =
  /^(?:(?:\w+Time:-?\d+|NO_TIMESTAMP)\t)?(?:Partition:\d+\t)?(?:Offset:\d+\t)?(?:(NO_HEADERS|[^\t:,]+:[^\t]*)\t)?(?:([^\t]*)\t)?(?<=\t)(\{.*|null)$/s;

function printed(line: Line, offset: number): ConsumerRecord | undefined {
  const [, headers, key, value] = printedParts.exec(line.toString().trimEnd()) ?? [];
  if (value === undefined) return undefined;
  const pairs = headers === undefined || headers === 'NO_HEADERS' ? [] : headers.split(/,(?=[^:,]+:)/);
  const named = pairs.map((pair) => /^([^:]*):(.*)$/s.exec(pair)?.slice(1) as [string, string]);
  return {
    ...recordOf(value === 'null' ? null : Buffer.from(value), offset),
    key: bytesOf(key),
    headers: recordHeaders(named),
  };
}

/** Returns the record of an object with its parts; undefined for any other value. */
function wrapped(item: unknown, line: number): ConsumerRecord | undefined {
  const { topic, partition, offset, headers, key, value, base64, payload } = Object(item) as Readonly<
    Record<string, unknown>
  >;
  // A tombstone has the value null.
  const isRecord =
    (value !== undefined || base64 !== undefined) && (headers !== undefined || key !== undefined);
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
  // As `kcat -J` prints them: name, value, name, value. Others write objects.
  return headers.flatMap((part: unknown, at) => {
    if (isObject(part)) return [[String(part['key'] ?? part['name']), String(part['value'])] as const];
    return at % 2 === 0 ? [[String(part), String(headers[at + 1])] as const] : [];
  });
}

function bytesOf(value: unknown): Buffer | null {
  if (value === undefined || value === null) return null;
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}

function recordOf(value: Line | null, line: number): ConsumerRecord {
  if (typeof value === 'string') return new LineRecord(value, line);
  return { topic: '', partition: 0, offset: line, timestamp: 0, key: null, value, headers: noHeaders };
}

/** Returns the parsed JSON, or undefined for other text. */
function parsed(text: string | Uint8Array): object | undefined {
  try {
    return Object(JSON.parse(typeof text === 'string' ? text : Buffer.from(text).toString())) as object;
  } catch {
    return undefined;
  }
}

function isBlank(line: Line): boolean {
  return line[0] !== '{' && line.toString().trim() === '';
}

/** Reads a file into the same memory again and again. New memory for each chunk costs a tenth of the time. */
async function* bytesIn(path: string): AsyncGenerator<Buffer, void, void> {
  const file = await open(path);
  try {
    const memory = Buffer.allocUnsafeSlow(readBytes);
    for (;;) {
      const { bytesRead } = await file.read(memory, 0, readBytes, null);
      if (bytesRead === 0) return;
      for (let at = 0; at < bytesRead; at += chunkBytes) {
        yield memory.subarray(at, Math.min(at + chunkBytes, bytesRead));
      }
    }
  } finally {
    await file.close();
  }
}

/** Splits chunks into lines. Yields the lines that end in each chunk. */
async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  file: string,
): AsyncGenerator<readonly Line[], void, void> {
  let rest: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const first = chunk.indexOf(lineFeed);
    const last = chunk.lastIndexOf(lineFeed);
    let lines: readonly Line[] = [];
    if (first !== -1) {
      const begun = Buffer.concat([...rest, chunk.subarray(0, first)]);
      lines = [lineOf(begun), ...(first < last ? linesIn(chunk.subarray(first + 1, last)) : [])];
      rest = [];
      size = 0;
    }
    rest.push(Buffer.from(chunk.subarray(last + 1)));
    size += chunk.length - last - 1;
    if (size > maxBytes) throw failed(file, `has a line of more than 64 MiB. ${asLines}`);
    yield lines;
  }
  yield [lineOf(Buffer.concat(rest))];
}

/** Decodes many lines at once, and parts of one text are parsed sooner than texts of their own. */
function linesIn(bytes: Buffer): readonly Line[] {
  const text = lineOf(bytes);
  if (typeof text === 'string') return text.split('\n');
  // The bytes as characters, one each.
  return bytes
    .toString('latin1')
    .split('\n')
    .map((line) => lineOf(Buffer.from(line, 'latin1')));
}

function lineOf(bytes: Buffer): Line {
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? bytes.toString() : Buffer.from(bytes);
}

const lineFeed = 0x0a;

function failed(file: string, problem: string, cause?: unknown): BusbarError {
  return new BusbarError('file-failed', `${nameOf(file)} ${problem}`, { cause });
}
