import kafkajs from 'kafkajs';
import { BusbarError } from '../../../base/errors.js';
import type { AssignedPartition, PartitionOffset } from '../client.js';
import { isFenced, typeOf } from './errors.js';
import { type Broker, withRecordSets } from './fetch-response.js';
import { type AskableCluster, refusalOf } from './refused-coordinator.js';

/** What of kafkajs' internal cluster and broker is used here. Both are checked for it at run time. */
export interface Cluster extends AskableCluster {
  findGroupCoordinator(request: { groupId: string }): Promise<Coordinator>;
  findBroker(request: { nodeId: string }): Promise<Broker>;
  fetchTopicsOffset(topics: readonly TopicPartitions[]): Promise<TopicOffsets[]>;
}

export interface Coordinator {
  joinGroup(request: { memberId: string }): Promise<{ memberId: string; generationId: number }>;
  syncGroup(request: object): Promise<{ memberAssignment: Buffer }>;
  leaveGroup(request: object): Promise<unknown>;
  heartbeat(request: Generation & { groupId: string }): Promise<unknown>;
  offsetFetch(request: object): Promise<{ responses: TopicOffsets[] }>;
  offsetCommit(request: object): Promise<unknown>;
}

export interface Generation {
  readonly memberId: string;
  readonly groupGenerationId: number;
}

interface TopicPartitions {
  readonly topic: string;
  readonly partitions: readonly { readonly partition: number }[];
  readonly fromBeginning?: boolean;
}

interface TopicOffsets {
  readonly topic: string;
  readonly partitions: readonly { readonly partition: number; readonly offset: string }[];
}

/** What happens around the requests of a membership. */
export interface GroupHooks {
  /** Called before each request to join; the request waits for it. Throws when no more may be joined. */
  beforeJoin(how: { readonly evicted: boolean }): Promise<void>;
  /** The group has given these partitions to this member, in this generation. */
  assigned(partitions: readonly AssignedPartition[]): void;
  /** Called before the request to leave, which waits for it. */
  beforeLeave(): Promise<void>;
}

/**
 * Stands between kafkajs and the group's coordinator. kafkajs offers no moment in which work can come to its end before
 * partitions are given up; the requests to join, to sync and to leave are the moments, and they are wrapped: the object
 * that kafkajs gets inherits from the broker it asked for.
 */
export class GroupCoordinator {
  readonly #groupId: string;
  readonly #fromBeginning: boolean;
  readonly #hooks: GroupHooks;
  #attached: { readonly cluster: Cluster; readonly find: () => Promise<Coordinator> } | undefined;
  #broker: Coordinator | undefined;
  readonly #readers = new WeakMap<Broker, Broker>();
  /** As whom the group knows this member since it joined last. */
  #generation: Generation | undefined;
  /** In whose name positions are written: that of the assignment that is worked on, until the next one is begun. */
  #working: Generation | undefined;
  #hasJoined = false;

  constructor(groupId: string, fromBeginning: boolean, hooks: GroupHooks) {
    this.#groupId = groupId;
    this.#fromBeginning = fromBeginning;
    this.#hooks = hooks;
  }

  /** Whether kafkajs really went through here: it has internals of its own in every version. */
  get isInPlace(): boolean {
    return this.#hasJoined;
  }

  /** @throws BusbarError `invalid-option` when the cluster is not what is known of kafkajs 2.2.4 */
  attach(cluster: Cluster): void {
    assertMethods('cluster', cluster, [
      'findGroupCoordinator',
      'findControllerBroker',
      'findBroker',
      'fetchTopicsOffset',
      'refreshMetadata',
    ]);
    const findBroker = cluster.findBroker.bind(cluster);
    cluster.findBroker = async (request) => this.#reading(await findBroker(request));
    const find = cluster.findGroupCoordinator.bind(cluster);
    this.#attached = { cluster, find: () => find({ groupId: this.#groupId }) };
    cluster.findGroupCoordinator = async (request) => {
      try {
        return this.#wrapped(await find(request));
      } catch (error) {
        throw await refusalOf(error as Error, cluster, this.#groupId);
      }
    };
  }

  /** Rejects when the group has moved on. */
  async heartbeat(): Promise<void> {
    if (this.#generation === undefined) return;
    await (await this.#coordinator()).heartbeat({ groupId: this.#groupId, ...this.#generation });
  }

  /** What was assigned last is worked on from now on. */
  begin(): void {
    this.#working = this.#generation;
  }

  /**
   * Rejects when the generation is no longer the group's. While the next one is being formed that is still the former:
   * in the new one's name an old position would be written to partitions that are another's by now.
   */
  async commit(offsets: readonly PartitionOffset[]): Promise<void> {
    await this.#write(offsets, this.#working);
  }

  async #write(offsets: readonly PartitionOffset[], generation: Generation | undefined): Promise<void> {
    if (generation === undefined) throw notAMember();
    const topics = byTopic(offsets, ({ partition, offset }) => ({
      partition,
      offset: String(offset),
      metadata: 'busbar',
    }));
    try {
      await (await this.#coordinator()).offsetCommit({ groupId: this.#groupId, ...generation, topics });
    } catch (error) {
      // The coordinator may have moved: it is looked for again next time.
      this.#broker = undefined;
      throw error;
    }
  }

  /** kafkajs asks for the broker before each fetch. */
  #reading(broker: Broker): Broker {
    let reading = this.#readers.get(broker);
    if (reading === undefined) {
      assertMethods('broker', broker, ['lookupRequest']);
      this.#readers.set(broker, (reading = withRecordSets(broker)));
    }
    return reading;
  }

  #wrapped(broker: Coordinator): Coordinator {
    assertMethods('broker', broker, [
      'joinGroup',
      'syncGroup',
      'leaveGroup',
      'heartbeat',
      'offsetFetch',
      'offsetCommit',
    ]);
    this.#broker = broker;
    const wrapped = Object.create(broker) as Coordinator;
    wrapped.joinGroup = async (request) => {
      // kafkajs has forgotten who it was; the group may still know.
      const former = request.memberId === '' ? this.#generation : undefined;
      const evicted = former !== undefined && !(await this.#isKnown(broker, former));
      if (evicted) this.#generation = this.#working = undefined;
      await this.#hooks.beforeJoin({ evicted });
      if (former !== undefined && !evicted) await this.#leaveAs(broker, former);
      const joined = await broker.joinGroup(request);
      this.#hasJoined = true;
      this.#generation = { memberId: joined.memberId, groupGenerationId: joined.generationId };
      return joined;
    };
    wrapped.syncGroup = async (request) => {
      const synced = await broker.syncGroup(request);
      try {
        this.#hooks.assigned(await this.#positionsOf(broker, synced.memberAssignment));
      } catch (error) {
        const isFinal = (error as { retriable?: boolean }).retriable === false && !isFenced(error);
        // kafkajs leaves only a group that it has begun to consume for.
        if (isFinal && this.#generation !== undefined) await this.#leaveAs(broker, this.#generation);
        throw error;
      }
      return synced;
    };
    wrapped.leaveGroup = async (request) => {
      await this.#hooks.beforeLeave();
      this.#generation = undefined;
      this.#working = undefined;
      return broker.leaveGroup(request);
    };
    return wrapped;
  }

  /** Whether the partitions are still this member's, so that what it has done can be committed. */
  async #isKnown(broker: Coordinator, generation: Generation): Promise<boolean> {
    try {
      await broker.heartbeat({ groupId: this.#groupId, ...generation });
      return true;
    } catch (error) {
      return typeOf(error) === 'REBALANCE_IN_PROGRESS';
    }
  }

  /** Otherwise the group would wait for a member that does not come back, until its session is over. */
  async #leaveAs(broker: Coordinator, { memberId }: Generation): Promise<void> {
    this.#generation = undefined;
    await broker.leaveGroup({ groupId: this.#groupId, memberId }).catch(() => undefined);
  }

  /**
   * Where the assigned partitions go on. Where nothing is committed yet, the starting position is decided and committed
   * here: the next member would otherwise decide again, from a later end, and skip what came between.
   */
  async #positionsOf(broker: Coordinator, memberAssignment: Buffer): Promise<AssignedPartition[]> {
    const decoded = kafkajs.AssignerProtocol.MemberAssignment.decode(memberAssignment);
    const assigned = Object.entries(decoded?.assignment ?? {}).map(([topic, partitions]) => ({
      topic,
      partitions: partitions.map((partition) => ({ partition })),
    }));
    if (assigned.length === 0) return [];
    const { responses } = await broker.offsetFetch({ groupId: this.#groupId, topics: assigned });
    const committed = positions(responses);
    const known = committed.filter(({ position }) => position >= 0);
    const unknown = committed.filter(({ position }) => position < 0);
    if (unknown.length === 0) return known;
    const initial = positions(await this.#defaultOffsets(unknown));
    const offsets = initial.map(({ topic, partition, position }) => ({ topic, partition, offset: position }));
    await this.#write(offsets, this.#generation);
    return [...known, ...initial];
  }

  async #defaultOffsets(partitions: readonly AssignedPartition[]): Promise<TopicOffsets[]> {
    const topics = byTopic(partitions, ({ partition }) => ({ partition })).map((each) => ({
      ...each,
      fromBeginning: this.#fromBeginning,
    }));
    const { cluster } = this.#kafkajs;
    const known = await cluster.fetchTopicsOffset(topics).catch(() => []);
    if (positions(known).length === partitions.length) return known;
    // The leader of a group may know of partitions that this member has not heard of: kafkajs leaves them out.
    await cluster.refreshMetadata();
    return cluster.fetchTopicsOffset(topics);
  }

  async #coordinator(): Promise<Coordinator> {
    return (this.#broker ??= await this.#kafkajs.find());
  }

  /** There as soon as kafkajs has made the consumer. */
  get #kafkajs() {
    if (this.#attached === undefined) throw new Error('kafkajs has not asked for an assigner.');
    return this.#attached;
  }
}

function positions(topics: readonly TopicOffsets[]): AssignedPartition[] {
  return topics.flatMap(({ topic, partitions }) =>
    partitions.map(({ partition, offset }) => ({ topic, partition, position: Number(offset) })),
  );
}

function byTopic<T extends { readonly topic: string }, P>(list: readonly T[], partitionOf: (each: T) => P) {
  const topics = new Map<string, P[]>();
  for (const each of list) topics.set(each.topic, [...(topics.get(each.topic) ?? []), partitionOf(each)]);
  return [...topics].map(([topic, partitions]) => ({ topic, partitions }));
}

function assertMethods<T extends object>(
  what: string,
  object: T,
  names: readonly (keyof T & string)[],
): void {
  for (const name of names) {
    if (typeof object[name] === 'function') continue;
    throw new BusbarError(
      'invalid-option',
      `kafka(): the ${what} of this kafkajs has no "${name}", so that work could not end before a rebalance. Install kafkajs 2.2.4.`,
    );
  }
}

function notAMember(): Error {
  return Object.assign(new Error('not a member of the group'), { type: 'UNKNOWN_MEMBER_ID' });
}
