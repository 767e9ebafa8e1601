import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, sleep } from '../../../base/clock.js';
import { manyListeners } from '../../../base/many-listeners.js';
import { errorCodes } from '../../../kafka-protocol/error-codes.js';
import { ZERO_UUID } from '../../../kafka-protocol/fields.js';
import type { RecordSet } from '../../../kafka-protocol/record-set.js';
import type { Partition } from '../../transport.js';
import type { FetchedBatch, GroupMember, GroupOptions } from '../client.js';
import type { Broker, Cluster } from '../kafkajs/bridge.js';
import { checkCode, isFinal } from '../kafkajs/errors.js';
import { type Fetched, fetchFrom, recordsOf } from './fetch.js';
import type { Outage } from './outage.js';
import {
  earliest,
  type EpochOffset,
  epochEnds,
  findLeaders,
  keyOf,
  latest,
  noLeader,
  offsetsAt,
  topicsIn,
} from './positions.js';

export interface FetcherContext {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly outage: Outage;
  /** Ends the requests in flight when the member leaves. */
  readonly leaving: AbortSignal;
}

/** Delays in milliseconds before a partition is fetched again after its first failure, and after many. */
const minDelay = 200;
const maxDelay = 2_000;

/** Maximum delay in milliseconds before a damaged batch is fetched again: to find the damage may take a second of CPU. */
const maxDamageDelay = 30_000;

/** Time in milliseconds before a refused batch is offered again. */
const offerDelay = 50;

/** Maximum time in milliseconds that a fetch waits for records while another partition of the node is paused. */
const pausedWait = 100;

/** Time in milliseconds after which the leader is asked for a replica again. The Java client has the same. */
const replicaTerm = 300_000;

/** The offset at which fetching a partition begins. */
export interface FetchStart extends EpochOffset {
  readonly topicId?: string;
  readonly isPaused?: boolean;
}

interface Assigned extends Partition {
  /** Offset of the next fetch. Negative before the first: the timestamp of the offset that must be listed. */
  position: number;
  /** Node that it is fetched from, the leader or a nearer replica; undefined while the leader must be looked for. */
  node: number | undefined;
  /** Time of the run's clock at which the leader is asked again for a nearer replica; undefined at the leader. */
  nearUntil: number | undefined;
  /** Id of the topic of the position. */
  topicId: string;
  /** Leader epoch of the last batch; -1 before the first. */
  epoch: number;
  /** Whether the leader may lack the records before the position. */
  isMoved: boolean;
  /** Delay in milliseconds after the last failure; 0 after a success. */
  delay: number;
  isPaused: boolean;
  /** Whether the last batch was damaged, and the delay before its next fetch is not over. */
  isDelayed: boolean;
  /** Whether the member took the last batch without a pause, so that the next may be requested before it is handled. */
  keepsUp: boolean;
  /** Batches that the member has not taken, oldest first: at most two. */
  offered: FetchedBatch[];
}

/**
 * Fetches the partitions of one generation, with one request at a time to each node. While the member handles a
 * response, the next is under way, for the partitions that keep up.
 */
export class Fetcher {
  readonly #context: FetcherContext;
  readonly #options: GroupOptions;
  readonly #member: GroupMember;
  readonly #fail: (error: Error) => void;
  readonly #byKey: ReadonlyMap<string, Assigned>;
  /** In the order of requests. A response has room for few full partitions, so those without new records are first. */
  #partitions: readonly Assigned[];
  /** One loop for each node, and one that looks for leaders. */
  readonly #loops = new Map<number | undefined, Promise<void>>();
  /** Requests by node that were sent before the response to the last was handled. */
  readonly #ahead = new Map<number | undefined, Promise<Fetched[]>>();
  /** One listener per damaged partition. */
  readonly #stopped = manyListeners();
  #waiting: (() => void)[] = [];

  /** `fail` is called with an error that retries do not fix. */
  constructor(
    context: FetcherContext,
    options: GroupOptions,
    member: GroupMember,
    positions: readonly FetchStart[],
    fail: (error: Error) => void,
  ) {
    this.#context = context;
    this.#options = options;
    this.#member = member;
    this.#fail = fail;
    this.#partitions = positions.map(
      ({ offset, epoch = -1, topicId = ZERO_UUID, isPaused = false, ...each }) => ({
        ...each,
        position: offset,
        node: undefined,
        nearUntil: undefined,
        topicId,
        epoch,
        isMoved: false,
        delay: 0,
        isPaused,
        isDelayed: false,
        keepsUp: false,
        offered: [],
      }),
    );
    this.#byKey = new Map(this.#partitions.map((each) => [keyOf(each), each]));
    this.#follow(undefined);
  }

  /** Returns the leader epoch of the last batch. */
  epochOf(partition: Partition): number | undefined {
    return this.#byKey.get(keyOf(partition))?.epoch;
  }

  /** Returns the positions after the batches that the member has taken. */
  positionsOf(partitions: readonly Partition[]): FetchStart[] {
    return partitions.flatMap((wanted) => {
      const each = this.#byKey.get(keyOf(wanted));
      if (each === undefined) return [];
      const { topic, partition, epoch, topicId, isPaused, position, offered } = each;
      return { topic, partition, offset: offered[0]?.from ?? position, epoch, topicId, isPaused };
    });
  }

  pause(topic: string, partition: number): void {
    const found = this.#byKey.get(keyOf({ topic, partition }));
    if (found === undefined) return;
    found.isPaused = true;
    found.keepsUp = false;
  }

  resume(topic: string, partition: number): void {
    const found = this.#byKey.get(keyOf({ topic, partition }));
    if (found !== undefined) found.isPaused = false;
    this.#wake();
  }

  /** Offers no more batches. Resolves when no request is in flight. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#wake();
    for (const each of this.#partitions) this.#context.outage.recovered(each);
    await Promise.all(this.#loops.values());
  }

  #isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  #follow(node: number | undefined): void {
    if (this.#loops.has(node)) {
      // It may wait, because it has only partitions that are paused.
      this.#wake();
      return;
    }
    const loop = this.#loop(node).catch((error: unknown) => {
      if (!this.#isStopped()) this.#fail(error as Error);
    });
    this.#loops.set(node, loop);
  }

  async #loop(node: number | undefined): Promise<void> {
    while (!this.#isStopped()) {
      const partitions = this.#partitions.filter((each) => each.node === node);
      if (partitions.length === 0) {
        this.#loops.delete(node);
        break;
      }
      try {
        if (node === undefined) await this.#locate(partitions);
        else await this.#fetch(node, partitions);
      } catch (error) {
        for (const each of partitions) this.#lost(each, error);
      }
    }
    await this.#ahead.get(node)?.catch(() => undefined);
  }

  async #locate(partitions: readonly Assigned[]): Promise<void> {
    const { cluster, clock } = this.#context;
    const delay = Math.min(...partitions.map((each) => each.delay));
    if (delay > 0) await sleep(clock, delay, this.#stopped.signal).catch(() => undefined);
    if (this.#isStopped()) return;
    const found = await findLeaders(cluster, topicsIn(partitions));
    const byKey = new Map(found.map((each) => [keyOf(each), each]));
    for (const each of partitions) {
      const { leader, topicId = ZERO_UUID } = byKey.get(keyOf(each)) ?? {};
      if (leader === undefined) {
        this.#lost(each, noLeader(each));
        continue;
      }
      if (![ZERO_UUID, topicId].includes(each.topicId)) {
        each.offered = [];
        each.epoch = -1;
        each.position = earliest;
      }
      each.isMoved = true;
      each.topicId = topicId;
      each.node = leader;
      each.nearUntil = undefined;
      this.#follow(leader);
    }
  }

  async #begin(each: Assigned): Promise<void> {
    if (each.position >= 0) return;
    try {
      this.#continueAt(each, await this.#offsetAt(each, each.position));
    } catch (error) {
      this.#lost(each, error);
    }
  }

  /** Continues at the first record if the records before it expired, and otherwise where a group without offsets begins. */
  async #reset(each: Assigned): Promise<void> {
    const start = await this.#offsetAt(each, earliest);
    const isFirst = start > each.position || this.#options.fromBeginning;
    this.#continueAt(each, isFirst ? start : await this.#offsetAt(each, latest));
  }

  async #offsetAt(each: Assigned, timestamp: number): Promise<number> {
    const [found] = await offsetsAt(this.#context.cluster, [each], timestamp);
    if (found === undefined || found.offset < 0) throw noLeader(each);
    return found.offset;
  }

  #continueAt(each: Assigned, next: number): void {
    const { topic, partition, position: from } = each;
    if (this.#isStopped() || next === from) return;
    each.position = next;
    if (from < 0) this.#member.began({ topic, partition, position: next });
    // Without records: the member commits the offset, also if none follow.
    each.offered.push({ topic, partition, from: next, next, highWatermark: next, records: [] });
  }

  async #fetch(node: number, partitions: readonly Assigned[]): Promise<void> {
    const ready = partitions.filter((each) => isWanted(each) && this.#offer(each));
    const ahead = this.#ahead.get(node);
    if (ahead === undefined && ready.length === 0) {
      await this.#wait(partitions.some(({ offered }) => offered.length > 0) ? offerDelay : undefined);
      return;
    }
    const responses = await (ahead ?? this.#request(node, ready)).finally(() => this.#ahead.delete(node));
    if (this.#isStopped()) return;
    this.#member.fetched();
    const full = new Set<Assigned>();
    await Promise.all(
      responses.map(async (response) => {
        const each = this.#byKey.get(keyOf(response));
        if (each === undefined) return;
        if (response.bytes.length > 0) full.add(each);
        try {
          await this.#take(each, response);
          if (each.nearUntil !== undefined && this.#context.clock.now() >= each.nearUntil)
            this.#locateAgain(each);
        } catch (error) {
          this.#lost(each, error);
        }
      }),
    );
    if (this.#isStopped() || full.size === 0) return;
    this.#partitions = [...this.#partitions.filter((each) => !full.has(each)), ...full];
    this.#requestAhead(node);
    // kafkajs writes the request later in this turn, and handlers would delay it.
    await nextTurn();
    if (this.#isStopped()) return;
    for (const each of full) {
      each.keepsUp = true;
      this.#offer(each);
    }
  }

  /** Requests what follows the batches that are about to be offered. */
  #requestAhead(node: number): void {
    const next = this.#partitions.filter(
      (each) => each.node === node && isWanted(each) && (each.keepsUp || each.offered.length === 0),
    );
    if (next.length === 0) return;
    const request = this.#request(node, next);
    // The next `#fetch` handles its error.
    request.catch(() => undefined);
    this.#ahead.set(node, request);
  }

  async #request(node: number, partitions: readonly Assigned[]): Promise<Fetched[]> {
    const broker = await this.#context.cluster.broker(node);
    if (this.#isStopped()) return [];
    const { maxWait, maxBytesPerPartition: partitionMaxBytes, rackId } = this.#options;
    await Promise.all(partitions.map((each) => this.#begin(each)));
    const begun = partitions.filter(({ position }) => position >= 0);
    if (begun.length === 0) return [];
    await this.#checkEpochs(broker, begun);
    // A partition that is resumed meanwhile is not fetched before the response.
    const led = this.#partitions.filter((each) => each.node === node);
    return fetchFrom(broker, begun, {
      maxWait: begun.length < led.length ? Math.min(maxWait, pausedWait) : maxWait,
      partitionMaxBytes,
      signal: this.#context.leaving,
      rackId,
    });
  }

  /**
   * Continues where the log of a new leader left the epoch of the last batch: it may lack the records after that, and have
   * others in their place. Without topic ids, the topic may have been created again.
   */
  async #checkEpochs(leader: Broker, partitions: readonly Assigned[]): Promise<void> {
    const moved = partitions.filter((each) => each.isMoved && each.epoch >= 0 && each.topicId !== ZERO_UUID);
    for (const each of partitions) each.isMoved = false;
    if (moved.length === 0) return;
    // Kafka before 2.1 does not know the request. Any other failure is one of the next fetch, too.
    for (const end of await epochEnds(leader, moved).catch(() => [])) {
      const each = this.#byKey.get(keyOf(end));
      if (each !== undefined && end.offset >= 0 && end.offset < each.position)
        this.#continueAt(each, end.offset);
    }
  }

  async #take(each: Assigned, fetched: Fetched): Promise<void> {
    const { errorCode, highWatermark, preferredReadReplica } = fetched;
    const { topic, partition, position: from } = each;
    if (errorCode === errorCodes.offsetOutOfRange) {
      // A replica may lack the newest records.
      if (each.nearUntil === undefined) await this.#reset(each);
      else this.#locateAgain(each);
      return;
    }
    checkCode(errorCode, each);
    if (preferredReadReplica >= 0) {
      each.node = preferredReadReplica;
      each.nearUntil = this.#context.clock.now() + replicaTerm;
      this.#follow(preferredReadReplica);
      return;
    }
    let decoded: RecordSet;
    try {
      decoded = await recordsOf(fetched, from);
    } catch (error) {
      this.#damaged(each, error);
      return;
    }
    if (this.#isStopped()) return;
    const { records, last, epoch = each.epoch } = decoded;
    each.epoch = epoch;
    this.#context.outage.recovered(each);
    each.delay = 0;
    if (last === undefined) {
      // Records of open transactions, or for which the response had no room: they count as lag.
      if (highWatermark > from && each.offered.length === 0)
        this.#member.batch({ topic, partition, from, next: from, highWatermark, records: [] });
      return;
    }
    const next = last + 1;
    each.position = next;
    each.offered.push({ topic, partition, from, next, highWatermark, records });
  }

  /** Offers the batches that are not taken yet. Returns whether none is left. */
  #offer(each: Assigned): boolean {
    for (let [batch] = each.offered; batch !== undefined; [batch] = each.offered) {
      if (!this.#member.batch(batch)) {
        each.keepsUp = false;
        return false;
      }
      each.offered.shift();
    }
    return true;
  }

  /** Looks for the leader again. @throws the error, if retries do not fix it */
  #lost(each: Assigned, error: unknown): void {
    if (this.#failed(each, error, maxDelay)) this.#locateAgain(each);
  }

  #locateAgain(each: Assigned): void {
    each.node = undefined;
    this.#follow(undefined);
  }

  /** Fetches the batch again after a delay. @throws the error, if retries do not fix it */
  #damaged(each: Assigned, error: unknown): void {
    if (!this.#failed(each, error, maxDamageDelay)) return;
    each.isDelayed = true;
    sleep(this.#context.clock, each.delay, this.#stopped.signal).then(
      () => {
        each.isDelayed = false;
        this.#wake();
      },
      () => undefined,
    );
  }

  /** Doubles the delay of the partition. Returns whether to try again. @throws the error, if retries do not fix it */
  #failed(each: Assigned, error: unknown, max: number): boolean {
    if (isFinal(error)) throw error;
    if (this.#isStopped()) return false;
    this.#context.outage.failed(each, error);
    each.delay = Math.min(Math.max(minDelay, 2 * each.delay), max);
    return true;
  }

  /** Waits for a change of partitions, at most `limit` milliseconds. */
  #wait(limit: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const cancel = limit === undefined ? undefined : this.#context.clock.schedule(limit, resolve);
      this.#waiting.push(() => {
        cancel?.();
        resolve();
      });
    });
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }
}

function isWanted({ isPaused, isDelayed }: Assigned): boolean {
  return !isPaused && !isDelayed;
}
