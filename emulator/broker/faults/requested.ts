import { versionRange, within, ZERO_UUID } from 'busbar/internal/kafka-protocol';
import type { Topics } from '../topics/topics.js';
import type { InterceptedRequest, Message, Part } from '../intercept.js';
import type { RequestFilter } from './rules.js';

/** A topic in a request: a name, or a structure, whose fields differ between the APIs. */
export type RequestedTopic =
  | string
  | {
      readonly name?: string | null;
      readonly topic?: string;
      readonly topicId?: string;
      readonly partitions?: readonly RequestedPartition[];
    };
type RequestedPartition = number | { readonly partition?: number; readonly index?: number };

export function selects(filter: RequestFilter, request: InterceptedRequest, topics: Topics): boolean {
  const { group, client, topic, partition, versions, covers } = filter;
  if (client !== undefined && client !== request.clientId) return false;
  if (versions !== undefined && !within(request.apiVersion, versionRange(versions))) return false;
  if (group !== undefined && !groupsOf(request.request).includes(group)) return false;
  if (covers !== undefined && !coversRecord(request.request, covers)) return false;
  if (topic === undefined && partition === undefined) return true;
  return partsOf(request.request, topics).some((part) => selectsPart(filter, part));
}

export function selectsPart({ topic, partition }: RequestFilter, part: Part): boolean {
  return (topic ?? part.topic) === part.topic && (partition ?? part.partition) === part.partition;
}

/** Returns the topics and partitions that a request names. */
export function partsOf(request: Message, topics: Topics): Part[] {
  const {
    topics: listed,
    topicNames,
    groups,
  } = request as {
    readonly topics?: readonly RequestedTopic[] | null;
    readonly topicNames?: readonly string[];
    readonly groups?: readonly { readonly topics?: readonly RequestedTopic[] | null }[];
  };
  // Null requests all topics in Metadata.
  const all = [
    ...(listed === null ? topics.all().map(({ name }) => name) : (listed ?? [])),
    ...(topicNames ?? []),
    ...(groups ?? []).flatMap((group) => group.topics ?? []),
  ];
  return all.flatMap((each) => {
    const topic = topicName(each, topics);
    const { partitions } = typeof each === 'string' ? {} : each;
    if (!partitions) return [{ topic }];
    return partitions.map((partition) => ({ topic, partition: numberOf(partition) }));
  });
}

export function topicName(topic: RequestedTopic, topics: Topics): string {
  if (typeof topic === 'string') return topic;
  const { name, topicId = ZERO_UUID } = topic;
  return (topicId === ZERO_UUID ? undefined : topics.byId(topicId)?.name) ?? name ?? topic.topic ?? '';
}

export function numberOf(partition: RequestedPartition): number {
  return typeof partition === 'number' ? partition : (partition.partition ?? partition.index ?? -1);
}

const groupKey = 0;

function groupsOf(request: Message): string[] {
  const { groupId, groups, groupNames, key, coordinatorKeys, keyType } = request as {
    readonly groupId?: string;
    readonly groups?: readonly (string | { readonly groupId: string })[];
    readonly groupNames?: readonly string[];
    readonly key?: string;
    readonly coordinatorKeys?: readonly string[];
    readonly keyType?: number;
  };
  const keys = keyType === groupKey ? [key ?? '', ...(coordinatorKeys ?? [])] : [];
  const described = (groups ?? []).map((each) => (typeof each === 'string' ? each : each.groupId));
  return [groupId ?? '', ...described, ...(groupNames ?? []), ...keys];
}

function coversRecord(
  request: Message,
  { topic, partition, offset }: NonNullable<RequestFilter['covers']>,
): boolean {
  const { topics } = request as {
    readonly topics: readonly {
      readonly name: string;
      readonly partitions: readonly { readonly partition: number; readonly committedOffset: number }[];
    }[];
  };
  return topics.some(
    ({ name, partitions }) =>
      name === topic && partitions.some((one) => one.partition === partition && one.committedOffset > offset),
  );
}
