import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';

/**
 * Where records come from: Kafka, a WebSocket, memory. A transport knows bytes, keys, headers and positions; it knows
 * nothing of events, handlers or policies. Every transport passes the conformance suite of `test/src/transports`.
 */
export interface Transport {
  /** For messages and metrics: `kafka`, `websocket`, `memory`. */
  readonly name: string;
  readonly capabilities: TransportCapabilities;
  /** The consumer that positions are kept for: Kafka's group id. Names it in dead letters and metrics. */
  readonly group?: string;
  /**
   * Connects and begins to deliver to `receiver`. Each call is a run of its own.
   * @throws BusbarError when the source cannot be reached; the message names it.
   */
  open(receiver: Receiver, options: OpenOptions): Promise<Subscription>;
}

/** What a transport declares it can do. Runtime and policies adapt to it, the conformance suite proves it. */
export interface TransportCapabilities {
  /** Committed positions outlive the run: what was settled is not delivered to the next one. */
  readonly commit: boolean;
  /** What was delivered and not committed is delivered again, after a reconnect or to the next run. */
  readonly redelivery: boolean;
  /** Records carry keys, and the records of one key arrive in order. */
  readonly keys: boolean;
  /** Records can be set aside: the subscription has `deadLetter`. */
  readonly deadLetters: boolean;
}

/** One partition of one topic. A subscription hands out the same object each time, so it can be a map's key. */
export interface Partition {
  readonly topic: string;
  readonly partition: number;
}

/** Headers of a record, decoded only when asked for. Kafka allows a name more than once: `get` gives the last. */
export interface RecordHeaders extends Iterable<readonly [name: string, value: Uint8Array]> {
  get(name: string): Uint8Array | undefined;
}

/** One record as it came off the wire. Its bytes may be a view of all that was read with it: keep copies, not records. */
export interface ConsumerRecord extends Partition {
  /** Position in the partition; grows, may have gaps. */
  readonly offset: number;
  /** When the record was produced, in milliseconds since the epoch of the wall clock. */
  readonly timestamp: number;
  readonly key: Uint8Array | null;
  /** `null` is a tombstone. */
  readonly value: Uint8Array | null;
  readonly headers: RecordHeaders;
}

export interface OpenOptions {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The runtime's side of a run. A transport calls it from its read loop, never twice at once for one partition. */
export interface Receiver {
  /**
   * Offers records of one partition, in order. Answers how many were taken, from the front. When fewer than offered,
   * the transport delivers nothing more of that partition until `resume`, then goes on at the first one not taken.
   */
  receive(partition: Partition, records: readonly ConsumerRecord[]): number;
  /**
   * The partitions are about to be given to somebody else. Resolves when nothing of them runs any more and all
   * `commit` calls for them were made; only then may the transport let go.
   */
  revoke(partitions: readonly Partition[], how?: Revocation): Promise<void>;
  /** The source has ended: no record will follow those delivered. */
  end(): void;
  /** The transport cannot go on. The run ends with this error. */
  fail(error: Error): void;
}

/** How partitions are taken away. */
export interface Revocation {
  /** After so many milliseconds the transport goes on, whatever still runs. */
  readonly within?: number;
  /** They are somebody else's already, and nothing can be committed. */
  readonly lost?: boolean;
}

/** A running connection. */
export interface Subscription {
  /** Everything of the partition before `offset` is settled. Cheap: the transport gathers and writes. */
  commit(partition: Partition, offset: number): void;
  /** There is room again for a partition of which `receive` did not take everything. */
  resume(partition: Partition): void;
  /** Sets the record aside, bytes, key and headers untouched; resolves when it is safe. Present if declared. */
  deadLetter?(record: ConsumerRecord, cause: DeadLetterCause): Promise<void>;
  /**
   * The group's dead letters of the partition that hold their keys: nobody has replayed them, or the replayed record is
   * not settled. Asked once for each assignment, before the first record is taken. Absent where dead letters are not
   * kept for a later run.
   */
  heldLetters?(partition: Partition): Promise<readonly HeldLetter[]>;
  /** Resolves when nothing is on its way to the receiver that it would take. For test benches. */
  delivered?(): Promise<void>;
  /** How it goes, for health and metrics. Cheap; absent where there is nothing to tell. */
  status?(): SubscriptionStatus;
  /** Writes what was committed and closes. Later calls wait for the first. */
  stop(): Promise<void>;
}

/** A moment of a subscription. Progress is what counts: a connection may stand while nothing comes of it. */
export interface SubscriptionStatus {
  /** Whether records can arrive: it has joined, and is neither interrupted nor stopped. */
  readonly connected: boolean;
  /** When the source last answered, with records or without; `undefined` before the first time. By the run's clock. */
  readonly lastHeard: number | undefined;
  /** Since when it is interrupted, and why. */
  readonly interruption?: { readonly since: number; readonly reason: string };
  /** Since when dead letters cannot be written, and why: their records stay unsettled. */
  readonly deadLettersFailing?: { readonly since: number; readonly reason: string };
  /** What is assigned now. */
  readonly partitions: readonly PartitionStatus[];
}

export interface PartitionStatus extends Partition {
  /** Everything before it is settled and written. */
  readonly committed: number;
  /** The next record that will be offered. */
  readonly position: number;
  /** One past the last record there is, as of the last fetch that brought some; until then `undefined`. */
  readonly highWatermark: number | undefined;
  /** Fetched, and waiting for the receiver to take them. */
  readonly waiting: number;
}

/** Why a record was set aside. */
export interface DeadLetterCause {
  /** A code of the table of errors: `invalid-event`, `handler-failed`, ... */
  readonly code: string;
  /** Without payload values. */
  readonly message: string;
  /** Event name, where it is known. */
  readonly event?: string;
  /** Which handler failed; absent when none ran. */
  readonly handler?: string;
  /** How often a handler tried; 0 when none did. */
  readonly attempts: number;
  /** The error behind it; absent when none was thrown. */
  readonly error?: DeadLetterError;
  /** The lane that `laneBy` named, `null` for that of events without one; absent where lanes go by key. */
  readonly lane?: string | null;
}

/** A thrown error, without payload values unless `deadLetterDetails` asks for its message. */
export interface DeadLetterError {
  /** `TypeError`, `DatabaseError`, ...; `string` where a text was thrown. */
  readonly class: string;
  /** The class of the last error in the chain of `cause`; absent when it has no cause. */
  readonly cause?: string;
  /** `23505`, `ECONNREFUSED`, ...: that of the last error in the chain that has one. */
  readonly code?: string;
  /** `src/handlers.ts:12:9`: the first frame in your code, of the last error in the chain that has one. */
  readonly at?: string;
  /** Of the whole chain. */
  readonly message?: string;
  /** Of the whole chain. */
  readonly stack?: string;
}

/** A record that was set aside, and holds its key until it was replayed and settled. */
export interface HeldLetter {
  /** Of the record that was set aside. */
  readonly offset: number;
  /** What the order of the key goes by: the offset of the record that a replayed one repeats, else the same. */
  readonly first: number;
  readonly key: Uint8Array | null;
  /** As in {@link DeadLetterCause}. */
  readonly lane?: string | null;
}
