import type { VirtualClock } from '../../src/base/clock.js';
import { BusbarError } from '../../src/base/errors.js';
import type { AnyEvent, HandlerContext } from '../../src/event.js';
import type { Logger } from '../../src/base/logger.js';
import { quoted } from '../../src/base/quoted.js';
import type { RunObserver } from '../../src/running/observer.js';
import type { RunOptions } from '../../src/running/run-options.js';
import type { RunningConsumer } from '../../src/running/run.js';
import type { MemoryTransport } from '../../src/transports/memory.js';
import type { Transport } from '../../src/transports/transport.js';
import { type Outcome, outcomeOf } from './outcomes.js';
import { type Wait, waitRunning } from './running-time.js';

/** What can be put on a bench: a consumer of `createConsumer`, or `{ run }` for the default one. */
export interface RunnableConsumer {
  run(transport: Transport, options?: RunOptions): Promise<RunningConsumer>;
}

export interface VirtualRunOptions {
  readonly consumer: RunnableConsumer;
  readonly transport: MemoryTransport;
  readonly clock: VirtualClock;
  readonly random: () => number;
  readonly logger: Logger;
  /** The longest wait of virtual time for a handler, while this process runs. In milliseconds of the wall clock. */
  readonly patience: number;
  /** Who looks on, closer to the handler than the run itself. Default nobody. */
  readonly observers?: readonly RunObserver[];
}

/** A consumer at work on a clock that moves only while no handler runs. */
export class VirtualRun {
  /** In the order in which records were settled. */
  readonly outcomes: Outcome[] = [];
  readonly #options: VirtualRunOptions;
  /** Handlers that take time, in the order in which they began. */
  readonly #handling = new Set<Handling>();
  /** The rest of the wait for handlers. */
  readonly #waits = new Set<Wait>();
  #running: Promise<RunningConsumer> | undefined;
  #failure: Error | undefined;

  constructor(options: VirtualRunOptions) {
    this.#options = options;
  }

  /** Resolves when the consumer has done all that it can do at the present instant. @throws BusbarError `never-idle` */
  async quiet(): Promise<void> {
    const running = await this.#start();
    await this.#inTime(running.idle());
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Moves time there; what falls due on the way happens at its own instant, each when what was before it is done. */
  async advanceTo(instant: number): Promise<void> {
    const { clock } = this.#options;
    for (;;) {
      await this.quiet();
      if (clock.next === undefined || clock.next > instant) break;
      clock.advanceToNext();
    }
    if (instant > clock.now()) clock.advance(instant - clock.now());
  }

  /** Moves time as far as anything is left to happen: to the last retry. */
  async settle(): Promise<void> {
    const { clock } = this.#options;
    do await this.quiet();
    while (clock.advanceToNext());
    // A run that fails ends a little later than it comes to rest.
    await new Promise(setImmediate);
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Stops the consumer; the next call starts it again, where it was. */
  async stop(): Promise<void> {
    const running = await this.#running?.catch(() => undefined);
    this.#running = undefined;
    if (running === undefined) return;
    // What the consumer grants its handlers is counted on the clock that stands still.
    await this.#patiently(running.stop(), () => this.#options.clock.advance(drainTimeout));
  }

  #start(): Promise<RunningConsumer> {
    return (this.#running ??= this.#run());
  }

  async #run(): Promise<RunningConsumer> {
    const { consumer, transport, clock, random, logger, observers = [] } = this.#options;
    const running = await consumer.run(transport, {
      clock,
      random,
      logger,
      drainTimeout,
      observer: [
        {
          around: (event, context, run) => this.#watch(event, context, run),
          settled: (record, settlement) => {
            this.outcomes.push(outcomeOf(record, settlement, clock.now()));
          },
        },
        ...observers,
      ],
    });
    running.finished.catch((error: unknown) => {
      this.#failure = error as Error;
    });
    return running;
  }

  #watch(event: AnyEvent, context: HandlerContext, run: () => void | Promise<void>): void | Promise<void> {
    const pending = run();
    if (!(pending instanceof Promise)) return pending;
    const handling = { handler: context.handler, event, since: performance.now() };
    this.#handling.add(handling);
    return pending.finally(() => {
      this.#handling.delete(handling);
      for (const wait of this.#waits) wait.restart();
    });
  }

  #inTime(work: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#patiently(work, () => reject(this.#neverIdle())).then(resolve, reject);
    });
  }

  /** The work, during which `giveUp` is called when no handler has ended for too long. */
  #patiently(work: Promise<void>, giveUp: () => void): Promise<void> {
    const wait = waitRunning(this.#options.patience, giveUp);
    this.#waits.add(wait);
    return work.finally(() => {
      wait.cancel();
      this.#waits.delete(wait);
    });
  }

  #neverIdle(): BusbarError {
    const { patience } = this.#options;
    const [oldest] = this.#handling;
    const advice = `Raise "patience" for a handler that needs longer; one that waits on "context.clock" waits for ever here.`;
    if (oldest === undefined) {
      const message = `The consumer has not come to rest within ${patience} ms, though no handler runs. ${advice}`;
      return new BusbarError('never-idle', message);
    }
    const { handler, event, since } = oldest;
    const name = quoted(`${event.type}-${event.version}`);
    const others = this.#handling.size === 1 ? '' : `, nor have ${this.#handling.size - 1} other handlers`;
    const length = Math.round(performance.now() - since);
    return new BusbarError(
      'never-idle',
      `Handler ${quoted(handler)} of event ${name} has not ended after ${length} ms${others}: virtual time stands still. ${advice}`,
    );
  }
}

interface Handling {
  readonly handler: string;
  readonly event: AnyEvent;
  /** On the clock of `performance`. */
  readonly since: number;
}

/** In milliseconds of virtual time. */
const drainTimeout = 10_000;
