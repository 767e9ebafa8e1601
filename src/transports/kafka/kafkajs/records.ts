import type { IHeaders, KafkaMessage } from 'kafkajs';
import { type HeaderInput, recordHeaders } from '../../record-headers.js';
import type { ConsumerRecord } from '../../transport.js';

/** kafkajs' message as a record. Copies: the message's bytes are views of the whole fetch. */
export function recordOf(topic: string, partition: number, message: KafkaMessage): ConsumerRecord {
  return {
    topic,
    partition,
    offset: Number(message.offset),
    timestamp: Number(message.timestamp),
    key: message.key === null ? null : Buffer.from(message.key),
    value: message.value === null ? null : Buffer.from(message.value),
    headers: recordHeaders(pairsOf(message.headers)),
  };
}

/** Headers as kafkajs writes them: the values of one name stay in order, names stand where they came first. */
export function headersOf(pairs: Iterable<readonly [name: string, value: Uint8Array]>): IHeaders {
  const headers = Object.create(null) as Record<string, Buffer[]>;
  for (const [name, value] of pairs) (headers[name] ??= []).push(Buffer.from(value));
  return headers;
}

function pairsOf(headers: IHeaders | undefined): HeaderInput {
  const pairs: [string, Uint8Array][] = [];
  for (const name in headers) {
    const values = headers[name];
    for (const value of Array.isArray(values) ? values : [values]) {
      // A header without a value arrives as null.
      pairs.push([name, Buffer.from(value ?? '')]);
    }
  }
  return pairs;
}
