import { batchLayout } from 'busbar/internal/kafka-protocol';
import type { Message } from '../intercept.js';

/** Returns the request as the broker, whose leader epoch never changes, understands it. */
export function withoutEpoch(request: Message): Message {
  return eachPartition(request, (partition) => ({
    ...partition,
    ...('currentLeaderEpoch' in partition && { currentLeaderEpoch: -1 }),
    ...('leaderEpoch' in partition && { leaderEpoch: 0 }),
  }));
}

/** Returns the response with this leader epoch, in its batches too. */
export function withEpoch(response: Message, epoch: number): Message {
  return eachPartition(response, (partition) => ({
    ...partition,
    ...(partition['leaderEpoch'] !== -1 && { leaderEpoch: epoch }),
    ...(partition['records'] !== undefined && {
      records: stamped(partition['records'] as readonly Buffer[], epoch),
    }),
  }));
}

/** Returns a copy of batches; a checksum does not cover their epoch. */
function stamped(parts: readonly Buffer[], epoch: number): Buffer[] {
  const batches = Buffer.concat(parts);
  for (let start = 0; start + batchLayout.partitionLeaderEpoch + 4 <= batches.length; ) {
    batches.writeInt32BE(epoch, start + batchLayout.partitionLeaderEpoch);
    start += batchLayout.partitionLeaderEpoch + batches.readInt32BE(start + batchLayout.batchLength);
  }
  return [batches];
}

function eachPartition(message: Message, change: (partition: Message) => Message): Message {
  const topics = message['topics'] as { readonly partitions?: readonly Message[] }[] | null;
  return {
    ...message,
    topics:
      topics?.map((topic) => ({
        ...topic,
        ...(topic.partitions && { partitions: topic.partitions.map(change) }),
      })) ?? null,
  };
}
