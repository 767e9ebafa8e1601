import { createRequire } from 'node:module';
import type { Kafka, KafkaMessage } from 'kafkajs';
import type { ConsumerRecord } from '../../transport.js';
import type { OffsetRange } from '../client.js';
import { isMissingCodec, missingCodec } from './codecs.js';
import { typeOf } from './errors.js';
import { type HiddenCluster, hiddenCluster } from './hidden-cluster.js';
import { recordOf } from './records.js';

/** What of kafkajs' internals is used here. */
interface Cluster {
  addTargetTopic(topic: string): Promise<void>;
  refreshMetadata(): Promise<void>;
  findTopicPartitionMetadata(topic: string): { readonly partitionId: number; readonly leader: number }[];
  fetchTopicsOffset(topics: readonly object[]): Promise<{ partitions: { offset: string }[] }[]>;
  findBroker(request: { nodeId: number }): Promise<Broker>;
}

interface Broker {
  fetch(request: object): Promise<{ responses: { topicName: string; partitions: object[] }[] }>;
}

/** Leaves out what was aborted, control records, and what lies before the offset asked for. */
interface Batch {
  readonly messages: KafkaMessage[];
  readonly rawMessages: readonly unknown[];
  lastOffset(): string;
}

const FetchedData = createRequire(import.meta.url)('kafkajs/src/consumer/batch') as new (
  topic: string,
  from: string,
  data: object,
) => Batch;

/** How much one request brings. In bytes; a single record comes whole even so. */
const chunk = 1_048_576;

/** How often a request may bring nothing, or fail, before reading is given up. */
const patience = 5;

/** Reads topics without a group: kafkajs' consumers can but join one. */
export class TopicReader {
  readonly #kafka: Kafka;
  #hidden: Promise<HiddenCluster<Cluster>> | undefined;

  constructor(kafka: Kafka) {
    this.#kafka = kafka;
  }

  async *read({ topic, partition, first, end }: OffsetRange): AsyncIterable<ConsumerRecord> {
    let position = first;
    for (let failures = 0; position < end; ) {
      let batch: Batch;
      try {
        batch = await this.#fetch(topic, partition, position, end - position === 1 ? 1 : chunk);
      } catch (error) {
        if (isMissingCodec(error))
          throw missingCodec(error.message.split(' ')[0] ?? '', { topic, partition });
        if (++failures > patience) throw error;
        if (typeOf(error) === 'OFFSET_OUT_OF_RANGE') {
          position = Math.max(position, await this.#firstOffset(topic, partition));
          continue;
        }
        // The leader may have moved.
        await (await this.#cluster()).refreshMetadata().catch(() => undefined);
        continue;
      }
      if (batch.rawMessages.length === 0) {
        if (++failures > patience) throw new Error(`nothing came from offset ${position} on, up to ${end}`);
        continue;
      }
      failures = 0;
      for (const message of batch.messages) {
        const record = recordOf(topic, partition, message);
        if (record.offset >= end) return;
        yield record;
      }
      position = Number(batch.lastOffset()) + 1;
    }
  }

  async close(): Promise<void> {
    const hidden = await this.#hidden?.catch(() => undefined);
    await hidden?.close();
  }

  async #fetch(topic: string, partition: number, from: number, maxBytes: number): Promise<Batch> {
    const cluster = await this.#cluster();
    await cluster.addTargetTopic(topic);
    const leader = cluster
      .findTopicPartitionMetadata(topic)
      .find(({ partitionId }) => partitionId === partition)?.leader;
    if (leader === undefined) throw new Error(`partition ${partition} has no leader`);
    const broker = await cluster.findBroker({ nodeId: leader });
    const { responses } = await broker.fetch({
      replicaId: -1,
      isolationLevel: 1,
      maxWaitTime: 1_000,
      minBytes: 1,
      maxBytes,
      topics: [{ topic, partitions: [{ partition, fetchOffset: String(from), maxBytes }] }],
    });
    const data = responses[0]?.partitions[0];
    if (data === undefined) throw new Error('an answer without the partition');
    return new FetchedData(topic, String(from), data);
  }

  /** What the broker has not dropped meanwhile. */
  async #firstOffset(topic: string, partition: number): Promise<number> {
    const cluster = await this.#cluster();
    const [found] = await cluster.fetchTopicsOffset([
      { topic, partitions: [{ partition }], fromBeginning: true },
    ]);
    return Number(found?.partitions[0]?.offset ?? 0);
  }

  async #cluster(): Promise<Cluster> {
    this.#hidden ??= hiddenCluster<Cluster>(this.#kafka);
    try {
      return (await this.#hidden).cluster;
    } catch (error) {
      this.#hidden = undefined;
      throw error;
    }
  }
}
