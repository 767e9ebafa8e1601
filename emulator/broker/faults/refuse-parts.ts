import { ZERO_UUID } from 'busbar/internal/kafka-protocol';
import type { Message, Part } from '../intercept.js';
import type { Topics } from '../topics/topics.js';
import { numberOf, partsOf, type RequestedTopic, topicName } from './requested.js';

/**
 * Refuses the selected partitions of a request, or topics, and carries out the rest, because Kafka reports an error for
 * each of them. Refuses the whole request if its response does not list its topics.
 */
export async function refuseParts(
  request: Message,
  refused: Message,
  { isSelected, topics }: { readonly isSelected: (part: Part) => boolean; readonly topics: Topics },
  carryOut: (rest: Message) => Promise<Message | null>,
): Promise<Message | null> {
  if (!('topics' in request) || !Array.isArray(refused['topics'])) return refused;
  const requested = (request['topics'] ??
    partsOf(request, topics).map(({ topic }) => ({ name: topic, topicId: ZERO_UUID }))) as Listed[];
  const left = requested.flatMap((each) => {
    const topic = topicName(each, topics);
    if (!each.partitions) return isSelected({ topic }) ? [] : [each];
    const partitions = each.partitions.filter((one) => !isSelected({ topic, partition: numberOf(one) }));
    return partitions.length > 0 ? [{ ...each, partitions }] : [];
  });
  if (left.length === 0) return refused;
  // A fetch with an error does not wait for records.
  const response = await carryOut({ ...request, topics: left, maxWaitMs: 0 });
  const carriedOut = new Map(
    (response?.['topics'] as Listed[]).map((each) => [topicName(each, topics), each]),
  );
  const merged = (refused['topics'] as Listed[]).map((each) => {
    const other = carriedOut.get(topicName(each, topics));
    if (!other || !requested.some(({ partitions }) => partitions)) return other ?? each;
    const partitions = each.partitions?.map(
      (one) => other.partitions?.find((candidate) => numberOf(candidate) === numberOf(one)) ?? one,
    );
    return { ...other, partitions };
  });
  return { ...response, topics: merged };
}

type Listed = Exclude<RequestedTopic, string>;
