import { type Clock, sleep, systemClock } from './clock.js';
import type { Dispatcher } from './dispatch.js';
import { BusbarError } from './errors.js';
import { type Logger, stderrLogger } from './logger.js';
import { type PartitionOwner, PartitionWork } from './partition-work.js';
import { createSettler, noCounts, type RunCounts } from './settle.js';
import type { ConsumerRecord, Partition, Receiver, Subscription, Transport } from './transports/transport.js';

export interface RunOptions {
  /** Default: the wall clock. */
  readonly clock?: Clock;
  /** Numbers from 0 up to 1, for handlers that want what a test bench can repeat. Default `Math.random`. */
  readonly random?: () => number;
  /** Stops the run when aborted. */
  readonly signal?: AbortSignal;
  readonly logger?: Logger;
  /** How long `stop` and a rebalance wait for handlers before they abort them. In milliseconds; default 10,000. */
  readonly drainTimeout?: number;
  /** How many records of one partition may wait for a handler. Default 1,000; then the transport is held back. */
  readonly window?: number;
}

/** A consumer at work. */
export interface RunningConsumer {
  /**
   * Resolves when the source has ended and everything is settled, or after `stop`; rejects with what ended the run
   * otherwise. Nobody has to look at it: a failure is logged as well.
   */
  readonly finished: Promise<void>;
  readonly counts: RunCounts;
  /**
   * Takes no more records, waits for running handlers up to `drainTimeout`, aborts their signals, commits and
   * disconnects. Later calls wait for the first. A handler must not wait for it: it would wait for itself.
   */
  stop(): Promise<void>;
}

/** Connects the dispatcher to the transport and lets it work. */
export async function startRun(
  dispatcher: Dispatcher,
  transport: Transport,
  options: RunOptions & { readonly name?: string },
): Promise<RunningConsumer> {
  const { clock = systemClock, random = Math.random, signal, logger = stderrLogger } = options;
  const { drainTimeout = 10_000, window = 1000 } = options;
  if (!(drainTimeout >= 0)) throw invalidOption('drainTimeout', drainTimeout);
  if (!Number.isInteger(window) || window < 1) throw invalidOption('window', window);
  signal?.throwIfAborted();

  const counts = noCounts();
  const run = new Run({ clock, logger, drainTimeout, counts }, (subscription) => {
    const settle = createSettler({ dispatcher, subscription, counts, logger });
    const context = { attempt: 1, handler: '', consumer: options.name ?? 'consumer', logger, clock, random };
    return (partition, owner) => new PartitionWork(partition, owner, { settle, context, window });
  });
  await run.open(transport);

  const stop = () => run.stop();
  const stopOnAbort = () => void stop();
  signal?.addEventListener('abort', stopOnAbort, { once: true });
  const forget = () => signal?.removeEventListener('abort', stopOnAbort);
  run.finished.then(forget, forget);
  // It may have been aborted while the transport was opening.
  if (signal?.aborted) await stop();
  return { finished: run.finished, counts, stop };
}

interface RunSettings {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly drainTimeout: number;
  readonly counts: RunCounts;
}

type StartWork = (partition: Partition, owner: PartitionOwner) => PartitionWork;

/** One run: the partitions at work, and how it ends. */
class Run implements Receiver {
  readonly finished: Promise<void>;
  readonly #settings: RunSettings;
  readonly #prepareWork: (subscription: Subscription) => StartWork;
  readonly #works = new Map<Partition, PartitionWork>();
  /** Partitions that delivered while the transport was still opening, when nothing could be committed yet. */
  readonly #early = new Set<Partition>();
  #opened: { readonly subscription: Subscription; readonly startWork: StartWork } | undefined;
  #ended = false;
  #failure: Error | undefined;
  #closing: Promise<void> | undefined;
  #finish: () => void = () => undefined;

  constructor(settings: RunSettings, prepareWork: (subscription: Subscription) => StartWork) {
    this.#settings = settings;
    this.#prepareWork = prepareWork;
    this.finished = new Promise((resolve, reject) => {
      this.#finish = () => (this.#failure === undefined ? resolve() : reject(this.#failure));
    });
    // A failure is logged; it must not end the process of somebody who does not look here.
    this.finished.catch(() => undefined);
  }

  async open(transport: Transport): Promise<void> {
    const { clock, logger } = this.#settings;
    const subscription = await transport.open(this, { clock, logger });
    this.#opened = { subscription, startWork: this.#prepareWork(subscription) };
    if (this.#failure !== undefined) void this.stop();
    for (const partition of this.#early) subscription.resume(partition);
    this.#finishWhenDone();
  }

  receive(partition: Partition, records: readonly ConsumerRecord[]): number {
    if (this.#opened === undefined) {
      this.#early.add(partition);
      return 0;
    }
    if (this.#closing !== undefined) return 0;
    let work = this.#works.get(partition);
    if (work === undefined) {
      work = this.#opened.startWork(partition, this.#ownerOf(partition, this.#opened.subscription));
      this.#works.set(partition, work);
    }
    return work.take(records);
  }

  async revoke(partitions: readonly Partition[]): Promise<void> {
    const works = partitions
      .map((partition) => this.#works.get(partition))
      .filter((work) => work !== undefined);
    await this.#drain(works);
    for (const { partition } of works) this.#works.delete(partition);
  }

  end(): void {
    this.#ended = true;
    this.#finishWhenDone();
  }

  fail(error: Error): void {
    if (this.#closing !== undefined) return;
    this.#failure ??= error;
    this.#settings.logger.error(`The consumer ends: ${error.message}`, codeOf(error));
    if (this.#opened !== undefined) void this.stop();
  }

  stop(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#drain([...this.#works.values()]);
    try {
      await this.#opened?.subscription.stop();
    } catch (error) {
      this.#failure ??= error as Error;
      this.#settings.logger.error(`Disconnecting failed: ${(error as Error).message}`, codeOf(error));
    }
    this.#finish();
  }

  /** Lets what runs come to its end, for so long as may be waited; then aborts it and discards what it yields. */
  async #drain(works: readonly PartitionWork[]): Promise<void> {
    const { clock, drainTimeout, logger } = this.#settings;
    for (const work of works) work.close();
    const patience = new AbortController();
    const timeout = sleep(clock, drainTimeout, patience.signal).catch(() => undefined);
    await Promise.race([Promise.all(works.map((work) => work.idle())), timeout]);
    patience.abort();
    for (const work of works) {
      if (work.isIdle) continue;
      logger.warn(`A handler did not end within ${drainTimeout} ms and is abandoned.`, { ...work.partition });
      work.abandon();
    }
  }

  #ownerOf(partition: Partition, subscription: Subscription): PartitionOwner {
    return {
      commit: (offset) => subscription.commit(partition, offset),
      resume: () => subscription.resume(partition),
      idle: () => this.#finishWhenDone(),
      fail: (error) => this.fail(error),
    };
  }

  #finishWhenDone(): void {
    if (!this.#ended || this.#opened === undefined) return;
    for (const work of this.#works.values()) if (!work.isIdle) return;
    void this.stop();
  }
}

function invalidOption(name: string, value: number): BusbarError {
  return new BusbarError('invalid-option', `run(): "${name}" cannot be ${value}.`);
}

function codeOf(error: unknown): { code: string } | undefined {
  return error instanceof BusbarError ? { code: error.code } : undefined;
}
