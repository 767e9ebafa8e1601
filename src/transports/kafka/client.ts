import type { ConsumerRecord, OpenOptions, Partition } from '../transport.js';

/**
 * A Kafka client as the transport uses it, without types of a client library. Failures reject with a BusbarError:
 * `connection-failed` may succeed later, other codes will not.
 */
export interface KafkaClient {
  /** Connects. @throws BusbarError `connection-failed` naming the brokers, `not-authorized` */
  connect(options: OpenOptions): Promise<KafkaConnection>;
}

/** The connections of one run. */
export interface KafkaConnection {
  /** Returns the topic, or undefined if it does not exist. */
  describeTopic(name: string): Promise<TopicDescription | undefined>;
  createTopic(topic: TopicDescription): Promise<void>;
  /**
   * Resolves with the record's offset when all in-sync replicas have it.
   * @throws BusbarError `record-refused`, `not-authorized`
   */
  produce(record: OutgoingRecord): Promise<PartitionOffset>;
  /** Returns the present offsets of each partition, or undefined if the topic does not exist. */
  rangesOf(topic: string): Promise<readonly OffsetRange[] | undefined>;
  /** Reads without a group, in order. Skips offsets that no longer exist, for example after compaction. */
  read(range: OffsetRange): AsyncIterable<ConsumerRecord>;
  /**
   * Joins a group. Resolves after the first call of `assigned`. Leaves the group again if the signal aborts before that.
   * @throws BusbarError `group-mismatch`
   */
  join(options: GroupOptions, member: GroupMember, signal?: AbortSignal): Promise<GroupMembership>;
  close(): Promise<void>;
}

export interface TopicDescription {
  readonly name: string;
  readonly partitions: number;
  /** `max.message.bytes`; absent without permission to read it. */
  readonly maxMessageBytes?: number;
  /** `cleanup.policy`; absent without permission to read it, or for the broker's default. */
  readonly cleanupPolicy?: string;
}

export interface OutgoingRecord {
  readonly topic: string;
  /** Absent: chosen by the key, like in the Java client. */
  readonly partition?: number;
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly headers: readonly (readonly [name: string, value: Uint8Array])[];
}

/** Settings of a group member. Times in milliseconds. */
export interface GroupOptions {
  readonly groupId: string;
  /** Name of a static member, which stays in the group when it stops. */
  readonly groupInstanceId?: string;
  readonly rackId?: string;
  readonly topics: readonly string[];
  readonly fromBeginning: boolean;
  readonly rebalance: 'eager' | 'cooperative';
  readonly sessionTimeout: number;
  readonly rebalanceTimeout: number;
  readonly heartbeatInterval: number;
  readonly maxWait: number;
  readonly maxBytesPerPartition: number;
}

/** Callbacks of a membership. Only `release` is asynchronous. */
export interface GroupMember {
  /** Begins an assignment: new partitions, and those of the last one that were not released. Called before its first batch. */
  assigned(added: readonly AssignedPartition[], kept?: readonly Partition[]): void;
  /** Adds a partition to the assignment, whose first offset was not known before. */
  began(partition: AssignedPartition): void;
  /** Offers what one fetch brought. Returns false to be offered it again. */
  batch(batch: FetchedBatch): boolean;
  /** Releases partitions for others, or before it leaves. Resolves when none of their handlers runs and offsets are committed. */
  release(how: Release): Promise<void>;
  /** A fetch has ended, with records or without. */
  fetched(): void;
  /** Kafka has not been reached since a time of the run's clock. The client keeps trying. */
  interrupted(error: Error, since: number): void;
  /** The interruption has ended. The partitions are those of the last call of `assigned`. */
  restored(): void;
  /** The membership has ended and will not be restored. */
  failed(error: Error): void;
}

export interface Release {
  /** Absent: all. */
  readonly partitions?: readonly Partition[] | undefined;
  /** Whether other members already have the partitions, so that the broker would refuse commits. */
  readonly evicted: boolean;
  /** Time in milliseconds after which the client continues, even if handlers still run. */
  readonly within: number;
}

export interface AssignedPartition extends Partition {
  /** Committed offset, at which delivery begins. */
  readonly position: number;
}

export interface FetchedBatch extends Partition {
  /** Offset that was requested; another one than the last `next` if records have expired. */
  readonly from: number;
  /** Offset of the next request. */
  readonly next: number;
  readonly highWatermark: number;
  /** Empty where no record is delivered, for example for control records. The bytes may be views of the whole fetch. */
  readonly records: readonly ConsumerRecord[];
}

export interface PartitionOffset extends Partition {
  readonly offset: number;
}

/** Offsets from `first` up to but not including `end`. */
export interface OffsetRange extends Partition {
  readonly first: number;
  readonly end: number;
}

export interface GroupMembership {
  /**
   * Commits offsets for the current assignment; rejects if it is replaced meanwhile, or if the group refuses one of them.
   * Calls `accepted` for each that the group accepts.
   */
  commit(offsets: readonly PartitionOffset[], accepted?: (partition: Partition) => void): Promise<void>;
  pause(topic: string, partition: number): void;
  resume(topic: string, partition: number): void;
  /** Leaves the group; no callback follows. Later calls wait for the first. */
  leave(): Promise<void>;
}
