import { BusbarError } from './base/errors.js';
import { isThenable } from './base/is-thenable.js';
import type { AnyEvent, Handler, HandlerContext } from './event.js';
import { quoted } from './base/quoted.js';

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

function wrap(inner: Handler<AnyEvent>, middleware: Middleware): Handler<AnyEvent> {
  return (event, context) => {
    let wasCalled = false;
    let hasEnded = false;
    const handlers: { end?: Promise<void> } = {};
    const end = (): void => void (hasEnded = true);
    // A handler that still runs must end before the next attempt at its event.
    const failed = (error: unknown) => {
      const fail = (): never => {
        throw error;
      };
      return handlers.end === undefined ? fail() : handlers.end.then(fail, fail);
    };
    let own: void | Promise<void>;
    try {
      own = middleware(event, context, () => {
        if (wasCalled) throw calledTwice(context);
        wasCalled = true;
        const inside: unknown = inner(event, context);
        // Once: some query builders run their query at each call of `then`.
        if (isThenable(inside)) handlers.end = Promise.resolve(inside) as Promise<void>;
        handlers.end?.then(end, end);
        return handlers.end;
      });
    } catch (error) {
      return failed(error);
    }
    // Middleware that neither returned nor awaited the handler's promise must not settle the event before the handler
    // has ended. If it awaited the promise, it decides what a rejection means.
    if (!isThenable(own) || own === handlers.end) return handlers.end;
    return own.then(() => (hasEnded ? undefined : handlers.end), failed);
  };
}

function calledTwice({ handler }: HandlerContext): BusbarError {
  return new BusbarError(
    'next-called-twice',
    `A middleware of handler ${quoted(handler)} called next() twice. Call it once, and use "retry" to try again.`,
  );
}
