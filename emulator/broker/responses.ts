import { errorCodes } from 'busbar/internal/kafka-protocol';
import type { Problem } from './topics/problem.js';

/** Maps the partitions of each topic of a request, and keeps the topic's other fields. */
export function eachPartition<T extends { readonly partitions: readonly unknown[] }, R>(
  topics: readonly T[],
  respond: (partition: T['partitions'][number], topic: T) => R,
): (Omit<T, 'partitions'> & { readonly partitions: R[] })[] {
  return topics.map((topic) => ({
    ...topic,
    partitions: topic.partitions.map((partition) => respond(partition, topic)),
  }));
}

/** Maps each topic of a request once. `respond` gets a problem for a repeated topic, which Kafka refuses. */
export function eachTopicOnce<T extends { readonly name: string | null }, R>(
  topics: readonly T[],
  respond: (topic: T, repeated: Problem | undefined) => R,
  nameOf: (topic: T) => string | null = ({ name }) => name,
): R[] {
  const byName = new Map<string | null, { readonly topic: T; repeated?: Problem }>();
  for (const topic of topics) {
    const known = byName.get(nameOf(topic));
    if (known) known.repeated = DUPLICATE;
    else byName.set(nameOf(topic), { topic });
  }
  return [...byName.values()].map(({ topic, repeated }) => respond(topic, repeated));
}

const DUPLICATE: Problem = {
  errorCode: errorCodes.invalidRequest,
  errorMessage: 'Duplicate topic name.',
};
