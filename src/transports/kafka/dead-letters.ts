import type { Clock } from '../../base/clock.js';
import { deadLetterHeaders } from '../../dead-letter.js';
import { BusbarError, quoted } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import { OutageLog } from '../../base/outage-log.js';
import type { ConsumerRecord, DeadLetterCause } from '../transport.js';
import type { KafkaConnection, OutgoingRecord } from './client.js';

export interface DeadLettersOptions {
  readonly connection: KafkaConnection;
  readonly groupId: string;
  readonly topicFor: (topic: string) => string;
  /** Whether to create missing dead-letter topics. */
  readonly create: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Bytes that dead-letter headers and the envelope of a batch with one record may add to a record. */
const headroom = 16_384;

export class DeadLetters {
  readonly topicFor: (topic: string) => string;
  readonly #options: DeadLettersOptions;
  /** Number of partitions of each dead-letter topic. */
  readonly #partitions = new Map<string, number>();
  readonly outages: OutageLog;

  constructor(options: DeadLettersOptions) {
    this.#options = options;
    this.topicFor = options.topicFor;
    this.outages = new OutageLog(options.clock, options.logger, outageLines, { group: options.groupId });
  }

  /**
   * Checks that the topics exist, so that a missing one is reported at start and not by the first dead letter.
   * @throws BusbarError `unknown-topic`, `record-refused`
   */
  async prepare(topics: readonly string[]): Promise<void> {
    await Promise.all(topics.map((topic) => this.#prepare(topic)));
  }

  async #prepare(topic: string): Promise<void> {
    const { connection, topicFor, create, groupId } = this.#options;
    const source = await connection.describeTopic(topic);
    if (source === undefined) {
      throw new BusbarError(
        'unknown-topic',
        `Kafka has no topic ${quoted(topic)} for group ${quoted(groupId)}. Create it, or correct "topics".`,
      );
    }
    const name = topicFor(topic);
    const maxMessageBytes = (source.maxMessageBytes ?? 1_048_588) + headroom;
    let target = await connection.describeTopic(name);
    if (target === undefined && create) {
      target = { name, partitions: source.partitions, maxMessageBytes };
      await connection.createTopic(target);
    }
    if (target === undefined) {
      throw new BusbarError(
        'unknown-topic',
        `Kafka has no topic ${quoted(name)} for the dead letters of ${quoted(topic)}. Create it with partitions=${source.partitions}, max.message.bytes=${maxMessageBytes} or set "createDeadLetterTopics".`,
      );
    }
    this.#checkSize(topic, source.maxMessageBytes, name, target.maxMessageBytes);
    this.#partitions.set(name, target.partitions);
  }

  /**
   * Writes a dead letter. Resolves when all in-sync replicas have it. Retries connection failures until the signal aborts.
   * @throws BusbarError `record-refused`, `not-authorized`; the signal's reason after an abort
   */
  async write(record: ConsumerRecord, cause: DeadLetterCause, signal?: AbortSignal): Promise<void> {
    const { connection, groupId, topicFor } = this.#options;
    const topic = topicFor(record.topic);
    const letter: OutgoingRecord = {
      topic,
      key: record.key,
      value: record.value,
      headers: deadLetterHeaders(record, cause, groupId),
      // Without a key, records of one partition stay in order by going to one partition.
      ...(record.key === null ? { partition: record.partition % (this.#partitions.get(topic) ?? 1) } : {}),
    };
    await this.outages.retry(() => connection.produce(letter), signal);
  }

  #checkSize(topic: string, largest: number | undefined, target: string, limit: number | undefined): void {
    if (largest === undefined || limit === undefined) {
      this.#options.logger.warn('maximum dead letter size unknown', { topic, target });
    } else if (limit < largest) {
      throw new BusbarError(
        'record-refused',
        `Topic ${quoted(topic)} accepts records of ${largest} bytes, its dead-letter topic ${quoted(target)} only ${limit}. Set max.message.bytes=${largest + headroom} there.`,
      );
    }
  }
}

const outageLines = {
  began: 'dead letters cannot be written, retrying',
  lasts: 'dead letters still cannot be written',
  ended: 'dead letters can be written again',
};
