import {
  boolean,
  choice,
  nested,
  objectionTo,
  type OptionTable,
  text,
  textOf,
  type ValueType,
  whole,
} from 'busbar/base';
import {
  type AckMessage,
  type ClientMessage,
  type ConsumeMessage,
  maxClientMessageBytes,
  maxConsumerNameLength,
  maxFilterEntries,
  maxFilterTextLength,
  type ObserveMessage,
  type StreamErrorCode,
  type StreamFilter,
} from 'busbar/internal/websocket-protocol';

/** The error for a client that violates the protocol, with a close code of RFC 6455 (7.4.1). */
export class Refusal extends Error {
  readonly code: StreamErrorCode;
  readonly closeCode: number;

  constructor(code: StreamErrorCode, message: string, closeCode = 1008) {
    super(message);
    this.code = code;
    this.closeCode = closeCode;
  }
}

const recordNumber = whole({ from: 0 });
const filterText = textOf({ from: 1, to: maxFilterTextLength });
const filterTexts: ValueType = {
  expected: `a list of 1 to ${maxFilterEntries} strings`,
  accepts: (value) => Array.isArray(value) && value.length > 0 && value.length <= maxFilterEntries,
  each: filterText,
};

const filter: OptionTable<StreamFilter> = {
  types: { type: filterTexts },
  domains: { type: filterTexts },
  account: { type: filterText },
  cell: { type: whole({ from: 0 }) },
  process: { type: filterText },
  text: { type: filterText },
  faults: { type: { expected: 'true, or omitted', accepts: (value) => value === true } },
  from: { type: whole({ from: 0 }) },
  to: { type: whole({ from: 0 }) },
};

const type = { type: choice('subscribe', 'ack'), isRequired: true } as const;
const mode = { type: choice('observe', 'consume'), isRequired: true } as const;

const observe: OptionTable<ObserveMessage> = {
  type,
  mode,
  after: { type: recordNumber },
  stream: { type: text },
  filter: { type: nested(filter) },
  about: { type: boolean },
};

const consume: OptionTable<ConsumeMessage> = {
  type,
  mode,
  consumer: { type: textOf({ from: 1, to: maxConsumerNameLength }), isRequired: true },
};

const ack: OptionTable<AckMessage> = { type, through: { type: recordNumber, isRequired: true } };

/**
 * Decodes a message of a client. Refuses unknown members, so that typing errors show at once.
 * @throws Refusal
 */
export function decodeClientMessage(data: Buffer, isBinary: boolean): ClientMessage {
  if (isBinary) throw new Refusal('bad-message', 'The message is binary. Send text frames.', 1003);
  if (data.length > maxClientMessageBytes) {
    const message = `The message has ${data.length} bytes. Send at most ${maxClientMessageBytes}.`;
    throw new Refusal('too-large', message, 1009);
  }
  let message: unknown;
  try {
    message = JSON.parse(data.toString());
  } catch {
    throw new Refusal('bad-message', 'The message is not JSON. Send one JSON object.', 1007);
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    throw new Refusal('bad-message', 'The message is not a JSON object. Send one JSON object.');
  }
  const { type: kind, mode: how } = message as Partial<Record<string, unknown>>;
  const table = kind === 'ack' ? ack : how === 'consume' ? consume : observe;
  const objection = objectionTo(table, message);
  if (objection !== undefined) throw new Refusal('bad-message', `The message is invalid: ${objection}`);
  return message as ClientMessage;
}
