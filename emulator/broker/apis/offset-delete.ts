import {
  compile,
  type ErrorCode,
  errorCodes,
  int16,
  int32,
  list,
  listOf,
  Reader,
  string,
  optionalList,
} from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';
import type { Group } from '../groups/group.js';
import { eachPartition } from '../responses.js';

const subscription = compile({ version: int16(), topics: listOf(string()) }, 0, false);

export const offsetDelete = defineApi({
  key: 47,
  name: 'OffsetDelete',
  versions: 'v0',
  behaviour: 'Deletes committed offsets of topics that no member of the group subscribes to.',
  request: {
    groupId: string(),
    topics: list({ name: string(), partitions: list({ partition: int32() }) }),
  },
  response: {
    errorCode: int16(),
    throttleTimeMs: int32('v0+', { default: 0 }),
    topics: optionalList({
      name: string(),
      partitions: list({
        partition: int32(),
        errorCode: int16(),
      }),
    }),
  },
  handle({ groupId, topics }, { broker }) {
    if (groupId === '') return { errorCode: errorCodes.invalidGroupId };
    const group = broker.groups.get(groupId);
    if (!group) return { errorCode: errorCodes.groupIdNotFound };
    if (group.members.size > 0 && group.protocolType !== 'consumer')
      return { errorCode: errorCodes.nonEmptyGroup };
    const isSubscribed = subscriptionOf(group);
    const remove = (topic: string, partition: number): ErrorCode => {
      if (!broker.topics.get(topic)?.partitions[partition]) return errorCodes.unknownTopicOrPartition;
      if (isSubscribed(topic)) return errorCodes.groupSubscribedToTopic;
      group.offsets.delete(topic, partition);
      return errorCodes.none;
    };
    return {
      errorCode: errorCodes.none,
      topics: eachPartition(topics, ({ partition }, { name }) => ({
        partition,
        errorCode: remove(name, partition),
      })),
    };
  },
});

/** Returns whether a member subscribes to a topic, as a function. */
function subscriptionOf({ members }: Group): (topic: string) => boolean {
  const metadata = [...members.values()].flatMap(({ protocols }) => protocols.map((each) => each.metadata));
  try {
    const topics = new Set(metadata.flatMap((bytes) => subscription.read(new Reader(bytes)).topics));
    return (topic) => topics.has(topic);
  } catch {
    // As in Kafka, a subscription that cannot be read may name any topic.
    return () => true;
  }
}
