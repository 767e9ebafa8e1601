import type { AnyEvent, HandlerContext, RunningConsumer, RunObserver, RunOptions, Transport } from 'busbar';
import { BusbarError, type Logger, quoted, silentLogger, type VirtualClock } from 'busbar/base';
import type { MemoryTransport } from 'busbar/internal/memory';
import { type Outcome, outcomeOf } from './outcomes.js';
import { type Wait, waitRunning } from './running-time.js';

/** A consumer for a bench: the result of `createConsumer`, or `{ run }` for the default consumer. */
export interface RunnableConsumer {
  run(transport: Transport, options?: RunOptions): Promise<RunningConsumer>;
}

interface VirtualRunOptions {
  readonly consumer: RunnableConsumer;
  readonly transport: MemoryTransport;
  readonly clock: VirtualClock;
  readonly random: () => number;
  /** Default: none. */
  readonly logger?: Logger;
  /** Longest wait for a handler to end, in milliseconds of wall time in which this process runs. */
  readonly handlerTimeout: number;
  /** Observers inside the run's own, closer to the handler. Default: none. */
  readonly observers?: readonly RunObserver[];
}

/** A running consumer whose clock moves only while no handler runs. */
export class VirtualRun {
  /** Results of the settled records, in the order of settling. */
  readonly outcomes: Outcome[] = [];
  readonly #options: VirtualRunOptions;
  /** Handlers that returned a pending promise, in the order of their start. */
  readonly #handling = new Set<Handling>();
  /** The wait for handlers, which lasts while there are calls to make at its end. */
  #wait: Wait | undefined;
  readonly #giveUps = new Set<() => void>();
  #running: Promise<RunningConsumer> | undefined;
  #failure: Error | undefined;

  constructor(options: VirtualRunOptions) {
    this.#options = options;
  }

  /** Names of the events whose handlers have not ended, each once. */
  get pending(): string[] {
    return [...new Set([...this.#handling].map(({ event: { type, version } }) => `${type}-${version}`))];
  }

  /** Resolves when the consumer has no more work at the current instant. @throws BusbarError `never-idle` */
  async quiet(): Promise<void> {
    const running = await (this.#running ??= this.#run());
    await new Promise<void>((resolve, reject) => {
      this.#patiently(running.idle(), () => reject(this.#neverIdle())).then(resolve, reject);
    });
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Advances time to `instant`. Due timers fire at their own instants, each after the work of the one before. */
  async advanceTo(instant: number): Promise<void> {
    const { clock } = this.#options;
    for (;;) {
      await this.quiet();
      if (clock.next === undefined || clock.next > instant) break;
      clock.advanceToNext();
    }
    if (instant > clock.now()) clock.advance(instant - clock.now());
  }

  async settle(): Promise<void> {
    const { clock } = this.#options;
    do await this.quiet();
    while (clock.advanceToNext());
    // A failed run becomes idle a little before it ends.
    await new Promise(setImmediate);
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Stops the consumer. The next call resumes from the last settled record. */
  async stop(): Promise<void> {
    const running = await this.#running?.catch(() => undefined);
    this.#running = undefined;
    if (running === undefined) return;
    // The consumer counts its drain timeout on the virtual clock, which has stopped.
    await this.#patiently(running.stop(), () => this.#options.clock.advance(drainTimeout));
    this.#wait?.cancel();
    this.#wait = undefined;
  }

  async #run(): Promise<RunningConsumer> {
    const { consumer, transport, clock, random, logger = silentLogger, observers = [] } = this.#options;
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
      if (this.#giveUps.size > 0) this.#wait?.restart();
    });
  }

  /** Awaits the work, and calls `giveUp` if no handler ends within the handlerTimeout. */
  #patiently(work: Promise<void>, giveUp: () => void): Promise<void> {
    const wait = (this.#wait ??= waitRunning(this.#options.handlerTimeout, () => this.#giveUp()));
    if (this.#giveUps.size === 0) wait.restart();
    this.#giveUps.add(giveUp);
    return work.finally(() => {
      this.#giveUps.delete(giveUp);
      if (this.#giveUps.size === 0) wait.pause();
    });
  }

  #giveUp(): void {
    const all = [...this.#giveUps];
    this.#giveUps.clear();
    for (const each of all) each();
  }

  #neverIdle(): BusbarError {
    const { handlerTimeout } = this.#options;
    const [oldest] = this.#handling;
    const advice = `Raise "handlerTimeout" for a slow handler. A handler must not wait on "context.clock" here.`;
    if (oldest === undefined) {
      const message = `The consumer is not idle after ${handlerTimeout} ms, though no handler runs. ${advice}`;
      return new BusbarError('never-idle', message);
    }
    const { handler, event, since } = oldest;
    const name = quoted(`${event.type}-${event.version}`);
    const others = this.#handling.size === 1 ? '' : `, nor have ${this.#handling.size - 1} others`;
    const length = Math.round(performance.now() - since);
    return new BusbarError(
      'never-idle',
      `Handler ${quoted(handler)} of event ${name} has not ended after ${length} ms${others}. ${advice}`,
    );
  }
}

interface Handling {
  readonly handler: string;
  readonly event: AnyEvent;
  /** Time of `performance.now()`. */
  readonly since: number;
}

/** Virtual time that handlers have to finish at a stop, in milliseconds. */
const drainTimeout = 10_000;
