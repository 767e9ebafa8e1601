import { ZERO_UUID } from '../../../../src/kafka-protocol/fields.js';
import type { Dialogue } from '../dialogue.js';

export interface Prepared {
  readonly name: string;
  readonly id: string;
}

/** A topic that is there when this resolves, without a step of its own. */
export async function createTopic(
  to: Dialogue,
  label: string,
  partitions: number,
  configs: Readonly<Record<string, string>> = {},
): Promise<Prepared> {
  const name = to.named(label);
  const { topics } = await to.ask('CreateTopics', {
    topics: [topicRequest(name, { numPartitions: partitions, configs: entries(configs) })],
    timeoutMs: 10_000,
    validateOnly: false,
  });
  if (topics[0].errorCode !== 0) throw new Error(`"${name}" is not created: error ${topics[0].errorCode}`);
  await known(to, name, partitions);
  to.begin();
  return { name, id: topics[0].topicId };
}

/** Waits until the broker itself has learned what the controller has decided. */
export async function known(to: Dialogue, name: string, partitions: number): Promise<void> {
  await to.settle(
    `topic "${name}"`,
    'Metadata',
    { topics: [{ name, topicId: ZERO_UUID }], allowAutoTopicCreation: false },
    ({ topics: [topic] }: Topics) => topic?.partitions.length === partitions && isServed(topic),
  );
  // A partition is known a little before its leader serves it.
  const all = Array.from({ length: partitions }, (_, partition) => ({
    ...{ partition, currentLeaderEpoch: -1, timestamp: -1 },
  }));
  await to.settle(
    `the partitions of "${name}"`,
    'ListOffsets',
    { replicaId: -1, isolationLevel: 0, topics: [{ name, partitions: all }] },
    ({ topics: [topic] }: Topics) => topic !== undefined && isServed(topic),
  );
}

export function topicRequest(name: string, changes: Record<string, unknown> = {}) {
  return { name, numPartitions: 1, replicationFactor: 1, assignments: [], configs: [], ...changes };
}

export function entries(configs: Readonly<Record<string, string | null>>) {
  return Object.entries(configs).map(([name, value]) => ({ name, value }));
}

interface Topics {
  readonly topics: readonly { readonly partitions: readonly { readonly errorCode: number }[] }[];
}

function isServed({ partitions }: Topics['topics'][number]): boolean {
  return partitions.every(({ errorCode }) => errorCode === 0);
}
