import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';

/**
 * A source of records: Kafka, a WebSocket, memory. A transport handles bytes, keys, headers and offsets, but not events,
 * handlers or policies. Every transport passes the conformance suite of `test/src/transports`.
 */
export interface Transport {
  /** Name for messages and metrics: `kafka`, `websocket`, `memory`. */
  readonly name: string;
  readonly capabilities: TransportCapabilities;
  /** Kafka's group id, which names the consumer in dead letters and metrics. Absent where there are no groups. */
  readonly group?: string;
  /**
   * Connects and starts to deliver to `receiver`. Each call starts a separate run.
   * @throws BusbarError when the source cannot be reached; the message names it
   */
  open(receiver: Receiver, options: OpenOptions): Promise<Subscription>;
}

/** Declared capabilities of a transport. The run and the policies adapt to them; the conformance suite tests them. */
export interface TransportCapabilities {
  /** Whether committed offsets outlive the run, so that the next run does not receive settled records. */
  readonly commit: boolean;
  /** Whether uncommitted records are redelivered, after a reconnect or to the next run. */
  readonly redelivery: boolean;
  /** Whether records carry keys, and records of one key arrive in order. */
  readonly keys: boolean;
  /** Whether the transport has dead letters: the subscription has `deadLetter`. */
  readonly deadLetters: boolean;
}

/** One partition of one topic. A subscription passes the same object each time, so it can be the key of a map. */
export interface Partition {
  readonly topic: string;
  readonly partition: number;
}

/** Headers of a record, decoded on access. Kafka allows a name more than once: `get` returns the last. */
export interface RecordHeaders extends Iterable<readonly [name: string, value: Uint8Array]> {
  get(name: string): Uint8Array | undefined;
}

/** One record as it arrived. Its bytes may be a view of a whole batch: to keep them, copy them. */
export interface ConsumerRecord extends Partition {
  /** Offset in the partition. Grows; may have gaps. */
  readonly offset: number;
  /** Time at which the record was produced, in milliseconds since the epoch of the wall clock. */
  readonly timestamp: number;
  readonly key: Uint8Array | null;
  /** Value; `null` is a tombstone. */
  readonly value: Uint8Array | null;
  readonly headers: RecordHeaders;
}

/** Clock, logger and signal of the run that opens a transport. */
export interface OpenOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Signal that ends the attempt to connect: `open` then rejects with its reason. A transport may ignore it. */
  readonly signal?: AbortSignal | undefined;
}

/** The consumer's side of a run. A transport calls it from its read loop, never concurrently for one partition. */
export interface Receiver {
  /**
   * Offers records of one partition, in order. Returns how many were taken, from the front. If fewer than offered, the
   * transport pauses the partition until `resume`, then continues at the first record that was not taken.
   */
  receive(partition: Partition, records: readonly ConsumerRecord[]): number;
  /**
   * Announces that another consumer gets the partitions. Resolves when their handlers have ended and every `commit` call
   * was made; only then may the transport release them.
   */
  revoke(partitions: readonly Partition[], how?: Revocation): Promise<void>;
  /** Reports that the source has ended and no more records follow. */
  end(): void;
  /** Reports that the transport has failed. The run ends with this error. */
  fail(error: Error): void;
}

/** Circumstances of a revocation. */
export interface Revocation {
  /** Time in milliseconds after which the transport continues, even if handlers still run. */
  readonly within?: number;
  /** Whether another consumer already has the partitions, so that nothing can be committed. */
  readonly lost?: boolean;
}

/** The transport's side of a run. */
export interface Subscription {
  /** Commits that every record before `offset` is settled. Cheap: the transport writes commits in batches. */
  commit(partition: Partition, offset: number): void;
  /** Resumes a partition after `receive` took fewer records than offered. */
  resume(partition: Partition): void;
  /**
   * Dead-letters the record with its bytes, key and headers; resolves when it is stored. Present if declared. The signal
   * aborts when the record may belong to another consumer: then it must not be stored any more.
   */
  deadLetter?(record: ConsumerRecord, cause: DeadLetterCause, signal?: AbortSignal): Promise<void>;
  /**
   * Returns the group's dead letters of the partition that hold their keys: not replayed, or their replayed record is not
   * settled. Called once per assignment, before the first record is taken. Absent where dead letters do not outlive the
   * run.
   */
  heldLetters?(partition: Partition): Promise<readonly HeldLetter[]>;
  /** Resolves when the receiver has every record that it takes. For test benches. */
  delivered?(): Promise<void>;
  /** Returns the status for health and metrics. Cheap; absent where the transport has none. */
  status?(): SubscriptionStatus;
  /** Writes the commits and closes. Later calls wait for the first. */
  stop(): Promise<void>;
}

/** Connection and progress of a subscription. */
export interface SubscriptionStatus {
  /** Whether records can arrive: the consumer has joined, and is neither interrupted nor stopped. */
  readonly connected: boolean;
  /** Time of the source's last response, with records or without, by the run's clock; `undefined` before the first. */
  readonly lastHeard: number | undefined;
  /** Start and reason of the present interruption. */
  readonly interruption?: { readonly since: number; readonly reason: string };
  /** Start and reason, if dead letters cannot be written now; their records stay unsettled. */
  readonly deadLettersFailing?: { readonly since: number; readonly reason: string };
  /** Assigned partitions. */
  readonly partitions: readonly PartitionStatus[];
}

/** Progress of one partition of a subscription. */
export interface PartitionStatus extends Partition {
  /** Offset that was last committed and written. */
  readonly committed: number;
  /** Offset of the next record that will be offered. */
  readonly position: number;
  /** Offset after the partition's last record at the last fetch; `undefined` before one that found records. */
  readonly highWatermark: number | undefined;
  /** Number of fetched records that the receiver has not taken yet. */
  readonly waiting: number;
}

/** Cause of a dead letter. */
export interface DeadLetterCause {
  /** Error code: `invalid-event`, `handler-failed`, ... */
  readonly code: string;
  /** Message without payload values. */
  readonly message: string;
  /** Catalogue name of the event; absent if unknown. */
  readonly event?: string;
  /** Name of the handler that failed; absent when none ran. */
  readonly handler?: string;
  /** Number of attempts; 0 when no handler ran. */
  readonly attempts: number;
  /** The thrown error; absent when none was thrown. */
  readonly error?: DeadLetterError;
  /** Lane of `laneBy`, `null` for events without one; absent without `laneBy`. */
  readonly lane?: string | null;
}

/** A thrown error, without payload values unless `deadLetterDetails` asks for its message. */
export interface DeadLetterError {
  /** Class of the error: `TypeError`, `DatabaseError`, ...; `string` if a string was thrown. */
  readonly class: string;
  /** Class of the last error in the chain of `cause`; absent when there is no cause. */
  readonly cause?: string;
  /** Code of the last error in the chain that has one: `23505`, `ECONNREFUSED`, ... */
  readonly code?: string;
  /** First stack frame in your code, of the last error in the chain that has one: `src/handlers.ts:12:9`. */
  readonly at?: string;
  /** Messages of the chain. */
  readonly message?: string;
  /** Stacks of the chain. */
  readonly stack?: string;
}

/** A dead letter that holds its key until it is replayed and settled. */
export interface HeldLetter {
  /** Offset of the dead-lettered record. */
  readonly offset: number;
  /** Offset that orders records of the key: that of the record that a replayed one repeats, else `offset`. */
  readonly first: number;
  readonly key: Uint8Array | null;
  /** As in {@link DeadLetterCause}. */
  readonly lane?: string | null;
}
