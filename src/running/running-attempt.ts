import { systemClock } from '../base/clock.js';
import { graceAfterDeadline } from './deadline.js';
import type { HandlerContext } from '../event.js';
import type { ConsumerRecord } from '../transports/transport.js';

/** What a handler gets: plain fields, and a signal that costs nothing until somebody wants it. */
export class AttemptContext implements HandlerContext {
  readonly attempt: number;
  readonly logger: HandlerContext['logger'];
  readonly clock: HandlerContext['clock'];
  readonly random: HandlerContext['random'];
  readonly handler: string;
  readonly consumer: string;
  /** Behind a field of its own, so that an object made of this one shares it. */
  private readonly abortion: Abortion = { controller: undefined, reason: undefined };

  constructor(attempt: number, handler: string, run: Omit<HandlerContext, 'attempt' | 'handler' | 'signal'>) {
    this.attempt = attempt;
    this.logger = run.logger;
    this.clock = run.clock;
    this.random = run.random;
    this.handler = handler;
    this.consumer = run.consumer;
  }

  // A new AbortController costs as much as everything else that is done for a record.
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

/** An attempt that takes time: watched on the wall clock until it ends, however long that is. */
export class RunningAttempt {
  readonly handler: string;
  readonly record: ConsumerRecord;
  readonly deadline: number;
  readonly startedAt = systemClock.now();
  readonly #context: AttemptContext;
  #isLate = false;
  #isHung = false;
  #isAbandoned = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    context: AttemptContext,
    record: ConsumerRecord,
    deadline: number,
    tellHung: (attempt: RunningAttempt) => void,
  ) {
    this.handler = context.handler;
    this.record = record;
    this.deadline = deadline;
    this.#context = context;
    if (deadline === Number.POSITIVE_INFINITY) return;
    this.#after(deadline, () => {
      this.#isLate = true;
      this.#after(graceAfterDeadline, () => {
        this.#isHung = true;
        tellHung(this);
      });
      context.abort(new DOMException(`The handler's deadline of ${deadline} ms is over.`, 'TimeoutError'));
    });
  }

  /** Whether its deadline came before its end: then it counts as failed, since it may have ended because of that. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** Late, and its signal does not impress it. */
  get isHung(): boolean {
    return this.#isHung;
  }

  /** Milliseconds of the wall clock. */
  get age(): number {
    return systemClock.now() - this.startedAt;
  }

  /** It is watched all the same, since its lane may be waited for again; but no process waits for that. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#timer?.unref();
    this.#context.abort(new DOMException('The consumer no longer waits for this handler.', 'AbortError'));
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #after(delay: number, due: () => void): void {
    this.#timer = setTimeout(due, delay);
    if (this.#isAbandoned) this.#timer.unref();
  }
}
