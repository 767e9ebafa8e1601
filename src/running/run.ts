import { AbandonedLanes } from './abandoned-lanes.js';
import { Attempts } from './attempts.js';
import type { Dispatcher } from '../dispatch.js';
import { BusbarError } from '../base/errors.js';
import { drain } from './drain.js';
import { type Health, healthOf } from './health.js';
import { HeldLanes, type LaneHold, neverHeld } from './held-lanes.js';
import { HeldLearner } from './learn-held.js';
import { MemoryBudget } from './memory-budget.js';
import { PartitionLanes } from './partition-lanes.js';
import type { PartitionOwner } from './partition-owner.js';
import { quoted } from '../base/quoted.js';
import { type ObservedRunOptions, type RunSettings, resolveRunOptions } from './run-options.js';
import { noCounts, type RunCounts, Settler } from './settle.js';
import { Slots } from './slots.js';
import type {
  ConsumerRecord,
  Partition,
  Receiver,
  Revocation,
  Subscription,
  Transport,
} from '../transports/transport.js';
import { told } from '../base/thrown.js';

/** A consumer at work. */
export interface RunningConsumer {
  /**
   * Resolves when the source has ended and everything is settled, or after `stop`; rejects with what ended the run
   * otherwise. Nobody has to look at it: a failure is logged as well.
   */
  readonly finished: Promise<void>;
  readonly counts: RunCounts;
  /** How it gets on. Cheap enough for a probe, not for every event. */
  health(): Health;
  /**
   * Resolves when no handler runs and none could be started: all that the transport had is settled, or waits on the
   * run's clock for its next attempt. A test bench then moves the clock.
   */
  idle(): Promise<void>;
  /**
   * Takes no more records, gives up retries that wait, waits for running handlers up to `drainTimeout`, aborts their signals, commits and
   * disconnects. Later calls wait for the first. A handler must not wait for it: it would wait for itself.
   */
  stop(): Promise<void>;
}

/** Connects the dispatcher to the transport and lets it work. */
export async function startRun(
  dispatcher: Dispatcher,
  transport: Transport,
  options: ObservedRunOptions & { readonly name?: string },
): Promise<RunningConsumer> {
  const settings = resolveRunOptions(options);
  const { signal } = options;
  signal?.throwIfAborted();

  const consumer = options.name ?? transport.group ?? 'consumer';
  const run = new Run(settings, dispatcher, consumer);
  await run.open(transport);

  const stop = () => run.stop();
  const stopOnAbort = () => void stop();
  signal?.addEventListener('abort', stopOnAbort, { once: true });
  const forget = () => signal?.removeEventListener('abort', stopOnAbort);
  run.finished.then(forget, forget);
  // It may have been aborted while the transport was opening.
  if (signal?.aborted) await stop();
  const running: RunningConsumer = {
    finished: run.finished,
    counts: run.counts,
    stop,
    health: () => run.health(),
    idle: () => run.idle(),
  };
  settings.observer.started?.(running);
  return running;
}

/** One run: the partitions at work, and how it ends. */
class Run implements Receiver {
  readonly finished: Promise<void>;
  readonly counts = noCounts();
  readonly #settings: RunSettings;
  readonly #dispatcher: Dispatcher;
  readonly #consumer: string;
  readonly #works = new Map<Partition, PartitionLanes>();
  /** Partitions that delivered while the transport was still opening, when nothing could be committed yet. */
  readonly #early = new Set<Partition>();
  /** At work on the partitions of which is not known yet what earlier dead letters hold. */
  readonly #learner: HeldLearner;
  readonly #abandoned = new AbandonedLanes();
  readonly #budget: MemoryBudget;
  #opened: Opened | undefined;
  #ended = false;
  #failure: Error | undefined;
  #closing: Promise<void> | undefined;
  #whenQuiet: (() => void)[] = [];
  #finish: () => void = () => undefined;

  constructor(settings: RunSettings, dispatcher: Dispatcher, consumer: string) {
    this.#settings = settings;
    this.#dispatcher = dispatcher;
    this.#consumer = consumer;
    this.#learner = new HeldLearner(settings);
    this.#budget = new MemoryBudget(settings.budgetBytes);
    this.finished = new Promise((resolve, reject) => {
      this.#finish = () => (this.#failure === undefined ? resolve() : reject(this.#failure));
    });
    // A failure is logged; it must not end the process of somebody who does not look here.
    this.finished.catch(() => undefined);
  }

  async open(transport: Transport): Promise<void> {
    const { clock, logger, concurrency } = this.#settings;
    const subscription = await transport.open(this, { clock, logger });
    const settler = new Settler({ ...this.#settings, subscription, counts: this.counts });
    const attempts = new Attempts({ ...this.#settings, consumer: this.#consumer, settler });
    const { group } = transport;
    this.#opened = { subscription, settler, attempts, slots: new Slots(concurrency), group };
    if (this.#failure !== undefined) void this.stop();
    for (const partition of this.#early) subscription.resume(partition);
    this.#quiet();
  }

  health(): Health {
    return healthOf({
      works: this.#works.values(),
      running: this.#opened?.attempts.running ?? new Set(),
      failure: this.#failure,
      isEnding: this.#closing !== undefined,
      source: this.#opened?.subscription.status?.(),
      now: this.#settings.clock.now(),
    });
  }

  async idle(): Promise<void> {
    for (;;) {
      await this.#opened?.subscription.delivered?.();
      if (this.#isQuiet) return;
      await new Promise<void>((resolve) => this.#whenQuiet.push(resolve));
    }
  }

  receive(partition: Partition, records: readonly ConsumerRecord[]): number {
    if (this.#opened === undefined) {
      this.#early.add(partition);
      return 0;
    }
    if (this.#closing !== undefined) return 0;
    let work = this.#works.get(partition);
    if (work === undefined) {
      const holds = this.#settings.afterDeadLetter === 'hold-key';
      if (holds && this.#opened.subscription.heldLetters !== undefined) {
        if (!this.#learner.isAtWorkOn(partition)) this.#learn(partition, this.#opened);
        return 0;
      }
      work = this.#startWork(partition, this.#opened, holds ? new HeldLanes() : neverHeld);
    }
    return work.take(records);
  }

  /** Begins with the partition when it is known what earlier dead letters hold. */
  #learn(partition: Partition, opened: Opened): void {
    const { subscription } = opened;
    const read = async () => (await subscription.heldLetters?.(partition)) ?? [];
    const begin = (held: HeldLanes) => {
      this.#startWork(partition, opened, held);
      subscription.resume(partition);
      this.#quiet();
    };
    void this.#learner.learn(partition, read, begin, (error) => this.fail(error));
  }

  async revoke(partitions: readonly Partition[], { within, lost = false }: Revocation = {}): Promise<void> {
    this.#learner.forget(partitions);
    const works = partitions
      .map((partition) => this.#works.get(partition))
      .filter((work) => work !== undefined);
    // Others have begun on them: to go on would only mean more that is done twice.
    if (lost) for (const work of works) work.finish();
    await drain(works, this.#settings, within);
    for (const work of works) {
      this.#works.delete(work.partition);
      work.leave();
    }
    this.#budget.tellRoom();
  }

  end(): void {
    this.#ended = true;
    this.#quiet();
  }

  fail(error: Error): void {
    if (this.#closing !== undefined) return;
    this.#failure ??= error;
    this.#settings.logger.error(`The consumer ends: ${told(error)}`, codeOf(error));
    if (this.#opened !== undefined) void this.stop();
  }

  stop(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#learner.forget();
    await drain([...this.#works.values()], this.#settings);
    this.#opened?.settler.stop();
    try {
      await this.#opened?.subscription.stop();
    } catch (error) {
      this.#failure ??= error as Error;
      this.#settings.logger.error(`Disconnecting failed: ${told(error)}`, codeOf(error));
    }
    this.#finish();
    this.#quiet();
  }

  #startWork(
    partition: Partition,
    { subscription, settler, attempts, slots, group }: Opened,
    hold: LaneHold,
  ): PartitionLanes {
    const { clock, laneBy, afterDeadLetter, window, windowBytes } = this.#settings;
    // Once for each assignment: a status has all of its partitions.
    if (this.#works.size === 0) this.#budget.divideBy(subscription.status?.().partitions.length ?? 0);
    const owner: PartitionOwner = {
      commit: (offset) => subscription.commit(partition, offset),
      resume: () => subscription.resume(partition),
      quiet: () => this.#quiet(),
      fail: (error) => this.fail(error),
      stopped: (error) => this.#tellStopped(partition, error),
      setAside: ({ error }) => {
        if (afterDeadLetter === 'stop') this.fail(error);
      },
    };
    const work = new PartitionLanes(partition, owner, {
      dispatcher: this.#dispatcher,
      attempts,
      settler,
      slots,
      clock,
      laneBy,
      abandoned: this.#abandoned,
      limits: { records: window, bytes: windowBytes },
      budget: this.#budget,
      hold,
      group,
    });
    this.#works.set(partition, work);
    return work;
  }

  #tellStopped({ topic, partition }: Partition, error: Error): void {
    this.#settings.logger.error(
      `Topic ${quoted(topic)}, partition ${partition} is stopped, so that nothing is skipped: ${error.message}`,
      codeOf(error),
    );
  }

  get #isQuiet(): boolean {
    if (!this.#learner.isIdle) return false;
    for (const work of this.#works.values()) if (!work.isQuiet) return false;
    return true;
  }

  /** Called when a partition has nothing to do right now. */
  #quiet(): void {
    if (this.#whenQuiet.length > 0 && this.#isQuiet)
      for (const resolve of this.#whenQuiet.splice(0)) resolve();
    if (this.#ended && this.#opened !== undefined) this.#finishWhenDone();
  }

  #finishWhenDone(): void {
    if (!this.#learner.isIdle) return;
    for (const work of this.#works.values()) if (!work.isIdle) return;
    // What a stopped partition has left unsettled must not pass for done.
    for (const work of this.#works.values()) this.#failure ??= work.stoppedBy;
    void this.stop();
  }
}

/** What there is as soon as the transport is open. */
interface Opened {
  readonly subscription: Subscription;
  readonly settler: Settler;
  readonly attempts: Attempts;
  readonly slots: Slots;
  readonly group: string | undefined;
}

function codeOf(error: unknown): { code: string } | undefined {
  return error instanceof BusbarError ? { code: error.code } : undefined;
}
