/**
 * The WebSocket subprotocol between the emulator and its clients. `docs/reference/stream.md` describes it for clients in any
 * language.
 *
 * Every message is a text frame that begins with a head, one line of JSON. Only a `batch` continues after its head: with
 * the values of its records, one line each, verbatim. So the server encodes a record once for all clients, and they get
 * the bytes that a Kafka consumer would get.
 */
export const subprotocol = 'busbar.v1';

/** The largest message that a server accepts from a client, in bytes. */
export const maxClientMessageBytes = 64 * 1024;

/** The longest name of a consumer, in UTF-16 code units. */
export const maxConsumerNameLength = 200;

/** Maximum entries of a list in a filter, and maximum UTF-16 code units of a string in a filter. */
export const maxFilterEntries = 100;
export const maxFilterTextLength = 200;

export type ClientMessage = ObserveMessage | ConsumeMessage | AckMessage;

export interface ObserveMessage {
  readonly type: 'subscribe';
  readonly mode: 'observe';
  /** Number of the last record seen. Default 0, the start of the stream. */
  readonly after?: number;
  /** The stream of `after`, as `welcome` named it. In another stream, the server ignores `after`. */
  readonly stream?: string;
  /** Default: all records. */
  readonly filter?: StreamFilter;
  /** Whether each record has `about`, the emulator's knowledge of it. Default false. */
  readonly about?: boolean;
}

/** Filter for records. A record must match every member, and one entry of each list. */
export interface StreamFilter {
  /** Event types or catalogue names; `*` matches any text: `billing.*`. */
  readonly types?: readonly string[];
  /** First segments of event types: `billing`. */
  readonly domains?: readonly string[];
  /** Account number in the key or the value. */
  readonly account?: string;
  readonly cell?: number;
  /** A scenario, `house-move`, or one instance of it, `house-move#1`. */
  readonly process?: string;
  /** Text that the value contains, ignoring case. */
  readonly text?: string;
  /** Only records that have a fault. */
  readonly faults?: true;
  /** First virtual instant of sending, in milliseconds since the epoch. */
  readonly from?: number;
  /** Virtual instant after the last one. */
  readonly to?: number;
}

export interface ConsumeMessage {
  readonly type: 'subscribe';
  readonly mode: 'consume';
  /** The server keeps one position per name: its last acknowledgement. */
  readonly consumer: string;
}

/** Every record up to and including `through` is settled. Only for consumers. */
export interface AckMessage {
  readonly type: 'ack';
  readonly through: number;
}

export type ServerMessage =
  | WelcomeMessage
  | BeginMessage
  | RunMessage
  | BatchHead
  | PositionMessage
  | GapMessage
  | EndMessage
  | ErrorMessage;

/** The response to `subscribe`. */
export interface WelcomeMessage {
  readonly type: 'welcome';
  /** Name of the stream. Changes with every start of the server; record numbers count within one stream. */
  readonly stream: string;
  /** Number with which the first `batch` or `gap` begins. */
  readonly next: number;
  /** With `about`: number of the first record of the present run. */
  readonly first?: number;
}

/** With `about`: the emulator has restarted the run. Records from `first` belong to the new run. */
export interface BeginMessage {
  readonly type: 'begin';
  readonly first: number;
}

/** With `about`: the state of the run, when the client has received all records so far, and after each change. */
export interface RunMessage {
  readonly type: 'run';
  /** As `GET /emulator/v1/run` returns it; for a replay of a recording only `state`, `now` and `events`. */
  readonly run: object;
}

export interface BatchHead {
  readonly type: 'batch';
  /** Number of the first record. Without a filter, the others follow without gaps. */
  readonly first: number;
  /** With a filter: the number of each record. */
  readonly numbers?: readonly number[];
  /** At least one. */
  readonly records: readonly RecordHead[];
}

/** A record without its value, which is the corresponding line after the head. */
export interface RecordHead {
  readonly key: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Time at which the record was sent, in milliseconds since the epoch of the wall clock. */
  readonly timestamp: number;
  /** Encoding of the value. Absent if the value is a line of text; `null` is a tombstone. */
  readonly encoding?: 'base64' | 'null';
  /** Present if the observer requested it. */
  readonly about?: RecordAbout;
}

/** The emulator's knowledge of a record, which consumers do not receive. */
export interface RecordAbout {
  readonly type: string;
  readonly version: string;
  /** Virtual time of the occurrence, in milliseconds since the epoch. */
  readonly at: number;
  /** Virtual time at which the record was sent, if a fault changed it. */
  readonly sentAt?: number;
  /** Number of the cell; 0 is the platform itself. */
  readonly cell: number;
  /** Scenario and its number in the cell: `house-move#1`. */
  readonly instance: string;
  /** Name of the step in the scenario. */
  readonly step: string;
  /** Faults of the record, in order. */
  readonly faults: readonly string[];
  /** Outcomes that the instance has drawn, by branch; absent in a replay of a recording. */
  readonly branches?: Readonly<Record<string, string>>;
}

/** With a filter: the server has filtered all records up to `through`. */
export interface PositionMessage {
  readonly type: 'position';
  readonly through: number;
}

/** Records that this client will not receive, from `from` to `to` inclusive, whether they match a filter or not. */
export interface GapMessage {
  readonly type: 'gap';
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** The run has finished and was sent completely; `last` is the number of its last record, 0 if it had none. */
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
