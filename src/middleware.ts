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
  /** The promise of the handler inside; undefined before `next`, and where the handler returns none. */
  handler: Promise<void> | undefined;
  hasHandlerEnded: boolean;
}

function wrap(inner: Handler<AnyEvent>, middleware: Middleware): Handler<AnyEvent> {
  return (event, context) => {
    const call: Call = { wasNextCalled: false, handler: undefined, hasHandlerEnded: false };
    const next = () => {
      if (call.wasNextCalled) throw calledTwice(context);
      call.wasNextCalled = true;
      const inside: unknown = inner(event, context);
      return isThenable(inside) ? follow(call, inside) : undefined;
    };
    let own: void | Promise<void>;
    try {
      own = middleware(event, context, next);
    } catch (error) {
      return failed(call, error);
    }
    // Middleware that neither returned nor awaited the handler's promise must not settle the event before the handler
    // has ended. If it awaited the promise, it decides what a rejection means.
    if (!isThenable(own) || own === call.handler) return call.handler;
    return own.then(
      () => (call.hasHandlerEnded ? undefined : call.handler),
      (error: unknown) => failed(call, error),
    );
  };
}

function follow(call: Call, inside: PromiseLike<unknown>): Promise<void> {
  // Once: some query builders run their query at each call of `then`.
  const handler = Promise.resolve(inside) as Promise<void>;
  const end = (): void => void (call.hasHandlerEnded = true);
  handler.then(end, end);
  return (call.handler = handler);
}

/** Throws the error, once the handler has ended: the next attempt must not run next to it. */
function failed({ handler }: Call, error: unknown): Promise<never> {
  const fail = (): never => {
    throw error;
  };
  return handler === undefined ? fail() : handler.then(fail, fail);
}

function calledTwice({ handler }: HandlerContext): BusbarError {
  return new BusbarError(
    'next-called-twice',
    `A middleware of handler ${quoted(handler)} called next() twice. Call it once, and use "retry" to try again.`,
  );
}
