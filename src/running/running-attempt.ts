import { systemClock } from '../base/clock.js';
import type { HandlerContext } from '../event.js';
import type { ConsumerRecord } from '../transports/transport.js';

/** The context of one attempt. Creates its signal on first access. */
export class AttemptContext implements HandlerContext {
  readonly attempt: number;
  readonly logger: HandlerContext['logger'];
  readonly clock: HandlerContext['clock'];
  readonly random: HandlerContext['random'];
  readonly handler: string;
  readonly consumer: string;
  /** An object, so that an object created from this context shares it. */
  private readonly abortion: Abortion = { controller: undefined, reason: undefined };

  constructor(attempt: number, handler: string, run: Omit<HandlerContext, 'attempt' | 'handler' | 'signal'>) {
    this.attempt = attempt;
    this.logger = run.logger;
    this.clock = run.clock;
    this.random = run.random;
    this.handler = handler;
    this.consumer = run.consumer;
  }

  // A new AbortController costs as much as all other work for a record.
  get signal(): AbortSignal {
    const { abortion } = this;
    if (abortion.controller === undefined) {
      abortion.controller = new AbortController();
      if (abortion.reason !== undefined) abortion.controller.abort(abortion.reason);
    }
    return abortion.controller.signal;
  }

  abort(reason: Error): void {
    this.abortion.reason ??= reason;
    this.abortion.controller?.abort(reason);
  }
}

interface Abortion {
  controller: AbortController | undefined;
  reason: Error | undefined;
}

/** An asynchronous attempt, watched on the wall clock until it ends. */
export class RunningAttempt {
  readonly handler: string;
  readonly record: ConsumerRecord;
  readonly deadline: number;
  readonly startedAt = systemClock.now();
  readonly #context: AttemptContext;
  /** Time at which the attempt exceeded its deadline, by the wall clock. */
  #lateAt: number | undefined;
  /** Whether the attempt still runs one second after its signal aborted. */
  isHung = false;
  #isAbandoned = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    context: AttemptContext,
    record: ConsumerRecord,
    deadline: number,
    reportHung: (attempt: RunningAttempt) => void,
  ) {
    this.handler = context.handler;
    this.record = record;
    this.deadline = deadline;
    this.#context = context;
    if (deadline === Number.POSITIVE_INFINITY) return;
    this.#after(deadline, () => {
      this.#lateAt = systemClock.now();
      this.#after(graceAfterDeadline, () => {
        this.isHung = true;
        reportHung(this);
      });
      context.abort(new DOMException(`The handler exceeded its deadline of ${deadline} ms.`, 'TimeoutError'));
    });
  }

  /** Whether the attempt exceeded its deadline, and so counts as failed. */
  get isLate(): boolean {
    return this.#lateAt !== undefined;
  }

  /** Time in milliseconds by which the deadline came late, or had not come yet: the machine slept. */
  get overslept(): number {
    return Math.max(0, (this.#lateAt ?? systemClock.now()) - this.startedAt - this.deadline);
  }

  /** Time since the start, in milliseconds of the wall clock. */
  get age(): number {
    return systemClock.now() - this.startedAt;
  }

  /** Aborts the signal. The deadline stays active, since the lane may be waited for again, but keeps no process alive. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#timer?.unref();
    this.#context.abort(new DOMException('The consumer no longer waits for this handler.', 'AbortError'));
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #after(delay: number, callback: () => void): void {
    this.#timer = setTimeout(callback, delay);
    if (this.#isAbandoned) this.#timer.unref();
  }
}

/** Time in milliseconds in which a handler must react to its aborted signal. */
const graceAfterDeadline = 1_000;
