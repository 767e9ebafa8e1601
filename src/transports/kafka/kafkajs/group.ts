import kafkajs, { type Consumer, type EachBatchPayload, type Kafka } from 'kafkajs';
import { type Clock, sleep } from '../../../base/clock.js';
import type { Logger } from '../../../base/logger.js';
import { quoted } from '../../../base/quoted.js';
import type {
  AssignedPartition,
  FetchedBatch,
  GroupMember,
  GroupMembership,
  GroupOptions,
  PartitionOffset,
} from '../client.js';
import { type Cluster, GroupCoordinator } from './coordinator.js';
import { translated } from './errors.js';
import { recordsAmong } from './fetch-response.js';

export interface JoinContext {
  readonly kafka: Kafka;
  /** For messages. */
  readonly where: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What a drain leaves of the time that the group grants. In milliseconds. */
const margin = 1_000;

/** How long a drain may take before the group would go on without this member. */
export function drainDeadline(options: GroupOptions): number {
  return options.rebalanceTimeout - options.heartbeatInterval - options.maxWait - margin;
}

/** Joins the group; resolves with the first assignment. */
export async function joinGroup(
  context: JoinContext,
  options: GroupOptions,
  member: GroupMember,
): Promise<GroupMembership> {
  const membership = new Membership(context, options, member);
  try {
    await membership.start();
  } catch (error) {
    await membership.leave().catch(() => undefined);
    throw translated(error, context.where, `did not let ${consumption(options)}`);
  }
  return membership;
}

/** One kafkajs consumer. It only fetches: what it fetches is handed on at once, so its loop and heartbeat never wait. */
class Membership implements GroupMembership {
  readonly #context: JoinContext;
  readonly #options: GroupOptions;
  readonly #member: GroupMember;
  readonly #coordinator: GroupCoordinator;
  readonly #consumer: Consumer;
  /** What the last sync assigned; told when kafkajs has it, too. */
  #assignment: readonly AssignedPartition[] = [];
  #running: Promise<void> | undefined;
  /** A join under way. kafkajs forgets one when it is stopped meanwhile. */
  #joining: { readonly done: Promise<void>; readonly finish: () => void } | undefined;
  #firstJoin: { resolve(): void; reject(error: Error): void } | undefined;
  #leaving: Promise<void> | undefined;

  constructor(context: JoinContext, options: GroupOptions, member: GroupMember) {
    this.#context = context;
    this.#options = options;
    this.#member = member;
    this.#coordinator = new GroupCoordinator(options.groupId, options.fromBeginning, {
      beforeJoin: (how) => this.#beforeJoin(how),
      assigned: (partitions) => {
        this.#assignment = partitions;
      },
      beforeLeave: () => this.#release({ evicted: false }),
    });
    this.#consumer = context.kafka.consumer({
      groupId: options.groupId,
      sessionTimeout: options.sessionTimeout,
      rebalanceTimeout: options.rebalanceTimeout,
      heartbeatInterval: options.heartbeatInterval,
      maxWaitTimeInMs: options.maxWait,
      maxBytesPerPartition: options.maxBytesPerPartition,
      allowAutoTopicCreation: false,
      retry: {
        initialRetryTime: 100,
        maxRetryTime: 2_000,
        // About 3 seconds; then it starts anew, which we hear of.
        retries: 5,
        restartOnFailure: () => Promise.resolve(this.#leaving === undefined),
      },
      partitionAssigners: [
        (config) => {
          this.#coordinator.attach(config.cluster as unknown as Cluster);
          return kafkajs.PartitionAssigners.roundRobin(config);
        },
      ],
    });
    const { events } = this.#consumer;
    this.#consumer.on(events.GROUP_JOIN, () => this.#joined());
    this.#consumer.on(events.CRASH, ({ payload }) => this.#crashed(payload.error, payload.restart));
    this.#consumer.on(events.FETCH, () => this.#member.fetched());
    this.#consumer.on(events.START_BATCH_PROCESS, ({ payload }) => {
      // Only control records or aborted ones: kafkajs goes past them without a word.
      if (payload.batchSize > 0) return;
      this.#member.skip(payload.topic, payload.partition, Number(payload.lastOffset) + 1);
    });
  }

  async start(): Promise<void> {
    const { topics, fromBeginning } = this.#options;
    await this.#consumer.subscribe({ topics: [...topics], fromBeginning });
    const first = new Promise<void>((resolve, reject) => {
      this.#firstJoin = { resolve, reject };
    });
    this.#running = this.#consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      eachBatch: (payload) => this.#eachBatch(payload),
    });
    await Promise.all([first, this.#running]);
  }

  commit(offsets: readonly PartitionOffset[]): Promise<void> {
    return this.#coordinator.commit(offsets);
  }

  pause(topic: string, partition: number): void {
    this.#consumer.pause([{ topic, partitions: [partition] }]);
  }

  resume(topic: string, partition: number): void {
    this.#consumer.resume([{ topic, partitions: [partition] }]);
  }

  leave(): Promise<void> {
    this.#leaving ??= this.#leave();
    return this.#leaving;
  }

  async #leave(): Promise<void> {
    // One that stops while it joins for the first time, or again after a crash, would stay a member.
    await this.#running?.catch(() => undefined);
    await this.#joining?.done;
    await this.#consumer.disconnect();
  }

  async #eachBatch(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload;
    const { topic, partition, messages } = batch;
    const from = (batch as { readonly fetchedOffset?: string }).fetchedOffset ?? batch.firstOffset();
    const offered: FetchedBatch = {
      topic,
      partition,
      from: Number(from),
      next: Number(batch.lastOffset()) + 1,
      highWatermark: Number(batch.highWatermark),
      records: () => recordsAmong(topic, partition, Number(from), messages),
    };
    // Only the member knows whether it may go: kafkajs has asked itself just now, and nobody seeks or has it stop before.
    if (this.#member.batch(offered)) payload.resolveOffset(batch.lastOffset());
    // It is fetched again at once.
    else await sleep(this.#context.clock, 50);
  }

  /** Lets work come to its end before kafkajs asks to join: from there on the partitions may be somebody else's. */
  async #beforeJoin(how: { readonly evicted: boolean }): Promise<void> {
    if (this.#leaving !== undefined)
      throw Object.assign(new Error('The consumer is closing.'), { retriable: false });
    this.#joining?.finish();
    let finish: () => void = () => undefined;
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    this.#joining = { done, finish };
    if (how.evicted) {
      this.#context.logger.warn(
        `Kafka took the partitions of this member of "${this.#options.groupId}" away, because it was not heard of in time.`,
      );
    }
    await this.#release(how);
  }

  async #release(how: { readonly evicted: boolean }): Promise<void> {
    const { clock, logger } = this.#context;
    const patience = new AbortController();
    const stopHeartbeat = how.evicted ? () => undefined : this.#keepAlive();
    const within = drainDeadline(this.#options);
    // A little longer, so that what has come to its end is committed.
    const deadline = sleep(clock, within + margin / 2, patience.signal).then(
      () => logger.warn('Work did not end before the group had to go on. Some of it may be done twice.'),
      () => undefined,
    );
    try {
      await Promise.race([this.#member.release({ ...how, within }), deadline]);
    } finally {
      patience.abort();
      stopHeartbeat();
    }
  }

  /** While work ends nobody fetches, so nobody else sends a heartbeat. */
  #keepAlive(): () => void {
    const { clock } = this.#context;
    let isOver = false;
    let cancel = () => {};
    const beat = () => {
      if (isOver) return;
      // That a rebalance is in progress is known.
      this.#coordinator.heartbeat().catch(() => undefined);
      cancel = clock.schedule(this.#options.heartbeatInterval, beat);
    };
    cancel = clock.schedule(this.#options.heartbeatInterval, beat);
    return () => {
      isOver = true;
      cancel();
    };
  }

  #joined(): void {
    this.#joining?.finish();
    if (!this.#coordinator.isInPlace) {
      this.#crashed(
        new Error('kafkajs did not join by way of its coordinator; install kafkajs 2.2.4'),
        false,
      );
      return;
    }
    // Pauses outlive a rebalance.
    this.#consumer.resume(this.#options.topics.map((topic) => ({ topic })));
    if (this.#leaving === undefined) {
      this.#coordinator.begin();
      this.#member.assigned(this.#assignment);
    }
    this.#firstJoin?.resolve();
    this.#firstJoin = undefined;
  }

  #crashed(error: Error, restart: boolean): void {
    this.#joining?.finish();
    if (this.#leaving !== undefined) return;
    if (restart) this.#member.interrupted(error);
    else if (this.#firstJoin !== undefined) this.#firstJoin.reject(error);
    else
      this.#member.failed(
        translated(error, this.#context.where, `no longer lets ${consumption(this.#options)}`),
      );
  }
}

function consumption({ groupId, topics }: GroupOptions): string {
  return `group ${quoted(groupId)} consume ${topics.map((topic) => quoted(topic)).join(', ')}`;
}
