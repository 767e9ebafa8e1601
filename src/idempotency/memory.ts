import { number, type OptionTable, readOptions, whole } from '../base/options.js';
import type { HandlerContext } from '../event.js';
import type { IdempotencyStore, Mark } from './idempotent.js';

export interface MemoryStoreOptions {
  /** How many marks are kept; the oldest are forgotten first. Default 100,000. */
  readonly capacity?: number;
  /** How long a mark is kept, in milliseconds of the run's clock. Default 24 hours. */
  readonly ttl?: number;
}

const memoryStoreOptions = {
  capacity: { type: whole({ from: 1, orInfinity: true }), default: 100_000 },
  ttl: { type: number({ above: 0, orInfinity: true }), default: 24 * 60 * 60 * 1000, unit: 'milliseconds' },
} satisfies OptionTable<MemoryStoreOptions>;

/**
 * Marks in this process: catches what is delivered twice while it lives. A restart forgets them, and other processes do
 * not see them.
 * @throws BusbarError `invalid-option`
 */
export function memoryStore(options: MemoryStoreOptions = {}): IdempotencyStore {
  const { capacity, ttl } = readOptions('memoryStore()', memoryStoreOptions, options);
  return new MemoryStore(capacity, ttl);
}

class MemoryStore implements IdempotencyStore {
  readonly #capacity: number;
  readonly #ttl: number;
  /** Until when, oldest first: each mark is set once, so the order of a map is that of time. */
  readonly #marks = new Map<string, number>();
  /** Resolves at the end of the call at work, however it ends. */
  readonly #atWork = new Map<string, Promise<void>>();

  constructor(capacity: number, ttl: number) {
    this.#capacity = capacity;
    this.#ttl = ttl;
  }

  once(
    { consumer, handler, event }: Mark,
    context: HandlerContext,
    handle: () => void | Promise<void>,
  ): void | Promise<void> {
    const mark = JSON.stringify([consumer, handler, event]);
    const first = this.#atWork.get(mark);
    if (first !== undefined) return this.#after(first, mark, context, handle);
    return this.#unlessMarked(mark, context, handle);
  }

  async #after(
    first: Promise<void>,
    mark: string,
    context: HandlerContext,
    handle: () => void | Promise<void>,
  ) {
    for (let other: Promise<void> | undefined = first; other; other = this.#atWork.get(mark)) await other;
    context.signal.throwIfAborted();
    await this.#unlessMarked(mark, context, handle);
  }

  #unlessMarked(
    mark: string,
    context: HandlerContext,
    handle: () => void | Promise<void>,
  ): void | Promise<void> {
    this.#forget(context.clock.now());
    if (this.#marks.has(mark)) return;
    const pending = handle();
    if (pending === undefined) {
      this.#set(mark, context);
      return;
    }
    const finished = pending.then(() => {
      // What ended because nobody waited for it any more may have done half.
      if (!context.signal.aborted) this.#set(mark, context);
    });
    const end = (): void => void this.#atWork.delete(mark);
    this.#atWork.set(mark, finished.then(end, end));
    return finished;
  }

  #set(mark: string, { clock }: HandlerContext): void {
    this.#marks.delete(mark);
    this.#marks.set(mark, clock.now() + this.#ttl);
    this.#forget(clock.now());
  }

  #forget(now: number): void {
    for (const [mark, until] of this.#marks) {
      if (until > now && this.#marks.size <= this.#capacity) return;
      this.#marks.delete(mark);
    }
  }
}
