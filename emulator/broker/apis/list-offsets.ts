import { errorCodes, listOffsetsTable, type Read } from 'busbar/internal/kafka-protocol';
import { defineApi, type RequestContext } from '../api.js';
import { LEADER_EPOCH, type PartitionLog } from '../log/partition-log.js';
import { eachPartition } from '../responses.js';

const LATEST = -1;
const EARLIEST = -2;
const MAX_TIMESTAMP = -3;
const EARLIEST_LOCAL = -4;
const LATEST_TIERED = -5;

type PartitionRequest = Read<typeof listOffsetsTable.request>['topics'][number]['partitions'][number];

export const listOffsets = defineApi({
  ...listOffsetsTable,
  behaviour: 'Start, end, offset by timestamp and offset of the greatest timestamp.',
  omissions: ['the exact record inside a compressed batch: returns the first offset of the batch'],
  handle: ({ topics }, context) => ({
    topics: eachPartition(topics, (wanted, { name, partitions }) =>
      partitions.some((other) => other !== wanted && other.partition === wanted.partition)
        ? { partition: wanted.partition, errorCode: errorCodes.invalidRequest }
        : respond(context, name, wanted),
    ),
  }),
  refuse: ({ topics }, errorCode) => ({
    topics: eachPartition(topics, ({ partition }) => ({ partition, errorCode })),
  }),
});

function respond({ broker, version }: RequestContext, topic: string, wanted: PartitionRequest) {
  const { partition, timestamp, currentLeaderEpoch } = wanted;
  const log = broker.topics.get(topic)?.partitions[partition];
  if (!log) return { partition, errorCode: errorCodes.unknownTopicOrPartition };
  if (currentLeaderEpoch > LEADER_EPOCH) return { partition, errorCode: errorCodes.unknownLeaderEpoch };
  if (timestamp < lowestTimestamp(version)) return { partition, errorCode: errorCodes.unsupportedVersion };
  if (version === 0) return { partition, errorCode: errorCodes.none, oldStyleOffsets: oldStyle(log, wanted) };
  const found = find(log, timestamp);
  return { partition, errorCode: errorCodes.none, ...found, leaderEpoch: found ? LEADER_EPOCH : -1 };
}

function find(log: PartitionLog, timestamp: number) {
  if (timestamp === LATEST) return { offset: log.endOffset, timestamp: -1 };
  if (timestamp === EARLIEST || timestamp === EARLIEST_LOCAL)
    return { offset: log.startOffset, timestamp: -1 };
  // No records are in tiered storage.
  if (timestamp === LATEST_TIERED) return undefined;
  return timestamp === MAX_TIMESTAMP ? log.latest() : log.firstSince(timestamp);
}

function lowestTimestamp(version: number): number {
  if (version >= 9) return LATEST_TIERED;
  if (version === 8) return EARLIEST_LOCAL;
  return version >= 7 ? MAX_TIMESTAMP : EARLIEST;
}

/** Returns the start offsets of segments for version 0, newest first; the log counts as one segment. */
function oldStyle(log: PartitionLog, { timestamp, maxOffsets }: PartitionRequest): number[] {
  const offsets = timestamp === EARLIEST ? [log.startOffset] : [log.endOffset, log.startOffset];
  return [...new Set(offsets)].slice(0, Math.max(0, maxOffsets));
}
