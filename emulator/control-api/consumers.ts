import type { BrokerState, GroupDescription } from '../broker/index.js';
import type { BrokerSink } from '../sinks/broker.js';
import type { WebSocketSink } from '../sinks/websocket.js';
import type { DeadLetters } from './dead-letters.js';
import type { ControlHandlers } from './document.js';

/** Returns the handler that lists the consumers of the broker and of the stream, with their positions. */
export function consumerOperations({
  broker,
  stream,
  letters,
}: {
  readonly broker: BrokerSink | undefined;
  readonly stream: WebSocketSink | undefined;
  readonly letters: DeadLetters;
}) {
  return {
    async listConsumers() {
      const waiting = (await letters()).filter((letter) => letter.state !== 'replayed');
      const state = broker?.broker.inspect();
      return {
        bootstrap_servers: broker?.bootstrapServers ?? null,
        dead_letters: waiting.length,
        topics: state?.topics.map(topicOf) ?? [],
        groups: state?.groups.map((group) => groupOf(group, state)) ?? [],
        stream:
          stream?.positions().map(({ name, isConnected, acknowledged, last }) => ({
            name,
            connected: isConnected,
            acknowledged,
            end: last,
            lag: last - acknowledged,
          })) ?? [],
      };
    },
  } satisfies Partial<ControlHandlers>;
}

function topicOf({ name, partitions }: BrokerState['topics'][number]) {
  const sum = (of: (each: (typeof partitions)[number]) => number) =>
    partitions.reduce((all, each) => all + of(each), 0);
  return {
    name,
    partitions: partitions.length,
    records: sum(({ startOffset, endOffset }) => endOffset - startOffset),
    written: sum(({ endOffset }) => endOffset),
    bytes: sum(({ bytes }) => bytes),
  };
}

/** Describes a group and the partitions that it has assigned or committed. */
function groupOf(
  { id, state, generation, protocol, members, offsets }: GroupDescription,
  broker: BrokerState,
) {
  const owners = new Map<string, string>();
  const committed = new Map<string, number>();
  for (const { id: member, assignment } of members) {
    for (const [topic, partitions] of Object.entries(assignment)) {
      for (const partition of partitions) owners.set(`${topic}/${partition}`, member);
    }
  }
  for (const { topic, partition, committed: offset } of offsets) {
    if (offset >= 0) committed.set(`${topic}/${partition}`, offset);
  }
  const partitions = broker.topics.flatMap(({ name, partitions: all }) =>
    all.flatMap(({ partition, startOffset, endOffset }) => {
      const partitionId = `${name}/${partition}`;
      if (!owners.has(partitionId) && !committed.has(partitionId)) return [];
      const offset = committed.get(partitionId) ?? null;
      return [
        {
          topic: name,
          partition,
          member: owners.get(partitionId) ?? null,
          committed: offset,
          start: startOffset,
          end: endOffset,
          // Without a committed offset, only the group knows its start.
          lag: offset === null ? null : Math.max(0, endOffset - offset),
        },
      ];
    }),
  );
  return {
    id,
    state,
    generation,
    protocol,
    lag: partitions.reduce((all, { lag }) => all + (lag ?? 0), 0),
    members: members.map(({ id: member, clientId, clientHost, groupInstanceId }) => ({
      id: member,
      client_id: clientId,
      host: clientHost,
      instance: groupInstanceId,
    })),
    partitions,
  };
}
