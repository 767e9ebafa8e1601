import { readHeader } from 'busbar/internal/kafka-protocol';
import type { BrokerState, GroupDescription } from '../broker/index.js';
import type { BrokerSink } from '../sinks/broker.js';
import type { WebSocketSink } from '../sinks/websocket.js';
import { type DeadLetters, isWaiting } from './dead-letters.js';
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
      const waiting = ((await (await letters())?.letters()) ?? []).filter(isWaiting);
      const state = broker?.broker.inspect();
      return {
        bootstrap_servers: broker?.bootstrapServers ?? null,
        dead_letters: waiting.length,
        topics: state?.topics.map(topicOf) ?? [],
        groups: state?.groups.map((group) => groupOf(group, state, broker?.broker)) ?? [],
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
  { id, state: phase, generation, protocol, members, offsets }: GroupDescription,
  state: BrokerState,
  broker: BrokerSink['broker'] | undefined,
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
  const partitions = state.topics.flatMap(({ name, partitions: all }) =>
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
  const waiting = offsets.flatMap(({ topic, partition, committed: offset, lag }) => {
    const [batch] =
      lag === 0 ? [] : (broker?.read({ topic, partition, offset: Math.max(0, offset) }, 1) ?? []);
    return batch === undefined ? [] : [readHeader(batch).maxTimestamp];
  });
  const commits = offsets.map(({ at }) => at);
  return {
    id,
    state: phase,
    generation,
    protocol,
    committed_at: commits.length === 0 ? null : new Date(Math.max(...commits)).toISOString(),
    waiting_since: waiting.length === 0 ? null : new Date(Math.min(...waiting)).toISOString(),
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
