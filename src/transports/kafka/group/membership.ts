import { atMost, type Clock, sleep, untilAborted } from '../../../base/clock.js';
import type { Logger } from '../../../base/logger.js';
import { manyListeners } from '../../../base/many-listeners.js';
import { quoted } from '../../../base/errors.js';
import { heartbeatTable } from '../../../kafka-protocol/apis/heartbeat.js';
import { joinGroupTable } from '../../../kafka-protocol/apis/join-group.js';
import { leaveGroupTable } from '../../../kafka-protocol/apis/leave-group.js';
import { syncGroupTable } from '../../../kafka-protocol/apis/sync-group.js';
import { errorCodes } from '../../../kafka-protocol/error-codes.js';
import type { Partition } from '../../transport.js';
import type {
  AssignedPartition,
  GroupMember,
  GroupMembership,
  GroupOptions,
  PartitionOffset,
} from '../client.js';
import type { Cluster } from '../kafkajs/bridge.js';
import { checkCode, isFinal, Refused, translated } from '../kafkajs/errors.js';
import { assign, partitionsIn, protocolsOf, topicsOf } from './assignor.js';
import { Coordinator } from './coordinator.js';
import { type FetchStart, Fetcher } from './fetcher.js';
import { GroupOffsets } from './group-offsets.js';
import { Outage } from './outage.js';
import { type EpochOffset, findLeaders, type GenerationId, keyOf } from './positions.js';

export interface JoinContext {
  readonly cluster: Cluster;
  /** For messages. */
  readonly where: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Time in milliseconds that a drain leaves for commits. */
const margin = 1_000;
/** Time in milliseconds by which a response to a member that joins may exceed the rebalance. */
const joinMargin = 5_000;
/** Delays in milliseconds between attempts to join, or to find the coordinator. */
const minDelay = 100;
const maxDelay = 2_000;
/** Maximum time in milliseconds that a member that ends its attempt to join waits until it has left the group. */
const leaveLimit = 5_000;
/** Interval in milliseconds at which the leader of a group looks for new partitions. */
const metadataInterval = 300_000;

const protocolType = 'consumer';

/** Commits, as a part of an outage: they may fail while heartbeats succeed. */
const commits = Symbol();

/** Errors after which the group no longer knows the member. */
const evicting: ReadonlySet<number | undefined> = new Set([
  errorCodes.unknownMemberId,
  errorCodes.illegalGeneration,
]);

/** Errors of commits after which the group assigns its partitions again. They are no outage. */
const regrouping: ReadonlySet<number | undefined> = new Set([
  ...evicting,
  errorCodes.fencedInstanceId,
  errorCodes.rebalanceInProgress,
]);

/** One generation of the group, as this member has joined it. */
interface Generation extends GenerationId {
  readonly partitions: readonly Partition[];
  /** Of the partitions that this member did not hold before. */
  readonly positions: readonly EpochOffset[];
  /** The topics of the group and their partitions; none unless this member leads the group. */
  readonly led: Led;
}

interface Led {
  readonly topics: readonly string[];
  readonly partitions: readonly Partition[];
}

/** Joins the group. Resolves with the first assignment. Leaves the group again if the signal aborts before that. */
export async function joinGroup(
  context: JoinContext,
  options: GroupOptions,
  member: GroupMember,
  signal?: AbortSignal,
): Promise<GroupMembership> {
  const membership = new Membership(context, options, member);
  await untilAborted(membership.joined, signal, () => atMost(context.clock, leaveLimit, membership.leave()));
  return membership;
}

/**
 * A member of a classic consumer group: joins, works until the group rebalances, drains, and joins again. A cooperative
 * member keeps its partitions meanwhile, and drains those that the new generation gives to others. Every commit and fetch
 * belongs to the generation in which it began.
 */
class Membership implements GroupMembership {
  readonly #context: JoinContext;
  readonly #options: GroupOptions;
  readonly #member: GroupMember;
  readonly #outage: Outage;
  readonly #coordinator: Coordinator;
  readonly #offsets: GroupOffsets;
  /** One listener per request in flight. */
  readonly #leaving = manyListeners();
  readonly #ended: Promise<void>;
  readonly joined: Promise<void>;
  #memberId = '';
  /** The generation in which this member works; absent after an eviction. */
  #generation: Generation | undefined;
  /** Assigned partitions that are not released. */
  #held: readonly Partition[] = [];
  #fetcher: Fetcher | undefined;
  /** The error of a fetch that retries do not fix. */
  #fetchError: Error | undefined;
  /** Ends the work in the present generation. */
  #fail: (error: Error) => void = () => undefined;
  /** The fetches of all generations that are in flight. */
  #fetches: Promise<unknown> = Promise.resolve();

  constructor(context: JoinContext, options: GroupOptions, member: GroupMember) {
    this.#context = context;
    this.#options = options;
    this.#member = member;
    this.#outage = new Outage(context.clock, member);
    this.#coordinator = new Coordinator(context.cluster, options.groupId);
    this.#offsets = new GroupOffsets(context, options, this.#coordinator);
    let ended: Promise<void> = Promise.resolve();
    this.joined = new Promise((resolve, reject) => {
      ended = this.#run(resolve, reject);
    });
    this.#ended = ended;
  }

  async commit(
    offsets: readonly PartitionOffset[],
    accepted?: (partition: Partition) => void,
  ): Promise<void> {
    const generation = this.#generation;
    if (generation === undefined) throw new Refused(errorCodes.unknownMemberId);
    try {
      const epoch = (each: Partition) => this.#fetcher?.epochOf(each);
      await this.#offsets.commit(
        generation,
        offsets.map((each) => ({ ...each, epoch: epoch(each) })),
        accepted,
      );
      this.#outage.recovered(commits);
    } catch (error) {
      if (!regrouping.has(codeOf(error))) this.#outage.failed(commits, error);
      throw error;
    }
  }

  pause(topic: string, partition: number): void {
    this.#fetcher?.pause(topic, partition);
  }

  resume(topic: string, partition: number): void {
    this.#fetcher?.resume(topic, partition);
  }

  async leave(): Promise<void> {
    this.#leaving.abort();
    await this.#ended;
  }

  /** Goes through the states of a membership until it ends. */
  async #run(joined: () => void, rejected: (error: Error) => void): Promise<void> {
    let isJoined = false;
    let failure: Error | undefined;
    try {
      for (;;) {
        const generation = await this.#join();
        if (generation === undefined) break;
        const revoked = await this.#adopt(generation);
        isJoined = true;
        joined();
        // The group assigns them to others once this member has joined without them.
        if (revoked.length > 0) continue;
        if (await this.#work(generation)) await this.#evicted();
        else if (this.#options.rebalance === 'eager') await this.#releaseAll();
      }
      if (this.#held.length > 0) await this.#releaseAll();
    } catch (error) {
      const { where } = this.#context;
      failure = translated(
        error,
        where,
        `${isJoined ? 'no longer lets' : 'did not let'} ${consumption(this.#options)}`,
      );
      // Another process has its partitions.
      if (codeOf(error) === errorCodes.fencedInstanceId) this.#generation = undefined;
      if (isJoined) await this.#releaseAll();
    }
    await this.#leaveGroup();
    await this.#fetches;
    this.#outage.stop();
    if (failure === undefined || this.#isLeaving()) return;
    if (isJoined) this.#member.failed(failure);
    else rejected(failure);
  }

  #isLeaving(): boolean {
    return this.#leaving.signal.aborted;
  }

  /** Tries to join until it succeeds. Returns undefined when the member leaves. */
  async #join(): Promise<Generation | undefined> {
    let delay = minDelay;
    while (!this.#isLeaving()) {
      try {
        const generation = await this.#joinOnce();
        this.#outage.recovered(this);
        this.#outage.recovered(commits);
        return this.#isLeaving() ? undefined : generation;
      } catch (error) {
        if (isFinal(error)) throw error;
        const code = codeOf(error);
        if (code === errorCodes.rebalanceInProgress || code === errorCodes.memberIdRequired) continue;
        if (evicting.has(code)) await this.#evicted();
        else this.#outage.failed(this, error);
        await sleep(this.#context.clock, delay, this.#leaving.signal).catch(() => undefined);
        delay = Math.min(2 * delay, maxDelay);
      }
    }
    return undefined;
  }

  async #joinOnce(): Promise<Generation> {
    const { groupId, groupInstanceId = null, sessionTimeout, rebalanceTimeout } = this.#options;
    // The coordinator responds when all members have joined, and when the leader has assigned the partitions.
    const timeout = rebalanceTimeout + joinMargin;
    const joined = await this.#coordinator.ask(async (coordinator) => {
      const request = {
        groupId,
        groupInstanceId,
        memberId: this.#memberId,
        sessionTimeoutMs: sessionTimeout,
        rebalanceTimeoutMs: rebalanceTimeout,
        protocolType,
        protocols: protocolsOf(this.#options, this.#held, this.#generation?.generationId ?? -1),
        reason: null,
      };
      const response = await coordinator.send(joinGroupTable, request, timeout, this.#leaving.signal);
      // Also after MEMBER_ID_REQUIRED.
      this.#memberId = response.memberId;
      checkCode(response.errorCode);
      return response;
    });
    // Only the leader of the group gets its members.
    const { memberId, generationId, members, protocolName } = joined;
    const id: GenerationId = { memberId, generationId, groupInstanceId };
    const led = await this.#lead(topicsOf(members));
    const { assignment } = await this.#coordinator.ask(async (coordinator) => {
      const request = {
        groupId,
        ...id,
        protocolType,
        protocolName,
        assignments: assign(members, led.partitions),
      };
      const response = await coordinator.send(syncGroupTable, request, timeout, this.#leaving.signal);
      checkCode(response.errorCode);
      return response;
    });
    const partitions = partitionsIn(assignment);
    const positions = await this.#offsets.positionsOf(without(partitions, this.#held), id);
    return { ...id, partitions, positions, led };
  }

  /** Works in a generation from now on. Returns the partitions that this member has released for it. */
  async #adopt(generation: Generation): Promise<readonly Partition[]> {
    const { partitions, positions } = generation;
    this.#generation = generation;
    const revoked = without(this.#held, partitions);
    const kept = without(this.#held, revoked);
    if (revoked.length > 0) await this.#release(generation, revoked);
    this.#held = partitions;
    this.#member.assigned(positions.filter(({ offset }) => offset >= 0).map(positionAt), kept);
    const continued = this.#stopFetching(kept);
    const context = { ...this.#context, outage: this.#outage, leaving: this.#leaving.signal };
    this.#fetcher = new Fetcher(
      context,
      this.#options,
      this.#member,
      [...continued, ...positions],
      (error) => {
        this.#fetchError ??= error;
        this.#fail(error);
      },
    );
    return revoked;
  }

  /** Returns the positions of partitions that another fetcher continues. */
  #stopFetching(partitions: readonly Partition[] = []): FetchStart[] {
    const positions = this.#fetcher?.positionsOf(partitions) ?? [];
    this.#fetches = Promise.all([this.#fetches, this.#fetcher?.stop()]);
    return positions;
  }

  async #lead(topics: readonly string[]): Promise<Led> {
    return { topics, partitions: await findLeaders(this.#context.cluster, topics) };
  }

  /** Sends heartbeats until the generation ends. Returns whether the group has evicted the member. */
  async #work(generation: Generation): Promise<boolean> {
    const over = new AbortController();
    const { signal } = over;
    try {
      return await new Promise<boolean>((resolve, reject) => {
        this.#fail = reject;
        if (this.#fetchError !== undefined) reject(this.#fetchError);
        this.#leaving.signal.addEventListener('abort', () => resolve(false), { signal });
        if (this.#isLeaving()) resolve(false);
        this.#beat(generation, signal).then(resolve, reject);
        this.#watch(generation.led, signal).then(() => resolve(false), reject);
      });
    } finally {
      over.abort();
    }
  }

  /** Sends heartbeats until the group has moved on. Returns whether without this member. Rejects when the signal aborts. */
  async #beat(
    { memberId, generationId, groupInstanceId }: GenerationId,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { groupId, heartbeatInterval } = this.#options;
    const request = { groupId, groupInstanceId, memberId, generationId };
    for (let delay = heartbeatInterval; ; ) {
      await sleep(this.#context.clock, delay, signal);
      try {
        await this.#coordinator.ask(async (coordinator) =>
          checkCode((await coordinator.send(heartbeatTable, request)).errorCode),
        );
        this.#outage.recovered(this);
        delay = heartbeatInterval;
      } catch (error) {
        const code = codeOf(error);
        if (evicting.has(code)) return true;
        if (code === errorCodes.rebalanceInProgress) return false;
        if (isFinal(error)) throw error;
        this.#outage.failed(this, error);
        delay = Math.min(heartbeatInterval, maxDelay);
      }
    }
  }

  /** As the leader of the group, waits until a topic has other partitions. Rejects when the signal aborts. */
  async #watch({ topics, partitions }: Led, signal: AbortSignal): Promise<void> {
    for (;;) {
      await sleep(this.#context.clock, metadataInterval, signal);
      const found = await findLeaders(this.#context.cluster, topics).catch(() => partitions);
      if (found.length !== partitions.length) return;
    }
  }

  /** Joins as a new member from now on, because others have the partitions. */
  async #evicted(): Promise<void> {
    if (this.#generation !== undefined)
      this.#context.logger.warn('group session timed out', { group: this.#options.groupId });
    this.#memberId = '';
    this.#generation = undefined;
    if (this.#held.length > 0) await this.#releaseAll();
  }

  async #releaseAll(): Promise<void> {
    this.#stopFetching();
    this.#held = [];
    await this.#release(this.#generation);
  }

  /** Waits until work has ended and is committed, with heartbeats unless the member was evicted. */
  async #release(generation: Generation | undefined, partitions?: readonly Partition[]): Promise<void> {
    const { clock, logger } = this.#context;
    const over = new AbortController();
    const within = drainTime(this.#options);
    const deadline = sleep(clock, within + margin / 2, over.signal).then(
      () => logger.warn('handlers did not end before the rebalance', { group: this.#options.groupId }),
      () => undefined,
    );
    if (generation !== undefined) void this.#keepAlive(generation, over.signal);
    try {
      await Promise.race([
        this.#member.release({ partitions, evicted: generation === undefined, within }),
        deadline,
      ]);
    } finally {
      over.abort();
    }
  }

  async #keepAlive(generation: Generation, signal: AbortSignal): Promise<void> {
    // A rebalance is known already.
    while (!signal.aborted) await this.#beat(generation, signal).catch(() => undefined);
  }

  /** Leaves the group, unless the member is static: its next process keeps the partitions (KIP-345). */
  async #leaveGroup(): Promise<void> {
    const memberId = this.#memberId;
    const { groupId, groupInstanceId = null } = this.#options;
    if (memberId === '' || groupInstanceId !== null) return;
    const members = [{ memberId, groupInstanceId, reason: null }];
    await this.#coordinator
      .ask((coordinator) => coordinator.send(leaveGroupTable, { groupId, memberId, members }))
      .catch(() => undefined);
    this.#generation = undefined;
  }
}

/** The time in milliseconds in which handlers can end before the group continues without this member. */
function drainTime({ rebalanceTimeout, heartbeatInterval }: GroupOptions): number {
  return rebalanceTimeout - heartbeatInterval - margin;
}

function without(partitions: readonly Partition[], removed: readonly Partition[]): Partition[] {
  const keys = new Set(removed.map(keyOf));
  return partitions.filter((each) => !keys.has(keyOf(each)));
}

function positionAt({ topic, partition, offset }: PartitionOffset): AssignedPartition {
  return { topic, partition, position: offset };
}

function codeOf(error: unknown): number | undefined {
  return error instanceof Refused ? error.code : undefined;
}

/** The end of a message: the group and its topics. */
export function consumption({ groupId, topics }: GroupOptions): string {
  return `group ${quoted(groupId)} consume ${topics.map((topic) => quoted(topic)).join(', ')}`;
}
