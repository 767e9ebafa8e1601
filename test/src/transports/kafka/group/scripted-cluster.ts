import { onTestFinished } from 'vitest';
import type { VirtualClock } from '../../../../../src/base/clock.js';
import { virtualClock } from '../../../../../src/base/clock.js';
import { errorCodes } from '../../../../../src/kafka-protocol/error-codes.js';
import { ZERO_UUID } from '../../../../../src/kafka-protocol/fields.js';
import type {
  AssignedPartition,
  FetchedBatch,
  GroupMember,
  GroupMembership,
  GroupOptions,
  Release,
} from '../../../../../src/transports/kafka/client.js';
import { assign } from '../../../../../src/transports/kafka/group/assignor.js';
import { joinGroup } from '../../../../../src/transports/kafka/group/membership.js';
import type { Broker, Cluster } from '../../../../../src/transports/kafka/kafkajs/bridge.js';
import type { Partition } from '../../../../../src/transports/transport.js';
import { logLines } from '../../../log-lines.js';

/** A request as a broker receives it. */
export interface Sent {
  readonly api: string;
  /** The versions in which the member can send it. */
  readonly versions: string;
  /** Node id; undefined for any broker. */
  readonly node: number | undefined;
  readonly request: Requested;
  readonly timeout: number | undefined;
}

/** Fields that responses depend on. Each request has some of them. */
interface Requested {
  readonly memberId: string;
  readonly groupInstanceId: string | null;
  readonly protocols: readonly { readonly name: string; readonly metadata: Buffer }[];
  readonly assignments: readonly { readonly memberId: string; readonly assignment: Buffer }[];
  readonly topics: readonly {
    readonly name: string;
    readonly partitions: readonly (number | { readonly partition: number })[];
  }[];
}

type Response = (request: Requested) => object | Promise<object>;

const { none } = errorCodes;

/**
 * A Kafka cluster whose brokers return what a test says, for a group with one member, `me`. Broker 1 coordinates the group
 * and leads all partitions. Every group has a virtual clock.
 */
export class ScriptedCluster implements Cluster {
  readonly clock: VirtualClock = virtualClock();
  readonly logger = logLines();
  readonly sent: Sent[] = [];
  /** Partitions by topic: the node ids of their leaders. */
  leaders: Record<string, readonly number[]> = { events: [1, 1] };
  topicId = ZERO_UUID;
  /** Committed offsets by partition; -1 for none. */
  committed: readonly number[] = [5, 7];
  /** The metadata of each commit. */
  metadata = 'busbar partitions=2';
  /** The member that assigns partitions. */
  leader = 'me';
  readonly #next = new Map<string, Response[]>();
  readonly #always = new Map<string, Response>();
  #generation = 0;
  #isOver = false;

  /** Returns the responses to the next requests of an API in turn. */
  next(api: string, ...responses: readonly (Response | object)[]): void {
    const list = this.#next.get(api) ?? [];
    this.#next.set(api, list);
    for (const each of responses) list.push(typeof each === 'function' ? (each as Response) : () => each);
  }

  /** Holds the response to the next request of an API until the returned function is called. */
  hold(api: string, response: Response): () => void {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    this.next(api, (request: Requested) => released.then(() => response(request)));
    return release;
  }

  /** Returns this response to every request of an API. Without one, the usual response again. */
  always(api: string, response?: Response | object): void {
    if (response === undefined) this.#always.delete(api);
    else this.#always.set(api, typeof response === 'function' ? (response as Response) : () => response);
  }

  requests(api: string): Sent[] {
    return this.sent.filter((each) => each.api === api);
  }

  locate(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  any(): Promise<Broker> {
    return Promise.resolve(this.#brokerOf(undefined));
  }

  broker(node: number): Promise<Broker> {
    return Promise.resolve(this.#brokerOf(node));
  }

  /** Responds to nothing more, so that a member of a failed test stops. */
  end(): void {
    this.#isOver = true;
  }

  /** Lets pending promises continue. */
  async turns(): Promise<void> {
    for (let turn = 0; turn < 12; turn++) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Lets time pass, and pending promises continue before and after. */
  async pass(milliseconds: number): Promise<void> {
    await this.turns();
    this.clock.advance(milliseconds);
    await this.turns();
  }

  #brokerOf(node: number | undefined): Broker {
    return {
      send: async (api, request, timeout, signal) => {
        // Like a connection, which it destroys at an abort.
        const heard = () => undefined;
        signal?.addEventListener('abort', heard);
        const received = request as unknown as Requested;
        this.sent.push({ api: api.name, versions: api.versions, node, request: received, timeout });
        await new Promise((resolve) => setImmediate(resolve));
        if (this.#isOver) await new Promise(() => undefined);
        signal?.removeEventListener('abort', heard);
        const response = this.#next.get(api.name)?.shift() ?? this.#always.get(api.name);
        return (await (response ?? this.#usual(api.name))(received)) as never;
      },
    };
  }

  #usual(api: string): Response {
    const ofPartitions = (item: (partition: number) => object) => (request: Requested) => ({
      errorCode: none,
      topics: request.topics.map(({ name, partitions }) => ({
        name,
        partitions: partitions.map((each) => {
          const partition = typeof each === 'number' ? each : each.partition;
          return { partition, errorCode: none, ...item(partition) };
        }),
      })),
    });
    switch (api) {
      case 'FindCoordinator':
        return () => ({ errorCode: none, nodeId: 1 });
      case 'JoinGroup':
        return (request) => this.joined(request);
      case 'SyncGroup':
        return ({ assignments }) => ({
          errorCode: none,
          assignment:
            assignments.find(({ memberId }) => memberId === 'me')?.assignment ?? this.assignmentOf(0, 1),
        });
      case 'Metadata':
        return ({ topics }) => ({
          topics: topics.map(({ name }) => ({
            errorCode: none,
            name,
            topicId: this.topicId,
            partitions: (this.leaders[name] ?? []).map((leaderId, partition) => ({ partition, leaderId })),
          })),
        });
      case 'OffsetFetch':
        return ofPartitions((partition) => {
          const committedOffset = this.committed[partition]!;
          return { committedOffset, metadata: committedOffset < 0 ? '' : this.metadata };
        });
      case 'ListOffsets':
        return ofPartitions((partition) => ({ offset: 100 + partition }));
      case 'Fetch':
        return () => ({ errorCode: none, topics: [] });
      case 'OffsetCommit':
        return ofPartitions(() => ({}));
      default:
        return () => ({ errorCode: none });
    }
  }

  /** The response to a request to join. */
  joined({ protocols }: Requested): object {
    const { name, metadata } = protocols[0]!;
    const generationId = ++this.#generation;
    const members = this.leader === 'me' ? [{ memberId: 'me', metadata }] : [];
    return {
      errorCode: none,
      generationId,
      leader: this.leader,
      memberId: 'me',
      members,
      protocolName: name,
    };
  }

  /** An assignment of partitions of `events` to `me`, as the leader of the group sends it. */
  assignmentOf(...partitions: readonly number[]): Buffer {
    const { protocols } = this.requests('JoinGroup').at(-1)!.request;
    const members = [{ memberId: 'me', metadata: protocols[0]!.metadata }];
    const [assigned] = assign(
      members,
      partitions.map((partition) => ({ topic: 'events', partition })),
    );
    return assigned!.assignment;
  }
}

export const groupOptions: GroupOptions = {
  groupId: 'readers',
  topics: ['events'],
  fromBeginning: true,
  rebalance: 'eager',
  sessionTimeout: 30_000,
  rebalanceTimeout: 60_000,
  heartbeatInterval: 3_000,
  maxWait: 50,
  maxBytesPerPartition: 1_000,
};

/** Time in milliseconds that handlers get to end: the rebalance timeout without a heartbeat and a second. */
export const within = 56_000;

/** A member that notes its callbacks. */
export class NotingMember implements GroupMember {
  readonly assignments: (readonly AssignedPartition[])[] = [];
  /** The partitions that each assignment continues. */
  readonly kept: (readonly Partition[])[] = [];
  readonly begun: AssignedPartition[] = [];
  readonly batches: FetchedBatch[] = [];
  readonly releases: Release[] = [];
  readonly interruptions: Error[] = [];
  /** The start of each interruption. */
  readonly since: number[] = [];
  readonly failures: Error[] = [];
  restorations = 0;
  fetches = 0;
  /** Settles the release. */
  onRelease: (how: Release) => Promise<void> = () => Promise.resolve();

  assigned(added: readonly AssignedPartition[], kept: readonly Partition[] = []): void {
    this.assignments.push(added);
    this.kept.push(kept);
  }

  began(partition: AssignedPartition): void {
    this.begun.push(partition);
  }

  batch(batch: FetchedBatch): boolean {
    this.batches.push(batch);
    return true;
  }

  release(how: Release): Promise<void> {
    this.releases.push(how);
    return this.onRelease(how);
  }

  fetched(): void {
    this.fetches++;
  }

  interrupted(error: Error, since: number): void {
    this.interruptions.push(error);
    this.since.push(since);
  }

  restored(): void {
    this.restorations++;
  }

  failed(error: Error): void {
    this.failures.push(error);
  }
}

/** Starts to join the group of a cluster. */
export function joining(cluster: ScriptedCluster, options: Partial<GroupOptions> = {}, signal?: AbortSignal) {
  onTestFinished(() => cluster.end());
  const member = new NotingMember();
  const { clock, logger } = cluster;
  const context = { cluster, where: 'kafka:9092', clock, logger };
  const joined: Promise<GroupMembership> = joinGroup(
    context,
    { ...groupOptions, ...options },
    member,
    signal,
  );
  return { member, joined };
}

/** A response that is an error. */
export const refused = (errorCode: number) => ({ errorCode });

/** The end of a connection in place of a response. */
export const cut = () => Promise.reject(new Error('Connection closed'));

/** The response to a fetch of one partition. */
export function fetched(
  records: Buffer,
  others: {
    readonly partition?: number;
    readonly errorCode?: number;
    readonly preferredReadReplica?: number;
  } = {},
): object {
  const partitions = [{ partition: 0, errorCode: none, highWatermark: 9, records, ...others }];
  return { errorCode: none, topics: [{ topic: 'events', partitions }] };
}
