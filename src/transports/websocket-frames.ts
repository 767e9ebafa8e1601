import { isUtf8 } from 'node:buffer';
import { BusbarError } from '../base/errors.js';
import { isObject } from '../base/options.js';
import type { BatchHead, RecordHead, ServerMessage } from './websocket-protocol.js';

/** A record of the stream. */
export interface StreamRecord {
  readonly key: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch of the wall clock. */
  readonly timestamp: number;
  /** Value; `null` is a tombstone. */
  readonly value: Uint8Array | null;
}

/** The two encoded parts of a record, which are copied into frames. */
export interface EncodedRecord {
  readonly head: Buffer;
  readonly line: Uint8Array;
}

/** A decoded message of the server. A batch contains complete records. */
export type ServerFrame = Exclude<ServerMessage, BatchHead> | ReceivedBatch;

export interface ReceivedBatch {
  readonly type: 'batch';
  readonly first: number;
  readonly records: readonly StreamRecord[];
}

/** Encodes a record once for all clients and frames. */
export function encodeRecord(record: StreamRecord): EncodedRecord {
  const { key, headers, timestamp, value } = record;
  const encoding = value === null ? 'null' : isLine(value) ? undefined : 'base64';
  const head: RecordHead = encoding ? { key, headers, timestamp, encoding } : { key, headers, timestamp };
  return { head: Buffer.from(JSON.stringify(head)), line: lineOf(value, encoding) };
}

/** Encodes a frame of the records `first`, `first + 1`, ..., or of the records `numbers`; at least one. */
export function encodeBatch(
  first: number,
  records: readonly EncodedRecord[],
  numbers?: readonly number[],
): Buffer {
  const listed = numbers === undefined ? '' : `"numbers":[${numbers.join()}],`;
  const begin = Buffer.from(`{"type":"batch","first":${first},${listed}"records":[`);
  // A comma or the closing "]}" after each head, a line feed before each line.
  const size = records.reduce((sum, each) => sum + each.head.length + each.line.length + 2, begin.length + 1);
  const frame = Buffer.allocUnsafeSlow(size);
  let at = begin.copy(frame);
  for (const { head } of records) {
    at += head.copy(frame, at);
    frame[at++] = comma;
  }
  at = frame.write(']}', at - 1, 'latin1') + at - 1;
  for (const { line } of records) {
    frame[at++] = lineFeed;
    frame.set(line, at);
    at += line.length;
  }
  return frame;
}

/** Decodes a message of the server. @throws BusbarError `protocol-violation`. The message quotes no part of a record. */
export function decodeServerFrame(frame: Buffer): ServerFrame {
  const end = frame.indexOf(lineFeed);
  const head = parseObject(end === -1 ? frame : frame.subarray(0, end));
  const { type } = head;
  if (end !== -1 && type !== 'batch') throw violation('lines follow a message that is not a "batch"');
  if (typeof type !== 'string' || !Object.hasOwn(members, type)) {
    throw violation('a message has an unknown "type"');
  }
  for (const [name, min] of Object.entries(members[type as ServerFrame['type']])) {
    const value = head[name];
    if (min === 'text') {
      if (typeof value !== 'string') throw violation(`"${name}" is not a string`);
    } else if (!Number.isSafeInteger(value) || (value as number) < min) {
      throw violation(`"${name}" is not a whole number of at least ${min}`);
    }
  }
  const message = head as unknown as ServerFrame;
  if (message.type === 'gap' && message.count !== message.to - message.from + 1) {
    throw violation('a "gap" does not add up');
  }
  if (message.type !== 'batch') return message;
  return { type: 'batch', first: message.first, records: decodeRecords(head, frame, end) };
}

/** The members of each message: texts, and whole numbers with their minimum. */
const members: Readonly<Record<ServerFrame['type'], Readonly<Record<string, number | 'text'>>>> = {
  welcome: { stream: 'text', next: 1 },
  begin: { first: 1 },
  run: {},
  batch: { first: 1 },
  position: { through: 0 },
  gap: { from: 1, to: 1, count: 1 },
  end: { last: 0 },
  error: { code: 'text', message: 'text' },
};

const lineFeed = 0x0a;
const comma = 0x2c;

type Json = Readonly<Record<string, unknown>>;

function isLine(value: Uint8Array): boolean {
  return !value.includes(lineFeed) && isUtf8(value);
}

function lineOf(value: Uint8Array | null, encoding: RecordHead['encoding']): Uint8Array {
  if (value === null) return new Uint8Array(0);
  if (encoding === undefined) return value;
  return Buffer.from(Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64'));
}

function decodeRecords(head: Json, frame: Buffer, headEnd: number): StreamRecord[] {
  const heads = head['records'] as BatchHead['records'];
  if (!Array.isArray(heads) || heads.length === 0) throw violation('a "batch" has no "records"');
  let begin = headEnd;
  const records = heads.map((record) => {
    if (!isRecordHead(record)) throw violation('a "batch" has an invalid record head');
    if (begin === -1) throw violation('a "batch" has fewer lines than "records"');
    const end = frame.indexOf(lineFeed, begin + 1);
    const line = frame.subarray(begin + 1, end === -1 ? frame.length : end);
    begin = end;
    const { key, headers, timestamp, encoding } = record;
    return { key, headers, timestamp, value: decodeValue(line, encoding) };
  });
  if (begin !== -1) throw violation('a "batch" has more lines than "records"');
  return records;
}

function decodeValue(line: Buffer, encoding: RecordHead['encoding']): Uint8Array | null {
  if (encoding === 'null') {
    if (line.length > 0) throw violation('a record with the encoding "null" has a value');
    return null;
  }
  if (encoding === 'base64') {
    const value = Buffer.from(line.toString('latin1'), 'base64');
    if (value.toString('base64') !== line.toString('latin1')) throw violation('a value is not base64');
    return value;
  }
  // A copy: a view would keep the whole frame in memory as long as the record.
  const value = Buffer.allocUnsafeSlow(line.length);
  line.copy(value);
  return value;
}

function isRecordHead(head: unknown): head is RecordHead {
  if (!isObject(head) || !isObject(head['headers'])) return false;
  const { key, headers, timestamp, encoding } = head;
  if (key !== null && typeof key !== 'string') return false;
  if (encoding !== undefined && encoding !== 'base64' && encoding !== 'null') return false;
  for (const name in headers) if (typeof headers[name] !== 'string') return false;
  return typeof timestamp === 'number';
}

function parseObject(bytes: Buffer): Json {
  let parsed: unknown;
  try {
    parsed = JSON.parse(bytes.toString());
  } catch {
    // The parser's message quotes the text, which may contain personal data.
    throw violation('a message does not begin with a line of JSON');
  }
  if (!isObject(parsed)) throw violation('a message is not a JSON object');
  return parsed;
}

function violation(what: string): BusbarError {
  return new BusbarError('protocol-violation', what);
}
