import type { Settings } from '../options.js';
import { configValue, mayDelete, type Topic } from './topic.js';
import type { PartitionLog } from '../log/partition-log.js';

const MAX_SEGMENT = 4 * 1024 * 1024;

/** Keeps the logs within their limits. Logs a warning for all records that it drops. */
export class Capacity {
  readonly segmentBytes: number;
  readonly #maxBytes: number;
  totalBytes = 0;
  readonly #settings: Settings;
  readonly #topics: () => Iterable<Topic>;
  readonly #topicBytes = new Map<Topic, number>();

  constructor(settings: Settings, topics: () => Iterable<Topic>) {
    this.#settings = settings;
    this.#topics = topics;
    this.#maxBytes = Math.min(settings.maxTopicBytes, settings.maxTotalBytes);
    // Small segments, so that a drop loses a small share of the topic.
    this.segmentBytes = Math.min(MAX_SEGMENT, Math.max(1024, Math.floor(this.#maxBytes / 16)));
  }

  /** Returns the maximum length of a batch. */
  maxBatchBytes(topic: Topic): number {
    return Math.min(Number(configValue(topic, 'max.message.bytes')), this.#maxBytes);
  }

  /** Counts appended bytes and drops segments above a limit. */
  added(topic: Topic, log: PartitionLog, bytes: number): void {
    this.#count(topic, bytes);
    const retentionBytes = mayDelete(topic) ? Number(configValue(topic, 'retention.bytes')) : -1;
    // As in Kafka, retention never deletes the active segment.
    while (retentionBytes >= 0 && log.bytes - (log.oldestSegment?.used ?? 0) >= Math.max(1, retentionBytes)) {
      this.#count(topic, -log.dropOldestSegment().bytes);
    }
    while ((this.#topicBytes.get(topic) ?? 0) > this.#settings.maxTopicBytes)
      this.#drop([topic], 'maxTopicBytes');
    while (this.totalBytes > this.#settings.maxTotalBytes) this.#drop(this.#topics(), 'maxTotalBytes');
  }

  /** Counts bytes that a client deleted. */
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

  #drop(topics: Iterable<Topic>, option: 'maxTopicBytes' | 'maxTotalBytes'): void {
    const oldest = oldestSegmentOf(topics);
    if (!oldest) throw new Error('The logs have bytes but no segment.'); // else an endless loop
    const { topic, partition, log } = oldest;
    const dropped = log.dropOldestSegment();
    this.#count(topic, -dropped.bytes);
    this.#settings.logger.warn('records dropped, broker limit reached', {
      topic: topic.name,
      partition,
      ...dropped,
      logStartOffset: log.startOffset,
      [option]: this.#settings[option],
    });
  }
}

function oldestSegmentOf(topics: Iterable<Topic>) {
  let oldest: { topic: Topic; partition: number; log: PartitionLog; age: number } | undefined;
  for (const topic of topics) {
    for (const [partition, log] of topic.partitions.entries()) {
      const age = log.oldestSegment?.age;
      if (age !== undefined && (!oldest || age < oldest.age)) oldest = { topic, partition, log, age };
    }
  }
  return oldest;
}
