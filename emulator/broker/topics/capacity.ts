import type { BrokerLogger } from '../logger.js';
import type { Topic } from './topics.js';
import type { PartitionLog } from '../log/partition-log.js';

export interface CapacityOptions {
  /** The most bytes that one topic holds; then its oldest segments are dropped. */
  readonly maxTopicBytes: number;
  /** The most bytes that all topics hold together. */
  readonly maxTotalBytes: number;
}

interface Candidate {
  readonly topic: Topic;
  readonly partition: number;
  readonly log: PartitionLog;
  readonly age: number;
}

const LARGEST_SEGMENT = 4 * 1024 * 1024;

/** Keeps the logs within their caps. What is dropped is warned about: nothing vanishes silently. */
export class Capacity {
  readonly segmentBytes: number;
  /** The longest batch that a log takes. */
  readonly maxBatchBytes: number;
  /** Bytes held by all topics. */
  totalBytes = 0;
  readonly #options: CapacityOptions;
  readonly #topics: () => Iterable<Topic>;
  readonly #logger: BrokerLogger;
  readonly #topicBytes = new Map<Topic, number>();

  constructor(options: CapacityOptions, topics: () => Iterable<Topic>, logger: BrokerLogger) {
    this.#options = options;
    this.#topics = topics;
    this.#logger = logger;
    this.maxBatchBytes = Math.min(options.maxTopicBytes, options.maxTotalBytes);
    // A drop should cost a small share of the topic, not half of it.
    this.segmentBytes = Math.min(LARGEST_SEGMENT, Math.max(1024, Math.floor(this.maxBatchBytes / 16)));
  }

  /** To be called after an append: counts the bytes and drops what is above a cap. */
  added(topic: Topic, bytes: number, retentionBytes: number, log: PartitionLog): void {
    this.#count(topic, bytes);
    // As in Kafka, the segment that is being written is never deleted by retention.
    while (retentionBytes >= 0 && log.bytes - (log.oldestSegment?.used ?? 0) >= Math.max(1, retentionBytes)) {
      this.#count(topic, -log.dropOldestSegment().bytes);
    }
    while ((this.#topicBytes.get(topic) ?? 0) > this.#options.maxTopicBytes)
      this.#drop([topic], 'maxTopicBytes');
    while (this.totalBytes > this.#options.maxTotalBytes) this.#drop(this.#topics(), 'maxTotalBytes');
  }

  /** To be called when records were deleted on request. */
  removed(topic: Topic, bytes: number): void {
    this.#count(topic, -bytes);
  }

  forget(topic: Topic): void {
    this.#count(topic, -(this.#topicBytes.get(topic) ?? 0));
    this.#topicBytes.delete(topic);
  }

  #count(topic: Topic, bytes: number): void {
    this.#topicBytes.set(topic, (this.#topicBytes.get(topic) ?? 0) + bytes);
    this.totalBytes += bytes;
  }

  #drop(topics: Iterable<Topic>, cap: keyof CapacityOptions): void {
    const oldest = oldestSegmentOf(topics);
    if (!oldest) throw new Error('the logs hold bytes but no segment'); // would loop for ever otherwise
    const { topic, partition, log } = oldest;
    const dropped = log.dropOldestSegment();
    this.#count(topic, -dropped.bytes);
    const limit = this.#options[cap];
    this.#logger.warn(
      `DROPPED ${dropped.records} records of topic "${topic.name}", partition ${partition}: ${cap} (${limit}) is reached; raise it, or use Apache Kafka for this volume`,
      {
        topic: topic.name,
        partition,
        records: dropped.records,
        bytes: dropped.bytes,
        logStartOffset: log.startOffset,
      },
    );
  }
}

function oldestSegmentOf(topics: Iterable<Topic>): Candidate | undefined {
  let oldest: Candidate | undefined;
  for (const topic of topics) {
    for (const [partition, log] of topic.partitions.entries()) {
      const age = log.oldestSegment?.age;
      if (age !== undefined && (!oldest || age < oldest.age)) oldest = { topic, partition, log, age };
    }
  }
  return oldest;
}
