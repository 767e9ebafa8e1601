import { setMaxListeners } from 'node:events';
import { type Clock, sleep } from '../../base/clock.js';
import { deadLetterHeaders } from '../../dead-letter.js';
import { BusbarError } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import { quoted } from '../../base/quoted.js';
import type { ConsumerRecord, DeadLetterCause } from '../transport.js';
import type { KafkaConnection, OutgoingRecord } from './client.js';

export interface DeadLettersOptions {
  readonly connection: KafkaConnection;
  readonly groupId: string;
  readonly topicFor: (topic: string) => string;
  /** Create the dead-letter topics that are missing. */
  readonly create: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What our headers may add to a record, and the envelope of a batch with one record. */
const headroom = 16_384;

/** The topics beside the consumed ones, where records go that nobody can handle. */
export class DeadLetters {
  readonly #options: DeadLettersOptions;
  readonly #stopped = new AbortController();
  /** Of each dead-letter topic. */
  readonly #partitions = new Map<string, number>();
  #failing: { readonly since: number; readonly reason: string } | undefined;

  constructor(options: DeadLettersOptions) {
    this.#options = options;
    // As many wait as there are lanes with a letter: that is no leak, of which Node would warn.
    setMaxListeners(0, this.#stopped.signal);
  }

  get topicFor(): (topic: string) => string {
    return this.#options.topicFor;
  }

  get failing(): { readonly since: number; readonly reason: string } | undefined {
    return this.#failing;
  }

  /**
   * Looks the topics up, so that the first record that needs them is not the first to learn that they are not there.
   * @throws BusbarError `unknown-topic`, `record-refused`
   */
  async prepare(topics: readonly string[]): Promise<void> {
    const { connection, topicFor, create, groupId } = this.#options;
    for (const topic of topics) {
      const source = await connection.describeTopic(topic);
      if (source === undefined) {
        throw new BusbarError(
          'unknown-topic',
          `Kafka has no topic ${quoted(topic)}, which group ${quoted(groupId)} is to consume. Create it, or correct "topics".`,
        );
      }
      const name = topicFor(topic);
      const wanted = (source.maxMessageBytes ?? 1_048_588) + headroom;
      let target = await connection.describeTopic(name);
      if (target === undefined && create) {
        target = { name, partitions: source.partitions, maxMessageBytes: wanted };
        await connection.createTopic(target);
      }
      if (target === undefined) {
        throw new BusbarError(
          'unknown-topic',
          `Kafka has no topic ${quoted(name)} for the dead letters of ${quoted(topic)}. Create it with ${source.partitions} partitions and max.message.bytes=${wanted}, or set "createDeadLetterTopics".`,
        );
      }
      this.#checkSize(topic, source.maxMessageBytes, name, target.maxMessageBytes);
      this.#partitions.set(name, target.partitions);
    }
  }

  /**
   * Resolves when all in-sync replicas have it. What may pass is tried again until it does, or until `stop`.
   * @throws BusbarError `record-refused`, `not-authorized` when it never will; `connection-failed` after `stop`
   */
  async set(record: ConsumerRecord, cause: DeadLetterCause): Promise<void> {
    const { connection, groupId, topicFor, clock, logger } = this.#options;
    const topic = topicFor(record.topic);
    const letter: OutgoingRecord = {
      topic,
      key: record.key,
      value: record.value,
      headers: deadLetterHeaders(record, cause, groupId),
      // A key finds its partition; without one, the order of the partition is all there is to keep.
      ...(record.key === null ? { partition: record.partition % (this.#partitions.get(topic) ?? 1) } : {}),
    };
    for (let delay = 100; ; delay = Math.min(delay * 2, 10_000)) {
      this.#checkRunning(topic);
      try {
        await connection.produce(letter);
        this.#failing = undefined;
        return;
      } catch (error) {
        const { code, message } = error as BusbarError;
        if (code !== 'connection-failed') throw error;
        if (this.#failing === undefined) logger.warn(`Dead letters wait: ${message}`, { code });
        this.#failing ??= { since: clock.now(), reason: message };
      }
      await sleep(clock, delay, this.#stopped.signal).catch(() => undefined);
    }
  }

  /** Ends what is being tried again. */
  stop(): void {
    this.#stopped.abort();
  }

  #checkRunning(topic: string): void {
    if (!this.#stopped.signal.aborted) return;
    throw new BusbarError(
      'connection-failed',
      `A record for topic ${quoted(topic)} was not written before the consumer stopped. It will be delivered again.`,
    );
  }

  #checkSize(topic: string, largest: number | undefined, target: string, limit: number | undefined): void {
    if (largest === undefined || limit === undefined) {
      this.#options.logger.warn('Whether dead letters fit into their topic could not be checked.', {
        topic,
        target,
      });
    } else if (limit < largest) {
      throw new BusbarError(
        'record-refused',
        `Topic ${quoted(topic)} takes records of ${largest} bytes, its dead letters' topic ${quoted(target)} only ${limit}. Set max.message.bytes=${largest + headroom} there.`,
      );
    }
  }
}
