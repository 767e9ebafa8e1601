import { atMost, type Clock, sleep } from '../../base/clock.js';
import { defined } from '../../base/defined.js';
import type { Logger } from '../../base/logger.js';
import { OutageLog } from '../../base/outage-log.js';
import type {
  HeldLetter,
  Partition,
  Receiver,
  Revocation,
  Subscription,
  SubscriptionStatus,
} from '../transport.js';
import type {
  AssignedPartition,
  FetchedBatch,
  GroupMember,
  GroupMembership,
  GroupOptions,
  KafkaConnection,
  Release,
} from './client.js';
import { Commits } from './commits.js';
import type { DeadLetters } from './dead-letters.js';
import { keyOf } from './group/positions.js';
import { isDecided } from './kafkajs/errors.js';
import { findHeldLetters } from './held-letters.js';
import { PartitionFlow } from './partition-flow.js';

export interface KafkaRunOptions {
  readonly connection: KafkaConnection;
  readonly group: GroupOptions;
  readonly commitInterval: number;
  readonly receiver: Receiver;
  readonly deadLetters: DeadLetters;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Time in milliseconds that a stop waits for its last commit, and then to leave the group. */
const stopLimit = 5_000;

/** Number of attempts of the last commit at a stop: three seconds are enough for another coordinator. */
const stopAttempts = 6;

/** One run: passes records of the assigned partitions to the receiver, and commits their offsets. */
export class KafkaRun implements GroupMember {
  readonly #options: KafkaRunOptions;
  readonly #commits: Commits;
  readonly #outages: OutageLog;
  /** One object per partition, across assignments. */
  readonly #partitions = new Map<string, Partition>();
  /** Flows of the current assignment, without those whose release has begun. */
  readonly #flows = new Map<string, PartitionFlow>();
  #membership: GroupMembership | undefined;
  #assignments = 0;
  /** Held dead letters of the whole assignment, once requested. */
  #held: Promise<ReadonlyMap<Partition, readonly HeldLetter[]>> | undefined;
  readonly #closed = new AbortController();
  /** Partitions whose handlers end. No records of them are delivered meanwhile. */
  readonly #revoking = new Set<readonly Partition[]>();
  #connected = false;
  #lastHeard: number | undefined;
  #interruption: { readonly since: number; readonly reason: string } | undefined;
  #stopping: Promise<void> | undefined;

  constructor(options: KafkaRunOptions) {
    const { clock, logger, group, commitInterval: interval } = options;
    this.#options = options;
    this.#outages = new OutageLog(clock, logger, connectionLines, { group: group.groupId });
    this.#commits = new Commits({
      clock,
      logger,
      interval,
      write: (offsets, accepted) => this.#joined.commit(offsets, (each) => accepted(this.#partitionOf(each))),
      positionAfter: (partition, settled) =>
        this.#flows.get(keyOf(partition))?.positionAfter(settled) ?? settled,
    });
  }

  async open(signal?: AbortSignal): Promise<Subscription> {
    const { connection, group, deadLetters } = this.#options;
    this.#membership = await connection.join(group, this, signal);
    return {
      commit: (partition, offset) => this.#commits.settle(partition, offset),
      resume: (partition) => this.#flows.get(keyOf(partition))?.resume(),
      deadLetter: (record, cause, signal) => deadLetters.write(record, cause, signal),
      heldLetters: (partition) => this.#heldLetters(partition),
      status: () => this.#status(),
      stop: () => this.#stop(),
    };
  }

  assigned(added: readonly AssignedPartition[], kept: readonly Partition[] = []): void {
    this.#assignments++;
    this.restored();
    this.#commits.keep(new Set(kept.map((each) => this.#partitionOf(each))));
    for (const each of added) this.#start(each, true);
    this.#options.logger.debug('partitions assigned', {
      group: this.#options.group.groupId,
      partitions: added.length + kept.length,
    });
  }

  began(assigned: AssignedPartition): void {
    // A topic that was created again: its first batch says so.
    if (this.#flows.has(keyOf(assigned))) return;
    this.#start(assigned, false);
    this.#commits.writeLater();
  }

  batch(batch: FetchedBatch): boolean {
    const flow = this.#flows.get(keyOf(batch));
    if (flow === undefined || flow.isClosed || this.#isRevoking(flow.partition)) return false;
    if (!flow.accept(batch)) {
      void this.#restart(flow, batch.from);
      return false;
    }
    if (batch.records.length === 0) this.#commits.writeLater();
    return true;
  }

  async release({ partitions, evicted, within }: Release): Promise<void> {
    const assignment = this.#assignments;
    const released = this.#closeFlows(partitions);
    if (released.length > 0) await this.#revoke(released, { within, lost: evicted });
    // If the group has made a new assignment meanwhile, its offsets belong to that one.
    if (assignment !== this.#assignments) return;
    if (evicted) this.#commits.drop();
    else this.#logUncommitted(await this.#writeLast());
  }

  fetched(): void {
    this.#lastHeard = this.#options.clock.now();
  }

  interrupted(error: Error, since: number): void {
    this.#connected = false;
    this.#interruption ??= { since, reason: error.message };
    if (this.#stopping === undefined) this.#outages.failed(error, since);
  }

  restored(): void {
    this.#connected = this.#stopping === undefined;
    this.#lastHeard = this.#options.clock.now();
    this.#interruption = undefined;
    this.#outages.recovered();
  }

  failed(error: Error): void {
    this.#connected = false;
    this.#outages.stop();
    this.#commits.drop();
    this.#options.receiver.fail(error);
  }

  /** The membership, present once a partition is assigned or `open` has resolved. */
  get #joined(): GroupMembership {
    if (this.#membership === undefined) throw new Error('The consumer has not joined the group yet.');
    return this.#membership;
  }

  #stop(): Promise<void> {
    return (this.#stopping ??= this.#close());
  }

  async #close(): Promise<void> {
    const { connection, clock } = this.#options;
    this.#closeFlows();
    this.#connected = false;
    this.#outages.stop();
    this.#closed.abort();
    const held = this.#held?.catch(() => undefined);
    let failure: string | undefined = `no response within ${stopLimit} ms`;
    const last = this.#writeLast(stopAttempts).then((reason) => (failure = reason));
    await atMost(clock, stopLimit, Promise.all([held, last]));
    this.#logUncommitted(failure);
    this.#commits.drop();
    try {
      await atMost(clock, stopLimit, this.#joined.leave());
    } finally {
      await connection.close();
    }
  }

  /** Returns the reason of a failure. */
  async #writeLast(attempts = 1): Promise<string | undefined> {
    const { clock } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#commits.write();
        return undefined;
      } catch (error) {
        if (attempt === attempts || isDecided(error)) return (error as Error).message;
        await sleep(clock, 50 * 2 ** attempt);
      }
    }
  }

  #logUncommitted(error: string | undefined): void {
    const { logger, group } = this.#options;
    if (error !== undefined) logger.warn('last offsets were not committed', { group: group.groupId, error });
  }

  /** Closes the flows of partitions, or all. Returns their partitions. */
  #closeFlows(partitions?: readonly Partition[]): Partition[] {
    const keys = partitions?.map(keyOf) ?? [...this.#flows.keys()];
    return keys.flatMap((key) => {
      const flow = this.#flows.get(key);
      this.#flows.delete(key);
      flow?.close();
      return flow?.partition ?? [];
    });
  }

  async #revoke(partitions: readonly Partition[], how: Revocation): Promise<void> {
    this.#revoking.add(partitions);
    await this.#options.receiver.revoke(partitions, how).finally(() => this.#revoking.delete(partitions));
  }

  #isRevoking(partition: Partition): boolean {
    return [...this.#revoking].some((partitions) => partitions.includes(partition));
  }

  /** Starts a partition again whose log was truncated or replaced. Ends its handlers: their offsets are of other records. */
  async #restart(flow: PartitionFlow, position: number): Promise<void> {
    const { partition } = flow;
    flow.close();
    this.#commits.stop(partition);
    await this.#revoke([partition], { lost: true });
    // The group may have assigned it again meanwhile, or to another member.
    if (this.#flows.get(keyOf(partition)) !== flow) return;
    this.#start({ ...partition, position }, false);
    this.#joined.resume(partition.topic, partition.partition);
  }

  #start(assigned: AssignedPartition, isCommitted: boolean): void {
    this.#commits.start(this.#partitionOf(assigned), assigned.position, isCommitted);
    this.#held = undefined;
    this.#flows.set(keyOf(assigned), this.#flowOf(assigned));
  }

  #flowOf(assigned: AssignedPartition): PartitionFlow {
    const { topic, partition, position } = assigned;
    const { receiver, group, logger } = this.#options;
    return new PartitionFlow(this.#partitionOf(assigned), position, {
      receiver,
      logger,
      maxWaiting: group.maxBytesPerPartition / 2,
      fetching: {
        pause: () => this.#joined.pause(topic, partition),
        resume: () => {
          // The broker was not asked during the pause, so it was not silent.
          this.fetched();
          this.#joined.resume(topic, partition);
        },
      },
    });
  }

  #partitionOf({ topic, partition }: Partition): Partition {
    const key = keyOf({ topic, partition });
    let cached = this.#partitions.get(key);
    if (cached === undefined) this.#partitions.set(key, (cached = { topic, partition }));
    return cached;
  }

  async #heldLetters(partition: Partition): Promise<readonly HeldLetter[]> {
    const held = (this.#held ??= this.#findHeldLetters());
    try {
      return (await held).get(partition) ?? [];
    } catch (error) {
      if (this.#held === held) this.#held = undefined;
      throw error;
    }
  }

  async #findHeldLetters(): Promise<ReadonlyMap<Partition, readonly HeldLetter[]>> {
    const { connection, group, deadLetters } = this.#options;
    const flows = [...this.#flows.values()];
    const letters = await findHeldLetters({
      connection,
      groupId: group.groupId,
      topicFor: deadLetters.topicFor,
      // Called before the first record of a partition is settled, so its position is the committed offset.
      positions: flows.map((flow) => ({ ...flow.partition, offset: flow.status().position })),
      signal: this.#closed.signal,
    });
    return new Map(flows.map(({ partition }, at) => [partition, letters[at] ?? []]));
  }

  #status(): SubscriptionStatus {
    const { outage: deadLettersFailing } = this.#options.deadLetters.outages;
    return {
      connected: this.#connected,
      lastHeard: this.#lastHeard,
      ...defined({ interruption: this.#interruption, deadLettersFailing }),
      partitions: [...this.#flows.values()].map((flow) => {
        const status = flow.status();
        return { ...status, committed: this.#commits.committed(flow.partition) ?? status.position };
      }),
    };
  }
}

const connectionLines = {
  began: 'kafka connection lost',
  lasts: 'kafka connection still lost',
  ended: 'kafka connection restored',
};
