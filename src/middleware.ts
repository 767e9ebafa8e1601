import { BusbarError, quoted } from './base/errors.js';
import { isThenable } from './base/is-thenable.js';
import type { AnyEvent, Handler, HandlerContext } from './event.js';

/**
 * Wraps handlers. Calls `next` once and returns or awaits the result; if it does not call `next`, the handler does not
 * run and the event counts as handled. An error that it throws or does not catch is a failed attempt, which ends when the
 * handler has ended. Runs at every attempt.
 * @example
 * const timed: Middleware = async (event, context, next) => {
 *   const startedAt = context.clock.now();
 *   await next();
 *   context.logger.info('event handled', { event: event.type, tookMs: context.clock.now() - startedAt });
 * };
 */
export type Middleware = (
  event: AnyEvent,
  context: HandlerContext,
  next: () => void | Promise<void>,
) => void | Promise<void>;

/** Returns the handler wrapped in the middleware, the first one outermost. */
export function compose(middleware: readonly Middleware[], handler: Handler<AnyEvent>): Handler<AnyEvent> {
  return middleware.reduceRight(wrap, handler);
}

/** One call of a middleware. */
interface Call {
  wasNextCalled: boolean;
  hasEnded: boolean;
  /** The result of the handler inside; undefined before `next`, and where the handler returns no promise. */
  handler: HandlerResult | undefined;
}

/** The promise that `next` returns. */
class HandlerResult extends Promise<void> {
  #hasEnded = false;
  #isRead = false;

  static override get [Symbol.species]() {
    return Promise;
  }

  /** Calls `then` of `inside` once: some query builders run their query at each call. The result is not read yet. */
  static of(inside: PromiseLike<unknown>): HandlerResult {
    const result = new HandlerResult((resolve) => resolve(inside as PromiseLike<void>));
    const end = (): void => void (result.#hasEnded = true);
    void Promise.prototype.then.call(result, end, end);
    return result;
  }

  /** Whether the handler has ended, and the middleware has decided what its result means. */
  get isDecided(): boolean {
    return this.#hasEnded && this.#isRead;
  }

  override then<A, B>(...callbacks: Parameters<Promise<void>['then']>): Promise<A | B> {
    this.#isRead = true;
    return super.then(...callbacks) as Promise<A | B>;
  }
}

function wrap(inner: Handler<AnyEvent>, middleware: Middleware): Handler<AnyEvent> {
  return (event, context) => {
    const call: Call = { wasNextCalled: false, hasEnded: false, handler: undefined };
    const next = () => {
      if (call.wasNextCalled) throw calledTwice(context);
      // The event is settled: a failure of its handler would be lost.
      if (call.hasEnded) throw calledLate(context);
      call.wasNextCalled = true;
      const inside: unknown = inner(event, context);
      return isThenable(inside) ? (call.handler = HandlerResult.of(inside)) : undefined;
    };
    let own: void | Promise<void>;
    try {
      own = middleware(event, context, next);
    } catch (error) {
      return failed(call, error);
    }
    // Middleware that neither returned nor awaited the handler's promise must not settle the event before the handler
    // has ended, or in spite of its rejection. If it awaited the promise, it decides what a rejection means.
    if (!isThenable(own) || own === call.handler) {
      call.hasEnded = true;
      return call.handler;
    }
    return own.then(
      () => {
        call.hasEnded = true;
        return call.handler?.isDecided ? undefined : call.handler;
      },
      (error: unknown) => failed(call, error),
    );
  };
}

/** Throws the error, once the handler has ended: the next attempt must not run next to it. */
function failed(call: Call, error: unknown): Promise<never> {
  call.hasEnded = true;
  const { handler } = call;
  const fail = (): never => {
    throw error;
  };
  return handler === undefined ? fail() : handler.then(fail, fail);
}

function calledTwice({ handler }: HandlerContext): BusbarError {
  return new BusbarError(
    'next-called-twice',
    `A middleware of handler ${quoted(handler)} called next() twice. To try again, use "retry".`,
  );
}

function calledLate({ handler }: HandlerContext): BusbarError {
  return new BusbarError(
    'next-called-late',
    `A middleware of handler ${quoted(handler)} called next() after it had ended. Return or await what calls it.`,
  );
}
