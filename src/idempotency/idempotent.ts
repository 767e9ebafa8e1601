import { createHash } from 'node:crypto';
import { callback, objectWith, type OptionTable, readOptions } from '../base/options.js';
import type { AnyEvent, HandlerContext } from '../event.js';
import type { Middleware } from '../middleware.js';

/** What has been done: this handler of this consumer has handled this event. */
export interface Mark {
  readonly consumer: string;
  readonly handler: string;
  /** The event's id, or what `key` made. At most 256 characters. */
  readonly event: string;
}

/** Remembers marks. */
export interface IdempotencyStore {
  /**
   * Calls `handle` unless the mark is set, and sets it when that ends well. While another call with the same mark is at
   * work, waits for it; a call that fails leaves no mark. Passes on what `handle` throws.
   */
  once(mark: Mark, context: HandlerContext, handle: () => void | Promise<void>): void | Promise<void>;
}

export interface IdempotencyOptions {
  readonly store: IdempotencyStore;
  /** What tells two events apart. Default: the id in the envelope, else the record's position. Must not throw. */
  readonly key?: (event: AnyEvent) => string;
}

const idempotencyOptions = {
  store: { type: objectWith('made by memoryStore() or postgresStore()', 'once'), isRequired: true },
  key: { type: callback, default: idOrPosition },
} satisfies OptionTable<IdempotencyOptions>;

/**
 * Middleware that lets each handler handle each event once, as far as the store remembers. An event that was handled
 * before counts as handled again, without its handler. Without an id in the envelope the key is topic, partition and
 * offset: protection against redelivery alone, not against an event that was sent twice.
 * @example
 * consumer.use(idempotent({ store: memoryStore() }));
 */
export function idempotent(options: IdempotencyOptions): Middleware {
  const { store, key } = readOptions('idempotent()', idempotencyOptions, options);
  return (event, context, next) => {
    const { consumer, handler } = context;
    return store.once({ consumer, handler, event: bounded(key(event)) }, context, next);
  };
}

function idOrPosition({ id, record: { topic, partition, offset } }: AnyEvent): string {
  return id ?? `record ${topic}/${partition}/${offset}`;
}

/** Ids come from outside: neither an index nor a text column takes any. */
function bounded(key: string): string {
  return key.length <= 256 && !/[\0\p{Surrogate}]/u.test(key)
    ? key
    : createHash('sha256').update(JSON.stringify(key)).digest('hex');
}
