import { AbandonedLanes } from './abandoned-lanes.js';
import { Attempts } from './attempts.js';
import type { Dispatcher } from '../dispatch.js';
import { BusbarError, safeMessage } from '../base/errors.js';
import { drain } from './drain.js';
import { type Health, healthOf } from './health.js';
import { HeldLanes } from './held-lanes.js';
import { HeldKeyLoader } from './load-held-keys.js';
import { MemoryBudget } from './memory-budget.js';
import { PartitionLanes } from './partition-lanes.js';
import type { PartitionOwner } from './progress.js';
import type { LogFields } from '../base/logger.js';
import { type ObservedRunOptions, type RunSettings, resolveRunOptions } from './run-options.js';
import { noCounts, type RunningConsumer } from './running-consumer.js';
import { Settler } from './settle.js';
import { Slots } from './slots.js';
import type {
  ConsumerRecord,
  Partition,
  Receiver,
  Revocation,
  Subscription,
  Transport,
} from '../transports/transport.js';
import { userFrame } from '../base/user-frame.js';

/** Opens the transport and handles its records by the dispatcher's verdicts. */
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
  try {
    await run.open(transport, signal);
  } catch (error) {
    // The caller ended the attempt to connect: the run has stopped and not failed.
    if (!signal?.aborted) throw error;
  }

  const stop = () => run.stop();
  const stopOnAbort = () => void stop();
  signal?.addEventListener('abort', stopOnAbort, { once: true });
  const removeListener = () => signal?.removeEventListener('abort', stopOnAbort);
  run.finished.then(removeListener, removeListener);
  // The signal may have aborted while the transport was opening.
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

/** The receiver of one run: its partitions, and its end. */
class Run implements Receiver {
  readonly finished: Promise<void>;
  readonly counts = noCounts();
  readonly #settings: RunSettings;
  readonly #dispatcher: Dispatcher;
  readonly #consumer: string;
  readonly #works = new Map<Partition, PartitionLanes>();
  /** Partitions that delivered before the transport was open, when nothing could be committed yet. */
  readonly #early = new Set<Partition>();
  readonly #heldKeys: HeldKeyLoader;
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
    this.#heldKeys = new HeldKeyLoader(settings);
    this.#budget = new MemoryBudget(settings.budgetBytes);
    this.finished = new Promise((resolve, reject) => {
      this.#finish = () => (this.#failure === undefined ? resolve() : reject(this.#failure));
    });
    // The failure is logged. It must not end the process of a caller that ignores `finished`.
    this.finished.catch(() => undefined);
  }

  async open(transport: Transport, signal?: AbortSignal): Promise<void> {
    const { clock, logger, concurrency } = this.#settings;
    const subscription = await transport.open(this, { clock, logger, signal });
    const settler = new Settler({ ...this.#settings, subscription, counts: this.counts });
    const attempts = new Attempts({ ...this.#settings, consumer: this.#consumer, settler });
    const { group } = transport;
    this.#opened = { subscription, settler, attempts, slots: new Slots(concurrency, clock), group };
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
        if (!this.#heldKeys.isLoading(partition)) this.#loadHeldKeys(partition, this.#opened);
        return 0;
      }
      work = this.#startWork(partition, this.#opened, holds ? new HeldLanes() : undefined);
    }
    return work.take(records);
  }

  /** Starts the partition once the keys that dead letters hold are loaded. */
  #loadHeldKeys(partition: Partition, opened: Opened): void {
    const { subscription } = opened;
    const read = async () => (await subscription.heldLetters?.(partition)) ?? [];
    const begin = (held: HeldLanes) => {
      this.#startWork(partition, opened, held);
      subscription.resume(partition);
      this.#quiet();
    };
    void this.#heldKeys.load(partition, read, begin, (error) => this.fail(error));
  }

  async revoke(partitions: readonly Partition[], { within, lost = false }: Revocation = {}): Promise<void> {
    this.#heldKeys.cancel(partitions);
    const works = partitions
      .map((partition) => this.#works.get(partition))
      .filter((work) => work !== undefined);
    // Another member already handles them: starting more records would only handle more of them twice.
    if (lost) for (const work of works) work.finish();
    await drain(works, this.#settings, within);
    for (const work of works) {
      this.#works.delete(work.partition);
      work.leave();
    }
    this.#budget.notifyRoom();
  }

  end(): void {
    this.#ended = true;
    this.#quiet();
  }

  fail(error: Error): void {
    if (this.#closing !== undefined) return;
    this.#failure ??= error;
    this.#settings.logger.error('consumer failed', fieldsOf(error));
    if (this.#opened !== undefined) void this.stop();
  }

  stop(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#heldKeys.cancel();
    await drain([...this.#works.values()], this.#settings);
    this.#opened?.settler.stop();
    try {
      await this.#opened?.subscription.stop();
    } catch (error) {
      this.#failure ??= error as Error;
      this.#settings.logger.error('disconnecting failed', fieldsOf(error));
    }
    this.#finish();
    this.#quiet();
  }

  #startWork(
    partition: Partition,
    { subscription, settler, attempts, slots, group }: Opened,
    hold: HeldLanes | undefined,
  ): PartitionLanes {
    const { clock, laneBy, afterDeadLetter, window, windowBytes } = this.#settings;
    // Once per assignment: the status lists all of its partitions.
    if (this.#works.size === 0) this.#budget.divideBy(subscription.status?.().partitions.length ?? 0);
    const owner: PartitionOwner = {
      commit: (offset) => subscription.commit(partition, offset),
      resume: () => subscription.resume(partition),
      quiet: () => this.#quiet(),
      fail: (error) => this.fail(error),
      stopped: (error) =>
        this.#settings.logger.error('partition stopped', { ...partition, ...fieldsOf(error) }),
      endsAt: ({ error }) => {
        const isEnd = afterDeadLetter === 'stop';
        if (isEnd) this.fail(error);
        return isEnd;
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

  get #isQuiet(): boolean {
    if (!this.#heldKeys.isIdle) return false;
    for (const work of this.#works.values()) if (!work.isQuiet) return false;
    return true;
  }

  /** Checks whether the run is idle or finished. Called when a partition becomes quiet. */
  #quiet(): void {
    if (this.#whenQuiet.length > 0 && this.#isQuiet)
      for (const resolve of this.#whenQuiet.splice(0)) resolve();
    if (this.#ended && this.#opened !== undefined) this.#finishWhenIdle();
  }

  #finishWhenIdle(): void {
    if (!this.#heldKeys.isIdle) return;
    for (const work of this.#works.values()) if (!work.isIdle) return;
    // The unsettled records of a stopped partition make the run fail.
    for (const work of this.#works.values()) this.#failure ??= work.stoppedBy;
    void this.stop();
  }
}

/** Parts of a run that exist once the transport is open. */
interface Opened {
  readonly subscription: Subscription;
  readonly settler: Settler;
  readonly attempts: Attempts;
  readonly slots: Slots;
  readonly group: string | undefined;
}

function fieldsOf(error: unknown): LogFields {
  const where = error instanceof BusbarError ? { code: error.code } : { at: userFrame(error) };
  return { error: safeMessage(error), ...where };
}
