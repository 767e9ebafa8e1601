import { Newest } from '../base/newest.js';
import { number, type OptionTable, readOptions, whole } from '../base/options.js';
import type { HandlerContext } from '../event.js';
import type { IdempotencyStore } from './idempotent.js';

/** Options of {@link memoryStore}. */
export interface MemoryStoreOptions {
  /** Maximum number of marks; the oldest are dropped first. Default 100,000. */
  readonly capacity?: number;
  /** Lifetime of a mark, in milliseconds of the run's clock. Default 24 hours. */
  readonly ttl?: number;
}

const memoryStoreOptions = {
  capacity: { type: whole({ from: 1, orInfinity: true }), default: 100_000 },
  ttl: { type: number({ above: 0, orInfinity: true }), default: 24 * 60 * 60 * 1000, unit: 'milliseconds' },
} satisfies OptionTable<MemoryStoreOptions>;

/**
 * Creates a store in the memory of this process. A restart loses the marks, and other processes do not see them.
 * @throws BusbarError `invalid-option`
 */
export function memoryStore(options: MemoryStoreOptions = {}): IdempotencyStore {
  const { capacity, ttl } = readOptions('memoryStore()', memoryStoreOptions, options);
  /** End of each mark's lifetime, oldest first. */
  const marks = new Newest<string, number>(capacity);
  /** Promises of running calls, which resolve when the call ends. */
  const running = new Map<string, Promise<void>>();

  async function after(first: Promise<void>, mark: string, context: HandlerContext, handle: Handle) {
    for (let other: Promise<void> | undefined = first; other; other = running.get(mark)) await other;
    context.signal.throwIfAborted();
    await unlessMarked(mark, context, handle);
  }

  function unlessMarked(mark: string, context: HandlerContext, handle: Handle): void | Promise<void> {
    const now = context.clock.now();
    marks.dropWhile((until) => until <= now);
    if (marks.get(mark) !== undefined) return;
    const pending = handle();
    if (pending === undefined) {
      set(mark, context);
      return;
    }
    const finished = pending.then(() => {
      // An aborted handler may have stopped halfway.
      if (!context.signal.aborted) set(mark, context);
    });
    const end = (): void => void running.delete(mark);
    running.set(mark, finished.then(end, end));
    return finished;
  }

  function set(mark: string, { clock }: HandlerContext): void {
    marks.set(mark, clock.now() + ttl);
  }

  return {
    once({ consumer, handler, event }, context, handle) {
      const mark = JSON.stringify([consumer, handler, event]);
      const first = running.get(mark);
      return first === undefined ? unlessMarked(mark, context, handle) : after(first, mark, context, handle);
    },
  };
}

type Handle = () => void | Promise<void>;
