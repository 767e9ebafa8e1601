import { number, type OptionTable, readOptions, whole } from '../base/options.js';
import type { HandlerContext } from '../event.js';
import type { IdempotencyStore, Mark } from './idempotent.js';

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
  return new MemoryStore(capacity, ttl);
}

type Handle = () => void | Promise<void>;

class MemoryStore implements IdempotencyStore {
  readonly #capacity: number;
  readonly #ttl: number;
  /** End of each mark's lifetime, oldest first. */
  readonly #marks = new Map<string, number>();
  /** Promises of running calls, which resolve when the call ends. */
  readonly #running = new Map<string, Promise<void>>();

  constructor(capacity: number, ttl: number) {
    this.#capacity = capacity;
    this.#ttl = ttl;
  }

  once({ consumer, handler, event }: Mark, context: HandlerContext, handle: Handle): void | Promise<void> {
    const mark = JSON.stringify([consumer, handler, event]);
    const first = this.#running.get(mark);
    if (first !== undefined) return this.#after(first, mark, context, handle);
    return this.#unlessMarked(mark, context, handle);
  }

  async #after(first: Promise<void>, mark: string, context: HandlerContext, handle: Handle) {
    for (let other: Promise<void> | undefined = first; other; other = this.#running.get(mark)) await other;
    context.signal.throwIfAborted();
    await this.#unlessMarked(mark, context, handle);
  }

  #unlessMarked(mark: string, context: HandlerContext, handle: Handle): void | Promise<void> {
    this.#expire(context.clock.now());
    if (this.#marks.has(mark)) return;
    const pending = handle();
    if (pending === undefined) {
      this.#set(mark, context);
      return;
    }
    const finished = pending.then(() => {
      // An aborted handler may have stopped halfway.
      if (!context.signal.aborted) this.#set(mark, context);
    });
    const end = (): void => void this.#running.delete(mark);
    this.#running.set(mark, finished.then(end, end));
    return finished;
  }

  #set(mark: string, { clock }: HandlerContext): void {
    this.#marks.delete(mark);
    this.#marks.set(mark, clock.now() + this.#ttl);
    this.#expire(clock.now());
  }

  #expire(now: number): void {
    for (const [mark, until] of this.#marks) {
      if (until > now && this.#marks.size <= this.#capacity) return;
      this.#marks.delete(mark);
    }
  }
}
