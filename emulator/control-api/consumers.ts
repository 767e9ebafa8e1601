import type { Router } from 'express';
import type { BrokerState, GroupDescription } from '../broker/index.js';
import type { BrokerSink } from '../sinks/broker.js';
import type { WebSocketSink } from '../sinks/websocket.js';
import { resource } from './resource.js';

/** `/consumers`: who consumes, from the broker and from the stream, and how far each has come. */
export function consumersResource(
  router: Router,
  { broker, stream }: { readonly broker: BrokerSink | undefined; readonly stream: WebSocketSink | undefined },
): void {
  resource(router, '/consumers', {
    get() {
      const state = broker?.broker.inspect();
      return {
        body: {
          bootstrap_servers: broker?.bootstrapServers ?? null,
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
        },
      };
    },
  });
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

/** A group with every partition that it has a member for or has committed an offset in. */
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
      const place = `${name}/${partition}`;
      if (!owners.has(place) && !committed.has(place)) return [];
      const offset = committed.get(place) ?? null;
      return [
        {
          topic: name,
          partition,
          member: owners.get(place) ?? null,
          committed: offset,
          start: startOffset,
          end: endOffset,
          // Where nothing is committed, nobody but the group knows where it begins.
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
