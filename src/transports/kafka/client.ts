import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import type { ConsumerRecord } from '../transport.js';

/**
 * What the transport needs of a Kafka client; none of its types appear here, so that another can stand behind it.
 * Everything that fails rejects with a BusbarError: `connection-failed` may succeed later, the others will not.
 */
export interface KafkaClient {
  /** @throws BusbarError `connection-failed` naming the brokers, `not-authorized` */
  connect(options: { readonly clock: Clock; readonly logger: Logger }): Promise<KafkaConnection>;
}

/** The connections of one run. */
export interface KafkaConnection {
  /** Answers the topic, or nothing when there is none. */
  describeTopic(name: string): Promise<TopicDescription | undefined>;
  createTopic(topic: TopicDescription): Promise<void>;
  /**
   * Resolves when all in-sync replicas have the record, with where it lies.
   * @throws BusbarError `record-refused`, `not-authorized`
   */
  produce(record: OutgoingRecord): Promise<PartitionOffset>;
  /** What each partition of a topic holds now; nothing when there is no such topic. */
  rangesOf(topic: string): Promise<readonly OffsetRange[] | undefined>;
  /** Reads without a group, in order. Offsets of the range that are gone, as after compaction, are left out. */
  read(range: OffsetRange): AsyncIterable<ConsumerRecord>;
  /** Resolves when the first assignment was given to the member. @throws BusbarError `group-mismatch` */
  join(options: GroupOptions, member: GroupMember): Promise<GroupMembership>;
  close(): Promise<void>;
}

export interface TopicDescription {
  readonly name: string;
  readonly partitions: number;
  /** `max.message.bytes`; absent when it may not be read. */
  readonly maxMessageBytes?: number;
  /** `cleanup.policy`; absent when it may not be read, or the broker's default will do. */
  readonly cleanupPolicy?: string;
}

export interface OutgoingRecord {
  readonly topic: string;
  /** Absent: by the key, as the Java client chooses. */
  readonly partition?: number;
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly headers: readonly (readonly [name: string, value: Uint8Array])[];
}

/** Times in milliseconds. */
export interface GroupOptions {
  readonly groupId: string;
  readonly topics: readonly string[];
  readonly fromBeginning: boolean;
  readonly sessionTimeout: number;
  readonly rebalanceTimeout: number;
  readonly heartbeatInterval: number;
  readonly maxWait: number;
  readonly maxBytesPerPartition: number;
}

/** The transport's side of a membership. Nothing but `release` may take time. */
export interface GroupMember {
  /** What the group gave to this member; whatever was assigned before is void. Comes before the first batch of it. */
  assigned(partitions: readonly AssignedPartition[]): void;
  /** Offers what one fetch brought. When refused, it is fetched again. */
  batch(batch: FetchedBatch): boolean;
  /** Nothing of the partition lies between its position and this offset but what is never delivered. */
  skip(topic: string, partition: number, offset: number): void;
  /**
   * All partitions are about to be given up, to join again or to leave. Resolves when nothing runs and all is committed.
   */
  release(how: Release): Promise<void>;
  /** A fetch has ended, with records or without. */
  fetched(): void;
  /** The membership broke and is being built again. */
  interrupted(error: Error): void;
  /** The membership has ended for good. */
  failed(error: Error): void;
}

export interface Release {
  /** The group has given the partitions to others already; commits would be refused. */
  readonly evicted: boolean;
  /** After so many milliseconds the client goes on. */
  readonly within: number;
}

export interface AssignedPartition {
  readonly topic: string;
  readonly partition: number;
  /** What the group committed: delivery begins here. */
  readonly position: number;
}

export interface FetchedBatch {
  readonly topic: string;
  readonly partition: number;
  /** The offset that was asked for. */
  readonly from: number;
  /** The offset that will be asked for next. */
  readonly next: number;
  readonly highWatermark: number;
  /** Builds the records; their bytes may be views of the whole fetch. */
  records(): ConsumerRecord[];
}

export interface PartitionOffset {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}

/** From `first` up to but not including `end`. */
export interface OffsetRange {
  readonly topic: string;
  readonly partition: number;
  readonly first: number;
  readonly end: number;
}

export interface GroupMembership {
  /** Writes offsets for the assignment that is current when it is called; rejects when it no longer is. */
  commit(offsets: readonly PartitionOffset[]): Promise<void>;
  pause(topic: string, partition: number): void;
  resume(topic: string, partition: number): void;
  /** Later calls wait for the first. No callback of the member follows. */
  leave(): Promise<void>;
}
