import type { Duplex } from 'node:stream';
import { apis } from './apis/all.js';
import { type Address, Connection } from './connection.js';
import { BrokerCore } from './core.js';
import { BrokerFaults } from './faults/broker-faults.js';
import {
  closeConnections,
  evict,
  type EvictOptions,
  rebalance,
  truncate,
  type TruncateOptions,
} from './faults/events.js';
import { type BrokerState, inspectBroker } from './inspect.js';
import { serve } from './serve.js';
import { type AppendRecord, appendRecords } from './topics/append-records.js';

/** An offset of a partition. */
export interface LogOffset {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}

/** The client's host, and the address that Metadata advertises to it. */
export interface Peer {
  readonly clientHost?: string;
  readonly advertised?: Address;
}

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
    stream.once('close', () => {
      this.connections.delete(connection);
      connection.closed();
    });
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
  read({ topic, partition, offset }: LogOffset, maxBytes: number): readonly Buffer[] {
    return this.topics.get(topic)?.partitions[partition]?.read(offset, maxBytes, true).parts ?? [];
  }

  /** Returns the time at which a group first fetched a record; undefined if it is not known. */
  fetchedAt(group: string, { topic, partition, offset }: LogOffset): number | undefined {
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
    return evict(this, options);
  }

  /** Makes every member of a group join again. Returns their number. @throws BusbarError `unknown-group` */
  rebalance(options: Pick<EvictOptions, 'group'>): number {
    return rebalance(this, options);
  }

  /** Deletes the oldest records of partitions. @throws BusbarError `unknown-topic`, `invalid-option` */
  truncate(options: TruncateOptions): void {
    truncate(this, options);
  }

  /** Closes the connections of a client id, by default all. Returns their number. */
  closeConnections(options: Pick<EvictOptions, 'client'> = {}): number {
    return closeConnections(this, options);
  }

  /** Closes all connections and cancels all timers. May be called more than once. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.faults.clear({ answer: 'drop' });
    this.groups.dispose();
    await this.connections.closeAll();
  }
}
