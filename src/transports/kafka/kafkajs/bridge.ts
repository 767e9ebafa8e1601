import kafkajs, { type Kafka } from 'kafkajs';
import type { Socket } from 'node:net';
import { BusbarError } from '../../../base/errors.js';
import { memoized } from '../../../base/once.js';
import { type ApiCodecs, type ApiTable, codecsOf } from '../../../kafka-protocol/api-table.js';
import { apiVersionsTable } from '../../../kafka-protocol/apis/api-versions.js';
import { fetchTable } from '../../../kafka-protocol/apis/fetch.js';
import type { Fields, Read, Written } from '../../../kafka-protocol/fields.js';
import { Reader } from '../../../kafka-protocol/reader.js';
import { Writer } from '../../../kafka-protocol/writer.js';
import { isTimeout } from './errors.js';

/** The brokers of a Kafka cluster, by way of the connections of kafkajs. */
export interface Cluster {
  /** Connects, and loads the addresses of the brokers of the topics. */
  locate(topics: readonly string[]): Promise<void>;
  any(): Promise<Broker>;
  broker(nodeId: number): Promise<Broker>;
  /** Disconnects, and ends the requests in flight. */
  close(): Promise<void>;
}

export interface Broker {
  /**
   * Sends a request in the highest version that both sides have. `timeout` in milliseconds, if above that of kafkajs. An
   * abort ends the connection: the broker reads no other request from it before it has responded.
   */
  send<Req extends Fields, Res extends Fields>(
    api: ApiTable<Req, Res>,
    request: Written<Req>,
    timeout?: number,
    signal?: AbortSignal,
  ): Promise<Read<Res>>;
}

/** All internals of kafkajs 2.2.4 that Busbar uses, checked when a cluster is opened. */
interface InternalCluster {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  addMultipleTargetTopics(topics: readonly string[]): Promise<void>;
  findControllerBroker(): Promise<InternalBroker>;
  findBroker(request: { nodeId: number }): Promise<InternalBroker>;
  readonly brokerPool: {
    /** The broker at the given address. */
    readonly seedBroker?: InternalBroker & { disconnect(): Promise<void> };
    /** The brokers at the addresses that the cluster advertises. */
    readonly brokers: Readonly<Record<string, InternalBroker>>;
  };
  readonly connectionPoolBuilder: { build(address?: object): Promise<InternalBroker['connectionPool']> };
}

interface InternalBroker {
  readonly connectionPool: {
    getConnection(index: number): Promise<InternalConnection>;
    readonly pool: readonly InternalConnection[];
  };
}

interface InternalConnection {
  isConnected(): boolean;
  connect(): Promise<unknown>;
  send(call: object): Promise<Buffer>;
  /** The socket that was opened last. Undefined before the first. */
  readonly socket?: Socket;
  readonly requestQueue: { scheduleRequestTimeoutCheck(): void };
}

type CreateCluster = (options: object) => InternalCluster;

/** The function of each client that creates clusters, with connections that {@link shareConnect} has changed. */
const creators = new WeakMap<Kafka, CreateCluster>();

/**
 * Changes the connections that a client opens from now on, also those of its admin and its producers. Returns the function
 * by which the client creates clusters.
 */
export function shareConnections(kafka: Kafka): CreateCluster {
  const known = creators.get(kafka);
  if (known !== undefined) return known;
  const symbols = Object.getOwnPropertySymbols(kafka);
  const name = symbols.find(({ description }) => description === 'private:Kafka:createCluster');
  const client = kafka as unknown as Record<symbol, CreateCluster>;
  const create = name && client[name];
  if (name === undefined || create === undefined) throw otherKafkajs('client', 'createCluster');
  const sharing: CreateCluster = (options) => {
    const cluster = create(options);
    const { connectionPoolBuilder: builder } = cluster;
    requireMembers('connection pool builder', builder, 'build');
    const build = builder.build.bind(builder);
    builder.build = async (address) => {
      const connections = await build(address);
      requireMembers('connection pool', connections, 'getConnection', 'pool');
      connections.pool.forEach(shareConnect);
      return connections;
    };
    return cluster;
  };
  client[name] = sharing;
  creators.set(kafka, sharing);
  return sharing;
}

/** Returns a cluster of a client, not connected yet. @throws BusbarError `invalid-option` for another kafkajs */
export function clusterOf(kafka: Kafka): Cluster {
  const cluster = shareConnections(kafka)({ allowAutoTopicCreation: false });
  requireMembers('cluster', cluster, 'connect', 'disconnect', 'addMultipleTargetTopics', 'brokerPool');
  requireMembers('cluster', cluster, 'findControllerBroker', 'findBroker');
  const brokers = new WeakMap<InternalBroker, Broker>();
  const usage: Usage = { requests: 0, isClosed: false };
  const wrap = (found: InternalBroker) => {
    const broker = brokers.get(found) ?? new KafkajsBroker(found, usage);
    brokers.set(found, broker);
    return broker;
  };
  /** When kafkajs cannot connect, it updates the addresses of the brokers, but does not try again. */
  const twice = (find: () => Promise<InternalBroker>) => {
    const attempt = () => inUse(usage, find);
    return attempt().catch(attempt).then(wrap);
  };
  return {
    locate: (topics) =>
      inUse(usage, async () => {
        await cluster.connect();
        await cluster.addMultipleTargetTopics(topics);
        const { seedBroker, brokers } = cluster.brokerPool;
        // Its connection would stay idle, and take processor time.
        if (!Object.values(brokers).some((each) => each === seedBroker)) await seedBroker?.disconnect();
      }),
    any: () => twice(() => cluster.findControllerBroker()),
    broker: (nodeId) => twice(() => cluster.findBroker({ nodeId })),
    async close() {
      usage.isClosed = true;
      if (usage.requests > 0) {
        // kafkajs waits for the responses, and a broker may not respond.
        const { brokers, seedBroker } = cluster.brokerPool;
        for (const each of [...Object.values(brokers), seedBroker]) each?.connectionPool.pool.forEach(end);
      }
      await cluster.disconnect();
    },
  };
}

/** The use of a cluster: what waits for a broker at present. */
interface Usage {
  requests: number;
  isClosed: boolean;
}

async function inUse<T>(usage: Usage, request: () => Promise<T>): Promise<T> {
  if (usage.isClosed) throw new Error('closed');
  usage.requests++;
  try {
    return await request();
  } finally {
    usage.requests--;
  }
}

/** Ends a connection and its requests. kafkajs logs an error of a socket, but not its end. */
function end({ socket }: InternalConnection): void {
  socket?.once('close', () => socket.emit('end')).destroy();
}

/**
 * Lets concurrent requests share one socket. kafkajs opens a socket for each request and keeps the last. When one of the
 * others ends, kafkajs ends the connection that is in use.
 */
function shareConnect(connection: InternalConnection): void {
  requireMembers('connection', connection, 'isConnected', 'connect');
  const connect = connection.connect.bind(connection);
  const open = () => {
    if (connection.isConnected()) return connect();
    // The end of an earlier socket would end the new one.
    connection.socket?.destroy();
    // kafkajs would read the next response as the rest of one that was cut.
    Object.assign(connection, { chunks: [], bytesBuffered: 0, bytesNeeded: 4 });
    const connected = connect();
    return Promise.race([connected, closed(connection.socket)]);
  };
  let connecting: Promise<unknown> | undefined;
  connection.connect = () =>
    (connecting ??= open().finally(() => {
      connecting = undefined;
    }));
}

/** Rejects when the socket closes. kafkajs settles its connect only if the socket reports an error. */
function closed(socket: Socket | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const error = new kafkajs.KafkaJSConnectionError('Closed before open');
    // The error of kafkajs comes first: it has the reason. During an outage, kafkajs adds listeners to a closed socket.
    socket?.setMaxListeners(0).once('close', () => void setImmediate(reject, error));
  });
}

const asIs = (raw: Buffer) => Promise.resolve(raw);

const codecsFor = memoized((api: ApiTable): ApiCodecs => codecsOf(api));

class KafkajsBroker implements Broker {
  readonly #internal: InternalBroker;
  readonly #usage: Usage;
  /** The highest version of each API key. */
  #versions: Promise<ReadonlyMap<number, number>> | undefined;

  constructor(internal: InternalBroker, usage: Usage) {
    this.#internal = internal;
    this.#usage = usage;
  }

  send<Req extends Fields, Res extends Fields>(
    api: ApiTable<Req, Res>,
    request: Written<Req>,
    timeout?: number,
    signal?: AbortSignal,
  ): Promise<Read<Res>> {
    return inUse(this.#usage, async () => {
      try {
        this.#versions ??= this.#requestVersions();
        const highest = (await this.#versions).get(api.key) ?? -1;
        return await this.#exchange(api, highest, request, timeout, signal);
      } catch (error) {
        // The broker may return in another release.
        this.#versions = undefined;
        throw error;
      }
    });
  }

  async #requestVersions(): Promise<ReadonlyMap<number, number>> {
    const client = { clientSoftwareName: '', clientSoftwareVersion: '' };
    const { apiKeys } = await this.#exchange(apiVersionsTable, 0, client);
    return new Map(apiKeys.map(({ apiKey, maxVersion }) => [apiKey, maxVersion]));
  }

  async #exchange<Req extends Fields, Res extends Fields>(
    api: ApiTable<Req, Res>,
    highest: number,
    request: Written<Req>,
    requestTimeout?: number,
    signal?: AbortSignal,
  ): Promise<Read<Res>> {
    const { key: apiKey, name: apiName } = api;
    const codecs = codecsFor(api);
    const apiVersion = Math.min(codecs.maxVersion, highest);
    if (apiVersion < codecs.minVersion) {
      throw new BusbarError(
        'protocol-violation',
        `Kafka has no version of ${apiName} that Busbar uses. Upgrade Kafka to 0.11 or later.`,
      );
    }
    const writer = new Writer();
    // kafkajs ends the header of a request before the tagged fields of flexible versions.
    if (codecs.isFlexible(apiVersion)) writer.unsignedVarint(0);
    codecs.requestCodec(apiVersion).write(writer, request);
    const buffer = Buffer.concat(writer.finish());
    // Like kafkajs, keeps fetches apart: one that waits would delay heartbeats.
    const connection = await this.#internal.connectionPool.getConnection(apiKey === fetchTable.key ? 1 : 0);
    requireMembers('connection', connection, 'send');
    requireMembers('request queue', connection.requestQueue, 'scheduleRequestTimeoutCheck');
    signal?.throwIfAborted();
    const giveUp = () => end(connection);
    signal?.addEventListener('abort', giveUp);
    const response = connection.send({
      request: { apiKey, apiVersion, apiName, encode: () => Promise.resolve({ buf: buffer, buffer }) },
      response: { decode: asIs, parse: asIs },
      requestTimeout,
    });
    const raw = await response
      .catch((error: unknown) => {
        // kafkajs keeps the connection, also if it is dead.
        if (isTimeout(error)) giveUp();
        throw error;
      })
      .finally(() => signal?.removeEventListener('abort', giveUp));
    // Clears a timer that otherwise fires every millisecond on an idle connection (tulios/kafkajs#1751).
    connection.requestQueue.scheduleRequestTimeoutCheck();
    const reader = new Reader(raw, { maxElements: Number.POSITIVE_INFINITY });
    if (codecs.isFlexible(apiVersion)) reader.skipTaggedFields();
    return codecs.responseCodec(apiVersion).read(reader) as Read<Res>;
  }
}

function requireMembers<T extends object>(
  what: string,
  object: T | undefined,
  ...names: readonly (keyof T & string)[]
): void {
  const missing = names.find((name) => object?.[name] === undefined);
  if (missing !== undefined) throw otherKafkajs(what, missing);
}

function otherKafkajs(what: string, missing: string): BusbarError {
  const message = `kafka(): the ${what} of this kafkajs has no "${missing}". Install kafkajs 2.2.4.`;
  return new BusbarError('invalid-option', message);
}
