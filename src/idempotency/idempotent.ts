import { createHash } from 'node:crypto';
import { callback, checkOptions, choice, objectWith, type OptionTable } from '../base/options.js';
import { BusbarError } from '../base/errors.js';
import type { AnyEvent, HandlerContext } from '../event.js';
import type { Middleware } from '../middleware.js';
import { quoted } from '../base/quoted.js';

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
  /**
   * `event` (default) handles each event once. `occurrence` handles each occurrence once, in the version that arrives
   * first: for a handler of several versions of one event type.
   */
  readonly by?: 'event' | 'occurrence';
  /** Names what is handled once, instead of `by`. Must not throw. */
  readonly key?: (event: AnyEvent) => string;
}

const idempotencyOptions = {
  store: { type: objectWith('made by memoryStore() or postgresStore()', 'once'), isRequired: true },
  by: { type: choice('event', 'occurrence') },
  key: { type: callback },
} satisfies OptionTable<IdempotencyOptions>;

/**
 * Middleware that lets each handler handle each event once, as far as the store remembers. An event that was handled
 * before counts as handled again, without its handler. Without an id in the envelope the key is topic, partition and
 * offset: protection against redelivery alone, not against an event that was sent twice.
 *
 * The platform may send several versions of one occurrence, with an id each. By `occurrence`, one handler of several
 * versions handles only the first that arrives. An event without an occurrence id fails with `missing-occurrence-id`
 * and is not tried again.
 * @throws BusbarError `invalid-option`
 * @example
 * consumer.use(idempotent({ store: memoryStore() }));
 */
export function idempotent(options: IdempotencyOptions): Middleware {
  checkOptions<IdempotencyOptions>('idempotent()', idempotencyOptions, options);
  const { store, by, key } = options;
  if (by !== undefined && key !== undefined) {
    throw new BusbarError(
      'invalid-option',
      'idempotent(): "by" and "key" do not go together. Give one of them.',
    );
  }
  const keyOf = key ?? (by === 'occurrence' ? occurrence : idOrPosition);
  const middleware: Middleware = (event, context, next) => {
    const { consumer, handler } = context;
    return store.once({ consumer, handler, event: bounded(keyOf(event)) }, context, next);
  };
  if (keyOf !== idOrPosition) acrossVersions.add(middleware);
  return middleware;
}

/** Middleware that may take several versions of one occurrence for the same. */
const acrossVersions = new WeakSet<Middleware>();

/** Whether the middleware recognises an occurrence in another version. A `key` of the user's own may. */
export function recognisesOccurrences(middleware: Middleware): boolean {
  return acrossVersions.has(middleware);
}

function idOrPosition({ id, record: { topic, partition, offset } }: AnyEvent): string {
  return id ?? `record ${topic}/${partition}/${offset}`;
}

function occurrence({ occurrenceId, type, version }: AnyEvent): string {
  if (occurrenceId !== undefined && occurrenceId !== '') return `occurrence ${type} ${occurrenceId}`;
  throw new BusbarError(
    'missing-occurrence-id',
    `The envelope of event ${quoted(`${type}-${version}`)} carries no occurrence id. ` +
      'Handle one version of the event, or give idempotent() a "key".',
  );
}

/** Ids come from outside: neither an index nor a text column takes any. */
function bounded(key: string): string {
  return key.length <= 256 && !/[\0\p{Surrogate}]/u.test(key)
    ? key
    : createHash('sha256').update(JSON.stringify(key)).digest('hex');
}
