import { defined } from './base/defined.js';
import { headerReader } from './base/header-reader.js';
import type {
  ConsumerRecord,
  DeadLetterCause,
  DeadLetterError,
  RecordHeaders,
} from './transports/transport.js';

/** The headers of a dead letter, decoded: the cause, the group, and the origin of the record. */
export interface DeadLetterNote extends DeadLetterCause {
  readonly group?: string;
  readonly origin: {
    readonly topic: string;
    readonly partition: number;
    readonly offset: number;
    /** The record's own time, in milliseconds since the epoch. */
    readonly timestamp: number;
  };
}

/** Prefix of the headers that a dead letter adds to those of the record. */
export const deadLetterPrefix = 'busbar-dead-letter-';

/** In bytes. Bounds the added headers, so that the dead-letter topic needs to accept only 16 KiB more per record. */
const maxHeader = 1_000;
const maxStack = 4_000;

/** Returns the headers of a dead letter: the record's own, then those of Busbar. Drops those of an earlier dead letter. */
export function deadLetterHeaders(
  record: ConsumerRecord,
  cause: DeadLetterCause,
  group: string | undefined,
): [name: string, value: Uint8Array][] {
  const { error } = cause;
  const added = noteHeaders(deadLetterPrefix, {
    code: cause.code,
    message: cause.message,
    attempts: cause.attempts,
    event: cause.event,
    handler: cause.handler,
    group,
    topic: record.topic,
    partition: record.partition,
    offset: record.offset,
    timestamp: record.timestamp,
    // As JSON: the lane of events without one is null.
    lane: cause.lane === undefined ? undefined : JSON.stringify(cause.lane),
    error: error?.class,
    ...Object.fromEntries(errorFields.map((field) => [`error-${field}`, error?.[field]])),
  }).map(([name, value]): [string, Uint8Array] => [
    name,
    cut(value, name.endsWith('error-stack') ? maxStack : maxHeader),
  ]);
  return [...originalHeaders(record.headers), ...added];
}

/** A dead letter as a producer of kafkajs or Confluent's client sends it. */
export interface DeadLetterMessage {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Record<string, Buffer[]>;
}

/**
 * Returns a dead letter as a message for a topic that `busbar dead-letters` reads. `group` is the consumer group that may
 * replay it.
 * @example
 * const deadLetter = (record, cause) => {
 *   const messages = [deadLetterMessage(record, cause, 'billing')];
 *   return producer.send({ topic: `${record.topic}.dead-letter`, messages });
 * };
 */
export function deadLetterMessage(
  record: ConsumerRecord,
  cause: DeadLetterCause,
  group?: string,
): DeadLetterMessage {
  const headers = Object.create(null) as Record<string, Buffer[]>;
  for (const [name, value] of deadLetterHeaders(record, cause, group))
    (headers[name] ??= []).push(Buffer.from(value));
  return {
    key: record.key && Buffer.from(record.key),
    value: record.value && Buffer.from(record.value),
    headers,
  };
}

/** Reads the headers of {@link deadLetterHeaders}. Returns undefined when the record isn't a dead letter. */
export function readDeadLetter(headers: RecordHeaders): DeadLetterNote | undefined {
  const { text, count } = headerReader(headers, deadLetterPrefix);
  const [code, topic, partition, offset] = [text('code'), text('topic'), count('partition'), count('offset')];
  if (code === undefined || topic === undefined || partition === undefined || offset === undefined)
    return undefined;
  return defined({
    code,
    message: text('message') ?? '',
    attempts: count('attempts') ?? 0,
    origin: { topic, partition, offset, timestamp: count('timestamp') ?? -1 },
    event: text('event'),
    handler: text('handler'),
    group: text('group'),
    lane: laneOf(text('lane')),
    error: errorOf(text),
  });
}

/** Returns a header for each field that has a value. */
export function noteHeaders(
  prefix: string,
  note: Readonly<Record<string, string | number | undefined>>,
): [name: string, value: Uint8Array][] {
  return Object.entries(defined(note)).map(([name, value]) => [prefix + name, Buffer.from(String(value))]);
}

const errorFields = ['cause', 'code', 'at', 'message', 'stack'] as const satisfies (keyof DeadLetterError)[];

function errorOf(text: (name: string) => string | undefined): DeadLetterError | undefined {
  const name = text('error');
  if (name === undefined) return undefined;
  const fields = errorFields.map((field) => [field, text(`error-${field}`)] as const);
  return { class: name, ...defined(Object.fromEntries(fields)) };
}

/** Returns the headers that the record had before it was dead-lettered, in their order. */
export function originalHeaders(headers: RecordHeaders): [name: string, value: Uint8Array][] {
  return [...headers]
    .filter(([name]) => !name.startsWith(deadLetterPrefix))
    .map(([name, value]) => [name, value]);
}

/** Returns undefined for a lane that was cut because it was too long for its header. */
function laneOf(json: string | undefined): string | null | undefined {
  if (json === undefined) return undefined;
  try {
    const lane: unknown = JSON.parse(json);
    return typeof lane === 'string' || lane === null ? lane : undefined;
  } catch {
    return undefined;
  }
}

/** Truncates UTF-8 text between characters. */
function cut(bytes: Uint8Array, max: number): Uint8Array {
  if (bytes.length <= max) return bytes;
  let end = max;
  // 0b10xxxxxx continues a character.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end);
}
