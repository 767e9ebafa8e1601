import type { Duplex } from 'node:stream';
import type { Api } from './api.js';
import { apis } from './apis/all.js';
import { BrokerError } from './broker-error.js';
import type { BrokerClock } from './clock.js';
import { ClosedConnections } from './closed-connections.js';
import { type Address, Connection } from './connection.js';
import { Connections } from './connections.js';
import { Groups } from './groups/groups.js';
import { type BrokerState, inspectBroker } from './inspect.js';
import { type Interceptor, Interceptors } from './intercept.js';
import type { BrokerLogger } from './logger.js';
import { LongPolls } from './long-polls.js';
import {
  brokerOptions,
  type BrokerOptions,
  checkBrokerOptions,
  type Settings,
  settingsFrom,
} from './options.js';
import { serve } from './serve.js';
import { type AppendedRecord, type AppendRecord, appendRecords } from './topics/append-records.js';
import { configProblem } from './topics/topic-config.js';
import type { Problem } from './topics/problem.js';
import { Topics } from './topics/topics.js';

/** Where a connection comes from and which address its client is told to come back to. */
export interface Peer {
  readonly clientHost?: string;
  readonly advertised?: Address;
}

/**
 * A single-node broker in memory, for development and tests. It knows bytes and topics and speaks Kafka's protocol
 * over any duplex stream; `startBroker` puts it behind a port.
 *
 * @example
 * const broker = createBroker({ topics: [{ name: 'platform.events', partitions: 6 }] });
 * broker.handle(socket);
 *
 * @throws {BrokerError} INVALID_OPTION
 */
export function createBroker(options: BrokerOptions = {}): Broker {
  checkBrokerOptions('createBroker()', brokerOptions, options);
  return new Broker(options);
}

export class Broker {
  readonly settings: Settings;
  readonly clock: BrokerClock;
  readonly logger: BrokerLogger;
  readonly topics: Topics;
  readonly groups: Groups;
  readonly apis: ReadonlyMap<number, Api> = apis;
  readonly interceptors = new Interceptors();
  readonly longPolls = new LongPolls();
  readonly closedConnections: ClosedConnections;
  readonly connections: Connections;
  readonly #commitListeners = new Set<(groupId: string) => void>();
  #producerIds = 0;
  #stopped = false;

  constructor(options: BrokerOptions) {
    this.settings = settingsFrom(options);
    this.clock = this.settings.clock;
    this.logger = this.settings.logger;
    this.closedConnections = new ClosedConnections(this.clock, this.logger);
    this.connections = new Connections(this.settings, this.closedConnections);
    this.topics = new Topics(this.settings, this.logger);
    this.groups = new Groups(this.settings, this.clock, {
      rebalance: (member) => this.longPolls.end(member),
      commit: (groupId) => {
        for (const listener of this.#commitListeners) listener(groupId);
      },
    });
    for (const { name, partitions = 1, config = {} } of options.topics ?? []) {
      const problem = this.topics.problem(name, partitions) ?? configsProblem(config);
      if (problem) {
        throw new BrokerError('INVALID_OPTION', `topic "${name}" cannot be created: ${problem.message}`);
      }
      this.topics.create(name, partitions, Object.entries(config));
    }
  }

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
   * Appends records without a client, encoded as one batch per partition. A record goes to its `partition`, else to
   * the one of its key as Kafka's default partitioner chooses it, else to the next in turn.
   *
   * @returns where each record went, in the order given
   * @throws {BrokerError} UNKNOWN_TOPIC, UNKNOWN_PARTITION, RECORD_TOO_LARGE; then nothing was appended
   */
  append(topic: string, records: readonly AppendRecord[]): AppendedRecord[] {
    return appendRecords(this, topic, records);
  }

  /** Topics with their offsets, groups with members, assignments, committed offsets and lag, as of now. */
  inspect(): BrokerState {
    return inspectBroker(this);
  }

  /**
   * Calls `listener` with the group's id after each offset that a group has committed.
   *
   * @returns what ends that
   */
  onCommit(listener: (groupId: string) => void): () => void {
    this.#commitListeners.add(listener);
    return () => void this.#commitListeners.delete(listener);
  }

  /**
   * Lets `interceptor` decide on a fault for each request with this API key.
   *
   * @returns what removes the interceptor
   * @throws {BrokerError} UNKNOWN_API
   */
  intercept(apiKey: number, interceptor: Interceptor): () => void {
    if (this.apis.has(apiKey)) return this.interceptors.add(apiKey, interceptor);
    const known = [...this.apis.values()].map(({ key, name }) => `${key} ${name}`).join(', ');
    throw new BrokerError('UNKNOWN_API', `API key "${apiKey}" is not served; there are: ${known}`);
  }

  /** Ids start at 1 and are never given twice. */
  nextProducerId(): number {
    this.#producerIds += 1;
    return this.#producerIds;
  }

  /** Closes every connection and ends all timers. May be called more than once. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.groups.dispose();
    await this.connections.closeAll();
  }
}

function configsProblem(config: Readonly<Record<string, string>>): Problem | undefined {
  return Object.entries(config)
    .map(([name, value]) => configProblem(name, value))
    .find((problem) => problem !== undefined);
}
