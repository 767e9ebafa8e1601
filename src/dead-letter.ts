import type {
  ConsumerRecord,
  DeadLetterCause,
  DeadLetterError,
  RecordHeaders,
} from './transports/transport.js';

/** What the headers of a dead letter tell: why, for whom, and where the record came from. */
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

/** Every header that a dead letter has beside those of the record begins so. */
export const deadLetterPrefix = 'busbar-dead-letter-';

/** No header of ours is longer, so that a record that fits into its topic fits with them into one 16 KiB wider. */
const longestHeader = 1_000;
const longestStack = 4_000;

/** The headers of a dead letter: the record's own, then ours. Those of an earlier time give way. */
export function deadLetterHeaders(
  record: ConsumerRecord,
  cause: DeadLetterCause,
  group: string | undefined,
): [name: string, value: Uint8Array][] {
  const { error } = cause;
  const note: Record<string, string | number | undefined> = {
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
    // As JSON: the lane of records without one is no text.
    lane: cause.lane === undefined ? undefined : JSON.stringify(cause.lane),
    error: error?.class,
    ...Object.fromEntries(errorFields.map((field) => [`error-${field}`, error?.[field]])),
  };
  const ours = Object.entries(note)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, Uint8Array] => [
      deadLetterPrefix + name,
      cut(String(value), name === 'error-stack' ? longestStack : longestHeader),
    ]);
  return [...originalHeaders(record.headers), ...ours];
}

/** Reads what {@link deadLetterHeaders} wrote; nothing when the record is no dead letter. */
export function readDeadLetter(headers: RecordHeaders): DeadLetterNote | undefined {
  const text = (name: string) => {
    const value = headers.get(deadLetterPrefix + name);
    return value === undefined ? undefined : Buffer.from(value).toString();
  };
  const count = (name: string) => {
    const digits = text(name);
    return digits !== undefined && /^-?\d{1,16}$/.test(digits) ? Number(digits) : undefined;
  };
  const [code, topic, partition, offset] = [text('code'), text('topic'), count('partition'), count('offset')];
  if (code === undefined || topic === undefined || partition === undefined || offset === undefined)
    return undefined;
  const [event, handler, group] = [text('event'), text('handler'), text('group')];
  const lane = laneOf(text('lane'));
  const error = errorOf(text);
  return {
    code,
    message: text('message') ?? '',
    attempts: count('attempts') ?? 0,
    origin: { topic, partition, offset, timestamp: count('timestamp') ?? -1 },
    ...(event === undefined ? {} : { event }),
    ...(handler === undefined ? {} : { handler }),
    ...(group === undefined ? {} : { group }),
    ...(lane === undefined ? {} : { lane }),
    ...(error === undefined ? {} : { error }),
  };
}

const errorFields = ['cause', 'code', 'at', 'message', 'stack'] as const satisfies (keyof DeadLetterError)[];

function errorOf(text: (name: string) => string | undefined): DeadLetterError | undefined {
  const name = text('error');
  if (name === undefined) return undefined;
  const fields = errorFields.map((field) => [field, text(`error-${field}`)] as const);
  return { class: name, ...Object.fromEntries(fields.filter(([, value]) => value !== undefined)) };
}

/** The headers that the record had before it was set aside, in their order. */
export function originalHeaders(headers: RecordHeaders): [name: string, value: Uint8Array][] {
  return Array.from(headers, ([name, value]): [string, Uint8Array] => [name, value]).filter(
    ([name]) => !name.startsWith(deadLetterPrefix),
  );
}

/** One that was too long for its header is not known. */
function laneOf(json: string | undefined): string | null | undefined {
  if (json === undefined) return undefined;
  try {
    const lane: unknown = JSON.parse(json);
    return typeof lane === 'string' || lane === null ? lane : undefined;
  } catch {
    return undefined;
  }
}

/** Cuts between characters. */
function cut(text: string, longest: number): Uint8Array {
  const bytes = Buffer.from(text);
  if (bytes.length <= longest) return bytes;
  let end = longest;
  // 0b10xxxxxx goes on with a character that began before.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end);
}
