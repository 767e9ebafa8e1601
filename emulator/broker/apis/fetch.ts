import {
  type ErrorCode,
  errorCodes,
  fetchTable,
  type Read,
  type Written,
} from 'busbar/internal/kafka-protocol';
import { defineApi, type RequestContext } from '../api.js';
import { LEADER_EPOCH, type PartitionLog } from '../log/partition-log.js';
import { eachPartition } from '../responses.js';
import type { Topic } from '../topics/topic.js';

/** Kafka's `fetch.max.bytes` of a broker. */
const MAX_RESPONSE_BYTES = 57_671_680;
/** FETCH_SESSION_ID_NOT_FOUND and INVALID_FETCH_SESSION_EPOCH; all other errors are those of partitions. */
const sessionErrors: ReadonlySet<number> = new Set([errorCodes.fetchSessionIdNotFound, 71]);
/** The maximum wait while a group rebalances: kafkajs sends heartbeats only between fetches. */
const REBALANCING_WAIT_MS = 100;

type Request = Read<typeof fetchTable.request>;
type Response = Written<typeof fetchTable.response>;
type PartitionRequest = Request['topics'][number]['partitions'][number];

export const fetch = defineApi({
  ...fetchTable,
  served: 'v4-13',
  behaviour:
    'Waits for `min_bytes`, until `max_wait` or the rebalance of a group of the client (by client id and host). Returns complete batches; the first one even above `max_bytes`.',
  omissions: [
    'incremental fetch sessions (KIP-227): every response carries session id 0',
    'record formats 0 and 1 (versions 0 to 3 are refused)',
    'zstd batches are not withheld from versions below 10',
  ],
  async handle(message, context) {
    // The broker opens no sessions, so this session is from another broker.
    if (message.sessionEpoch > 0) return { errorCode: errorCodes.fetchSessionIdNotFound, topics: [] };
    const { broker, clientId, connection } = context;
    const group = broker.groups.fetched({ clientId, clientHost: connection.clientHost });
    const minBytes = Math.min(message.minBytes, message.maxBytes);
    let now = readAll(message, context);
    // Without partitions, a client only closes its session: the Java consumer does when it closes.
    const mayWait = message.maxWaitMs > 0 && message.topics.some(({ partitions }) => partitions.length > 0);
    if (mayWait && !now.failed && now.bytes < minBytes) {
      await waitForRecords(message, context, () => {
        now = readAll(message, context);
        return now.bytes >= minBytes;
      });
      now = readAll(message, context);
    }
    if (group !== undefined && now.bytes > 0) {
      const at = broker.clock.now();
      for (const { log, begin, end } of now.reads) group.deliveries.add(log, begin, end, at);
    }
    return now.response;
  },
  refuse: ({ topics }, errorCode) => ({
    errorCode: sessionErrors.has(errorCode) ? errorCode : errorCodes.none,
    topics: eachPartition(topics, ({ partition }) => ({ partition, errorCode, records: [] })),
  }),
});

/** Resolves when `hasEnough` holds after an append, at the end of the wait, or when the client must rejoin its group. */
function waitForRecords(message: Request, context: RequestContext, hasEnough: () => boolean): Promise<void> {
  const { broker, connection, clientId } = context;
  const client = { clientId, clientHost: connection.clientHost };
  return new Promise((resolve) => {
    const stop: (() => void)[] = [];
    const done = (): void => {
      for (const one of stop) one();
      resolve();
    };
    const longest = Math.min(message.maxWaitMs, broker.settings.maxFetchWaitMs);
    const wait = broker.groups.rebalancing(client) ? Math.min(longest, REBALANCING_WAIT_MS) : longest;
    stop.push(
      broker.clock.schedule(wait, done),
      connection.onClose(done),
      broker.longPolls.add(client, done),
    );
    for (const { topic, topicId, partitions } of message.topics) {
      const found = find(context, topic, topicId);
      for (const { partition } of partitions) {
        const log = found?.partitions[partition];
        if (log) stop.push(log.onAppend(() => hasEnough() && done()));
      }
    }
  });
}

/** Offsets that were read from a partition. */
interface PartitionRead {
  readonly log: PartitionLog;
  readonly begin: number;
  readonly end: number;
}

function readAll(message: Request, context: RequestContext) {
  let bytes = 0;
  let failed = false;
  let left = Math.min(message.maxBytes, MAX_RESPONSE_BYTES);
  const reads: PartitionRead[] = [];
  // Not `eachPartition`, which costs a tenth of a fetch.
  const topics = message.topics.map(({ topic, topicId, partitions }) => {
    const found = find(context, topic, topicId);
    return {
      topic,
      topicId,
      partitions: partitions.map((wanted) => {
        const read = readOne(found, wanted, left, bytes === 0, context, reads);
        // No transaction was ever aborted. Only readers of committed records get the list.
        const one = { ...read, abortedTransactions: message.isolationLevel === 1 ? [] : null };
        const size = one.records.reduce((sum, part) => sum + part.length, 0);
        bytes += size;
        left = Math.max(0, left - size);
        failed ||= one.errorCode !== errorCodes.none;
        return one;
      }),
    };
  });
  return { bytes, failed, reads, response: { errorCode: errorCodes.none, topics } satisfies Response };
}

function readOne(
  topic: Topic | undefined,
  { partition, fetchOffset, currentLeaderEpoch, partitionMaxBytes }: PartitionRequest,
  left: number,
  always: boolean,
  { version }: RequestContext,
  reads: PartitionRead[],
) {
  const log = topic?.partitions[partition];
  const failed = (errorCode: ErrorCode) => ({
    partition,
    errorCode,
    highWatermark: -1,
    records: [] as Buffer[],
  });
  if (!topic && version >= 13) return failed(errorCodes.unknownTopicId);
  if (!log) return failed(errorCodes.unknownTopicOrPartition);
  log.lastFetchOffset = fetchOffset;
  if (currentLeaderEpoch > LEADER_EPOCH) return failed(errorCodes.unknownLeaderEpoch);
  if (fetchOffset < log.startOffset || fetchOffset > log.endOffset)
    return failed(errorCodes.offsetOutOfRange);
  const { parts, next } = log.read(fetchOffset, Math.min(left, Math.max(0, partitionMaxBytes)), always);
  if (parts.length > 0) reads.push({ log, begin: fetchOffset, end: next });
  return {
    ...failed(errorCodes.none),
    highWatermark: log.endOffset,
    lastStableOffset: log.endOffset,
    logStartOffset: log.startOffset,
    records: parts,
  };
}

function find({ broker, version }: RequestContext, topic: string, topicId: string): Topic | undefined {
  return version >= 13 ? broker.topics.byId(topicId) : broker.topics.get(topic);
}
