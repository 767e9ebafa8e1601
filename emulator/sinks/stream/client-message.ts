import {
  type ClientMessage,
  maxClientMessageBytes,
  maxConsumerNameLength,
  type StreamErrorCode,
  type StreamFilter,
} from '../../../src/transports/websocket-protocol.js';
import { readFilter } from './filter-message.js';

/** Why a client is turned away: what it is told, and the close code of RFC 6455 (7.4.1) that follows. */
export class Refusal extends Error {
  readonly code: StreamErrorCode;
  readonly closeCode: number;

  constructor(code: StreamErrorCode, message: string, closeCode = 1008) {
    super(message);
    this.code = code;
    this.closeCode = closeCode;
  }
}

/**
 * Reads what a client sent. Strict, so that a typing error in a client shows at once.
 * @throws Refusal
 */
export function decodeClientMessage(data: Buffer, isBinary: boolean): ClientMessage {
  if (isBinary) throw new Refusal('bad-message', 'Send text frames: this one is binary.', 1003);
  if (data.length > maxClientMessageBytes) {
    const message = `A message may have ${maxClientMessageBytes} bytes: this one has ${data.length}.`;
    throw new Refusal('too-large', message, 1009);
  }
  const message = parse(data);
  switch (message['type']) {
    case 'subscribe':
      return subscription(message);
    case 'ack':
      allow(message, 'an "ack"', ['through']);
      return { type: 'ack', through: recordNumber(message, 'through') };
    default:
      throw bad('"type" must be "subscribe" or "ack".');
  }
}

type Json = Readonly<Record<string, unknown>>;

function subscription(message: Json): ClientMessage {
  switch (message['mode']) {
    case 'observe': {
      allow(message, 'a "subscribe" to observe', ['mode', 'after', 'stream', 'filter', 'about']);
      const { stream, about } = message;
      if (stream !== undefined && typeof stream !== 'string') throw bad('"stream" must be a string.');
      if (about !== undefined && typeof about !== 'boolean') throw bad('"about" must be true or false.');
      return {
        type: 'subscribe',
        mode: 'observe',
        ...(message['after'] === undefined ? {} : { after: recordNumber(message, 'after') }),
        ...(stream === undefined ? {} : { stream }),
        ...(message['filter'] === undefined ? {} : { filter: filterIn(message['filter']) }),
        ...(about === undefined ? {} : { about }),
      };
    }
    case 'consume': {
      allow(message, 'a "subscribe" to consume', ['mode', 'consumer']);
      const { consumer } = message;
      if (typeof consumer !== 'string' || consumer === '' || consumer.length > maxConsumerNameLength) {
        throw bad(`"consumer" must be a name of 1 to ${maxConsumerNameLength} characters.`);
      }
      return { type: 'subscribe', mode: 'consume', consumer };
    }
    default:
      throw bad('"mode" must be "observe" or "consume".');
  }
}

function filterIn(value: unknown): StreamFilter {
  try {
    return readFilter(value);
  } catch (error) {
    throw bad((error as Error).message);
  }
}

function parse(data: Buffer): Json {
  let parsed: unknown;
  try {
    parsed = JSON.parse(data.toString());
  } catch {
    throw new Refusal('bad-message', 'A message must be one JSON object: this one is not JSON.', 1007);
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Json;
  throw bad('A message must be one JSON object.');
}

/** Looks at own names only, so `__proto__` is refused like any other name that does not belong there. */
function allow(message: Json, what: string, members: readonly string[]): void {
  const stranger = Object.keys(message).find((name) => name !== 'type' && !members.includes(name));
  if (stranger !== undefined) {
    throw bad(`"${stranger.slice(0, 50)}" does not belong in ${what}; it has ${members.join(', ')}.`);
  }
}

function recordNumber(message: Json, name: string): number {
  const value = message[name];
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw bad(`"${name}" must be a whole number from 0 on.`);
}

function bad(message: string): Refusal {
  return new Refusal('bad-message', message);
}
