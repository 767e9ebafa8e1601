import { BusbarError, quoted } from '../../../base/errors.js';
import type { ApiTable } from '../../../kafka-protocol/api-table.js';
import { fetchTable } from '../../../kafka-protocol/apis/fetch.js';
import { NO_BYTES, ZERO_UUID } from '../../../kafka-protocol/fields.js';
import {
  type AbortedTransaction,
  areRecordBatches,
  decodeRecordSet,
  type RecordSet,
} from '../../../kafka-protocol/record-set.js';
import type { Partition } from '../../transport.js';
import type { Broker } from '../kafkajs/bridge.js';
import { decompress } from '../kafkajs/codecs.js';
import { checkCode } from '../kafkajs/errors.js';
import { byTopic, readCommitted } from './positions.js';

// Record batches since version 4; topic ids instead of names since version 13.
const byName = { ...fetchTable, versions: 'v4-12' } satisfies ApiTable;
const byId = { ...fetchTable, versions: 'v4-13' } satisfies ApiTable;

/** Maximum bytes of a whole response. A single batch arrives even above it. */
const maxBytes = 10_485_760;

/** Time in milliseconds by which a response may exceed the wait for records. */
const waitMargin = 5_000;

export interface FetchPosition extends Partition {
  readonly position: number;
  /** With it, the broker refuses to read another topic of the same name. */
  readonly topicId?: string;
}

/** The response for one partition. */
export interface Fetched extends Partition {
  readonly errorCode: number;
  readonly highWatermark: number;
  /** Node to fetch from instead: the leader has sent no records. -1 for none. */
  readonly preferredReadReplica: number;
  readonly aborted: readonly AbortedTransaction[];
  /** Record batches, as views of the whole response. */
  readonly bytes: Buffer;
}

/** Fetches from a node that has the partitions. Waits up to `maxWait` milliseconds for records. */
export async function fetchFrom(
  node: Broker,
  positions: readonly FetchPosition[],
  {
    maxWait,
    partitionMaxBytes,
    signal,
    rackId = '',
  }: {
    readonly maxWait: number;
    readonly partitionMaxBytes: number;
    readonly signal?: AbortSignal;
    readonly rackId?: string | undefined;
  },
): Promise<Fetched[]> {
  const topics = byTopic(positions, ({ partition, position: fetchOffset }) => ({
    partition,
    fetchOffset,
    partitionMaxBytes,
  }));
  const ids = new Map(positions.map(({ topic, topicId = ZERO_UUID }) => [topic, topicId]));
  const names = new Map([...ids].map(([topic, topicId]) => [topicId, topic]));
  const request = {
    replicaId: -1,
    maxWaitMs: maxWait,
    minBytes: 1,
    maxBytes,
    isolationLevel: readCommitted,
    sessionId: 0,
    topics: topics.map(({ name, partitions }) => ({
      topic: name,
      topicId: ids.get(name) ?? ZERO_UUID,
      partitions,
    })),
    forgottenTopics: [],
    rackId,
  };
  const api = names.has(ZERO_UUID) ? byName : byId;
  const response = await node.send(api, request, maxWait + waitMargin, signal);
  checkCode(response.errorCode);
  return response.topics.flatMap(({ topic, topicId, partitions }) =>
    partitions.map(
      ({ partition, errorCode, highWatermark, preferredReadReplica, abortedTransactions, records }) => ({
        topic: topic || (names.get(topicId) ?? ''),
        partition,
        errorCode,
        highWatermark,
        preferredReadReplica,
        aborted: abortedTransactions ?? [],
        bytes: records ?? NO_BYTES,
      }),
    ),
  );
}

/**
 * Decodes the records from an offset on.
 * @throws BusbarError `missing-package`, `protocol-violation`; Error for damaged bytes
 */
export async function recordsOf({ bytes, aborted, ...at }: Fetched, from: number): Promise<RecordSet> {
  if (!areRecordBatches(bytes)) throw oldFormat(at);
  const decoded = await decodeRecordSet(bytes, at, aborted, (compressed, compression) =>
    decompress(compressed, compression, at),
  );
  const { records } = decoded;
  // A batch arrives whole, also when the offset lies within it.
  if ((records[0]?.offset ?? from) >= from) return decoded;
  return { ...decoded, records: records.filter(({ offset }) => offset >= from) };
}

function oldFormat({ topic, partition }: Partition): BusbarError {
  return new BusbarError(
    'protocol-violation',
    `Topic ${quoted(topic)}, partition ${partition} has records in a format before Kafka 0.11. Copy the topic with a current producer.`,
  );
}
