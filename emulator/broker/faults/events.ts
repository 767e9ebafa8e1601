import { BusbarError, checkOptions, nonEmptyText, type OptionTable, quoted, whole } from 'busbar/base';
import type { BrokerCore } from '../core.js';
import type { Group } from '../groups/group.js';
import { evictMembers } from '../groups/membership.js';

/** The members of a group, or those with one client id or member id. */
export interface EvictOptions {
  readonly group: string;
  readonly client?: string;
  readonly member?: string;
}

/** The partitions of a topic, and the offset before which their records are deleted. */
export interface TruncateOptions {
  readonly topic: string;
  /** Default: all partitions. */
  readonly partition?: number;
  /** The new start of the log. Default: its end. */
  readonly before?: number;
}

const group = { type: nonEmptyText, isRequired: true } as const;
const client = { type: nonEmptyText };
const evictOptions = { group, client, member: client } satisfies OptionTable<EvictOptions>;
const rebalanceOptions = { group } satisfies OptionTable<Pick<EvictOptions, 'group'>>;
const closeOptions = { client } satisfies OptionTable<Pick<EvictOptions, 'client'>>;
const truncateOptions = {
  topic: { type: nonEmptyText, isRequired: true },
  partition: { type: whole({ from: 0 }) },
  before: { type: whole({ from: 0 }) },
} satisfies OptionTable<TruncateOptions>;

/** Removes members at once, as if their sessions had expired. Returns their number. */
export function evict(broker: BrokerCore, options: EvictOptions): number {
  checkOptions<EvictOptions>('evict()', evictOptions, options);
  return evictMembers(requireGroup(broker, options.group), options);
}

/** Makes every member join again. Returns their number. */
export function rebalance(broker: BrokerCore, options: Pick<EvictOptions, 'group'>): number {
  checkOptions<Pick<EvictOptions, 'group'>>('rebalance()', rebalanceOptions, options);
  const group = requireGroup(broker, options.group);
  if (group.members.size > 0) group.rebalance();
  return group.members.size;
}

/** Deletes the oldest records. */
export function truncate({ topics }: BrokerCore, options: TruncateOptions): void {
  checkOptions<TruncateOptions>('truncate()', truncateOptions, options);
  const { topic: name, partition, before } = options;
  const topic = topics.get(name);
  const logs = topic?.partitions.filter((_, index) => index === (partition ?? index)) ?? [];
  if (!topic || logs.length === 0) {
    const what = partition === undefined ? '' : ` with a partition ${partition}`;
    throw new BusbarError('unknown-topic', `The broker has no topic ${quoted(name)}${what}.`);
  }
  const end = Math.min(...logs.map(({ endOffset }) => endOffset));
  if ((before ?? 0) > end) {
    throw new BusbarError('invalid-option', `truncate(): "before" is ${before}, but the log ends at ${end}.`);
  }
  for (const log of logs) topics.capacity.removed(topic, log.truncateBefore(before ?? log.endOffset));
}

/** Closes the connections of one client id, or all. Returns their number. */
export function closeConnections({ connections }: BrokerCore, options: Pick<EvictOptions, 'client'>): number {
  checkOptions<Pick<EvictOptions, 'client'>>('closeConnections()', closeOptions, options);
  return connections.closeOf(options.client);
}

function requireGroup({ groups }: BrokerCore, id: string): Group {
  const group = groups.get(id);
  if (group) return group;
  const known = groups.all().map((each) => each.id);
  const hint =
    known.length === 0 ? 'It has no groups.' : `Its groups: ${known.slice(0, 10).map(quoted).join(', ')}.`;
  throw new BusbarError('unknown-group', `The broker has no consumer group ${quoted(id)}. ${hint}`);
}
