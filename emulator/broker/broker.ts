import type { Duplex } from 'node:stream';
import { BusbarError, checkOptions, nonEmptyText, type OptionTable, quoted, whole } from 'busbar/base';
import { apis } from './apis/all.js';
import { type Address, Connection } from './connection.js';
import { BrokerCore } from './core.js';
import { BrokerFaults } from './faults/broker-faults.js';
import type { RecordPosition } from './faults/rules.js';
import type { Group } from './groups/group.js';
import { type BrokerState, inspectBroker } from './inspect.js';
import { serve } from './serve.js';
import { type AppendRecord, appendRecords } from './topics/append-records.js';

/** The client's host, and the address that Metadata advertises to it. */
export interface Peer {
  readonly clientHost?: string;
  readonly advertised?: Address;
}

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

/**
 * A single-node broker in memory, for development and tests. It speaks Kafka's protocol over any duplex stream;
 * `startBroker` makes it listen on a port.
 */
export class Broker extends BrokerCore {
  readonly faults = new BrokerFaults(this, [...apis.values()]);
  #stopped = false;

  /** Serves a client over the stream until either side ends it. */
  handle(stream: Duplex, peer: Peer = {}): void {
    if (this.#stopped) {
      stream.destroy();
      return;
    }
    const advertised = this.settings.advertised ?? peer.advertised ?? { host: 'localhost', port: 9092 };
    const connection = new Connection(
      stream,
      peer.clientHost ?? 'localhost',
      advertised,
      this.settings.sasl === undefined,
    );
    this.connections.add(connection);
    stream.once('close', () => this.connections.delete(connection));
    void serve(this, connection);
  }

  /**
   * Appends records without a client, as one batch per partition. The partition is the record's `partition`, else the
   * one that Kafka's default partitioner chooses for the key, else the next in turn. Appends nothing if it throws.
   * @throws BusbarError `unknown-topic`, `invalid-option`, `record-refused`
   */
  append(topic: string, records: readonly AppendRecord[]): void {
    appendRecords(this, topic, records);
  }

  /** Returns whole batches from the one with the offset: at most `maxBytes`, or one; none from the end on. */
  read({ topic, partition, offset }: RecordPosition, maxBytes: number): readonly Buffer[] {
    return this.topics.get(topic)?.partitions[partition]?.read(offset, maxBytes, true).parts ?? [];
  }

  /** Returns the time at which a group first fetched a record; undefined if it is not known. */
  fetchedAt(group: string, { topic, partition, offset }: RecordPosition): number | undefined {
    const log = this.topics.get(topic)?.partitions[partition];
    return log && this.groups.get(group)?.deliveries.timeOf(log, offset);
  }

  /** Returns the current topics with their offsets, and groups with members, assignments, committed offsets and lag. */
  inspect(): BrokerState {
    return inspectBroker(this);
  }

  /**
   * Removes members of a group at once, as if their sessions had expired. Returns their number.
   * @throws BusbarError `unknown-group`
   */
  evict(options: EvictOptions): number {
    checkOptions<EvictOptions>('evict()', evictOptions, options);
    return this.#requireGroup(options.group).evict(options);
  }

  /** Makes every member of a group join again. Returns their number. @throws BusbarError `unknown-group` */
  rebalance(options: Pick<EvictOptions, 'group'>): number {
    checkOptions<Pick<EvictOptions, 'group'>>('rebalance()', rebalanceOptions, options);
    const found = this.#requireGroup(options.group);
    if (found.members.size > 0) found.rebalance();
    return found.members.size;
  }

  /** Deletes the oldest records of partitions. @throws BusbarError `unknown-topic`, `invalid-option` */
  truncate(options: TruncateOptions): void {
    checkOptions<TruncateOptions>('truncate()', truncateOptions, options);
    const { topic: name, partition, before } = options;
    const topic = this.topics.get(name);
    const logs = topic?.partitions.filter((_, index) => index === (partition ?? index)) ?? [];
    if (!topic || logs.length === 0) {
      const what = partition === undefined ? '' : ` with a partition ${partition}`;
      throw new BusbarError('unknown-topic', `The broker has no topic ${quoted(name)}${what}.`);
    }
    const end = Math.min(...logs.map(({ endOffset }) => endOffset));
    if ((before ?? 0) > end) {
      throw new BusbarError(
        'invalid-option',
        `truncate(): "before" is ${before}, but the log ends at ${end}.`,
      );
    }
    for (const log of logs) this.topics.capacity.removed(topic, log.truncateBefore(before ?? log.endOffset));
  }

  /** Closes the connections of a client id, by default all. Returns their number. */
  closeConnections(options: Pick<EvictOptions, 'client'> = {}): number {
    checkOptions<Pick<EvictOptions, 'client'>>('closeConnections()', closeOptions, options);
    return this.connections.closeOf(options.client);
  }

  /** Closes all connections and cancels all timers. May be called more than once. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.faults.clear({ answer: 'drop' });
    this.groups.dispose();
    await this.connections.closeAll();
  }

  #requireGroup(id: string): Group {
    const group = this.groups.get(id);
    if (group) return group;
    const known = this.groups.all().map((each) => each.id);
    const hint =
      known.length === 0 ? 'It has no groups.' : `Its groups: ${known.slice(0, 10).map(quoted).join(', ')}.`;
    throw new BusbarError('unknown-group', `The broker has no consumer group ${quoted(id)}. ${hint}`);
  }
}
