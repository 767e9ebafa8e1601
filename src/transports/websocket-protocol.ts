/**
 * `busbar.v1`, the WebSocket subprotocol between the emulator and whoever watches or consumes its stream.
 *
 * Every message is a text frame that begins with one line of JSON, its head. All heads but `batch` are the whole
 * message. A batch carries the values of its records after the head, one line each, verbatim: the server encodes a
 * record once for all clients, and the bytes that a client gets are those that a Kafka consumer would get.
 *
 *     {"type":"batch","first":17,"records":[{"key":"A-1B2C3D4E","headers":{"event-type":"account.created", ...}}]}
 *     {"id":"...","event_type":"account.created","version":"v1","occurred_at":"...","payload":{...}}
 *
 * Records are numbered from 1 in the order of the stream. A client says once what it is: `observe` is for looking, a
 * client that is too slow loses records and is told how many by a `gap`; `consume` is for working, records stay with
 * the server until acknowledged, are sent again after a reconnect under the same `consumer` name, and a consumer that
 * falls behind holds the run back. `docs/stream.md` tells the whole story, for a client in any language.
 */
export const subprotocol = 'busbar.v1';

/** The largest message that a server accepts from a client, in bytes. */
export const maxClientMessageBytes = 64 * 1024;

/** The longest name of a consumer, in UTF-16 code units. */
export const maxConsumerNameLength = 200;

export type ClientMessage = SubscribeMessage | AckMessage;

export type SubscribeMessage = ObserveMessage | ConsumeMessage;

export interface ObserveMessage {
  readonly type: 'subscribe';
  readonly mode: 'observe';
  /** Number of the last record seen; default 0, the begin of the stream. */
  readonly after?: number;
  /**
   * The stream that `after` belongs to, as its `welcome` named it. When the server runs another one by now, `after`
   * means nothing there and is left out of account. Without `stream`, `after` is taken to be of the present one.
   */
  readonly stream?: string;
  /** Which records are wanted. Default all. */
  readonly filter?: StreamFilter;
  /** Whether each record comes with what the emulator knows `about` it. Default false. */
  readonly about?: boolean;
}

/** A record is sent when it fits every member; of a list, one of its entries. */
export interface StreamFilter {
  /** Event types or catalogue names; `*` stands for any text: `billing.*`. */
  readonly types?: readonly string[];
  /** First parts of event types: `billing`. */
  readonly domains?: readonly string[];
  /** An account number that the key or the value names. */
  readonly account?: string;
  /** The household or business. */
  readonly cell?: number;
  /** A scenario, `house-move`, or one instance of it, `house-move#1`. */
  readonly process?: string;
  /** A text that the value contains, in capitals or not. */
  readonly text?: string;
  /** Only records to which a fault was done. */
  readonly faults?: true;
}

/** The most entries that a list of a filter may have, and the most UTF-16 code units that a text of it may have. */
export const maxFilterEntries = 100;
export const maxFilterTextLength = 200;

export interface ConsumeMessage {
  readonly type: 'subscribe';
  readonly mode: 'consume';
  /** Who consumes. The server keeps one position per name. */
  readonly consumer: string;
}

/** Every record up to and including `through` is settled. `consume` only. */
export interface AckMessage {
  readonly type: 'ack';
  readonly through: number;
}

export type ServerMessage =
  | WelcomeMessage
  | BeginMessage
  | BatchHead
  | PositionMessage
  | GapMessage
  | EndMessage
  | ErrorMessage;

/** The answer to `subscribe`. */
export interface WelcomeMessage {
  readonly type: 'welcome';
  /** Changes with every start of the server: numbers of another stream mean nothing in this one. */
  readonly stream: string;
  /** Where the stream goes on for this client: the first `batch` or `gap` begins with this number. */
  readonly next: number;
  /** With `about`: number of the first record of the present run. */
  readonly first?: number;
}

/** With `about`: the run was begun again. Records from `first` on are of the new one, and those before it of no more use. */
export interface BeginMessage {
  readonly type: 'begin';
  readonly first: number;
}

export interface BatchHead {
  readonly type: 'batch';
  /** Number of the first record; the others follow without a hole, unless there is a filter. */
  readonly first: number;
  /** With a filter: the number of each record. */
  readonly numbers?: readonly number[];
  /** At least one. */
  readonly records: readonly RecordHead[];
}

/** A record but for its value, which is the line at the same place after the head. */
export interface RecordHead {
  readonly key: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** When it was sent, in milliseconds since the epoch of the wall clock. */
  readonly timestamp: number;
  /** How the value is written, where it is not a line of text: base64, or no value at all (a tombstone). */
  readonly encoding?: 'base64' | 'null';
  /** Where the observer asked for it. */
  readonly about?: RecordAbout;
}

/** What the emulator knows about a record beyond what it sends to consumers. */
export interface RecordAbout {
  readonly type: string;
  readonly version: string;
  /** Virtual instant at which it occurred, in milliseconds since the epoch. */
  readonly at: number;
  /** Virtual instant at which it was sent, where a fault made that another. */
  readonly sentAt?: number;
  /** The household or business that it belongs to; 0 is the platform itself. */
  readonly cell: number;
  /** Scenario and its number in the cell: `house-move#1`. */
  readonly instance: string;
  /** The scenario's name for the step. */
  readonly step: string;
  /** What was done to it on the way, in order. */
  readonly faults: readonly string[];
  /** The outcomes that its instance has drawn, by branch; absent in a replay, which does not know them. */
  readonly branches?: Readonly<Record<string, string>>;
}

/** With a filter: records up to `through` have been looked at, and those that fit were sent. */
export interface PositionMessage {
  readonly type: 'position';
  readonly through: number;
}

/** Records `from` to `to`, inclusive, will not be sent to this client; with a filter, whether they would fit or not. */
export interface GapMessage {
  readonly type: 'gap';
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/**
 * The run is over; `last` is the number of its last record (0 when it had none). Comes after that record was sent; a
 * consumer may still have some to acknowledge.
 */
export interface EndMessage {
  readonly type: 'end';
  readonly last: number;
}

/** The server closes the connection after this. */
export interface ErrorMessage {
  readonly type: 'error';
  readonly code: StreamErrorCode;
  readonly message: string;
}

export type StreamErrorCode =
  | 'bad-message'
  | 'too-large'
  | 'not-subscribed'
  | 'already-subscribed'
  | 'consumer-in-use'
  | 'too-many-consumers';
