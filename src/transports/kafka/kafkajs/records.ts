import type { IHeaders, KafkaMessage } from 'kafkajs';
import type { ConsumerRecord, RecordHeaders } from '../../transport.js';

/** kafkajs' message as a record. Copies nothing: its bytes are views of the whole fetch. */
export function recordOf(topic: string, partition: number, message: KafkaMessage): ConsumerRecord {
  return {
    topic,
    partition,
    offset: Number(message.offset),
    timestamp: Number(message.timestamp),
    key: message.key,
    value: message.value,
    headers: new MessageHeaders(message.headers),
  };
}

/** Headers as kafkajs writes them: the values of one name stay in order, names stand where they came first. */
export function headersOf(pairs: Iterable<readonly [name: string, value: Uint8Array]>): IHeaders {
  const headers = Object.create(null) as Record<string, Buffer[]>;
  for (const [name, value] of pairs) (headers[name] ??= []).push(Buffer.from(value));
  return headers;
}

/** The headers of a message, as kafkajs has decoded them. */
class MessageHeaders implements RecordHeaders {
  readonly #headers: IHeaders | undefined;

  constructor(headers: IHeaders | undefined) {
    this.#headers = headers;
  }

  get(name: string): Uint8Array | undefined {
    const headers = this.#headers;
    if (headers === undefined || !Object.hasOwn(headers, name)) return undefined;
    const values = headers[name];
    return bytesOf(Array.isArray(values) ? values.at(-1) : values);
  }

  *[Symbol.iterator](): Iterator<readonly [name: string, value: Uint8Array]> {
    for (const [name, values] of Object.entries(this.#headers ?? {}))
      for (const value of Array.isArray(values) ? values : [values]) yield [name, bytesOf(value)];
  }
}

/** A header without a value arrives as null. */
function bytesOf(value: Buffer | string | null | undefined): Uint8Array {
  return typeof value === 'object' && value !== null ? value : Buffer.from(value ?? '');
}
