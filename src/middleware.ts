import { BusbarError } from './base/errors.js';
import type { AnyEvent, Handler, HandlerContext } from './event.js';
import { quoted } from './base/quoted.js';

/**
 * Stands around handlers. Calls `next` once and returns or awaits what it answers; without calling it, the handler does
 * not run and the event counts as handled. An error, its own or the handler's that it lets pass, is a failed attempt.
 * Runs at every attempt.
 * @example
 * const timed: Middleware = async (event, context, next) => {
 *   const begun = context.clock.now();
 *   await next();
 *   context.logger.info('Handled.', { event: event.type, ms: context.clock.now() - begun });
 * };
 */
export type Middleware = (
  event: AnyEvent,
  context: HandlerContext,
  next: () => void | Promise<void>,
) => void | Promise<void>;

/** The handler with middleware around it, the first one outermost. Without any it is the handler itself. */
export function composed(middleware: readonly Middleware[], handler: Handler<AnyEvent>): Handler<AnyEvent> {
  return middleware.reduceRight(around, handler);
}

function around(inner: Handler<AnyEvent>, middleware: Middleware): Handler<AnyEvent> {
  return (event, context) => {
    let wasCalled = false;
    let hasEnded = false;
    const handlers: { end?: void | Promise<void> } = {};
    const end = (): void => void (hasEnded = true);
    const own = middleware(event, context, () => {
      if (wasCalled) throw calledTwice(context);
      wasCalled = true;
      const inside = inner(event, context);
      inside?.then(end, end);
      return (handlers.end = inside);
    });
    // One that forgot to return or to await the handler must not settle the event before the handler has ended; what
    // it has waited for is its own to judge.
    if (own === undefined || own === handlers.end) return handlers.end;
    return own.then(() => (hasEnded ? undefined : handlers.end));
  };
}

function calledTwice({ handler }: HandlerContext): BusbarError {
  return new BusbarError(
    'next-called-twice',
    `A middleware of handler ${quoted(handler)} called next() twice. Call it once; to try again is what "retry" does.`,
  );
}
