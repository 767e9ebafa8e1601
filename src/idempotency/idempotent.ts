import { createHash } from 'node:crypto';
import { callback, checkOptions, choice, objectWith, type OptionTable } from '../base/options.js';
import { BusbarError, quoted } from '../base/errors.js';
import type { AnyEvent, HandlerContext } from '../event.js';
import type { Middleware } from '../middleware.js';

/** A record that a handler of a consumer has handled an event. */
export interface Mark {
  readonly consumer: string;
  readonly handler: string;
  /** The event's id, or the result of `key`. At most 256 characters. */
  readonly event: string;
}

/** A store of marks. */
export interface IdempotencyStore {
  /**
   * Calls `handle` unless the mark is set, and sets the mark if `handle` succeeds. Waits for a concurrent call with the
   * same mark. Throws the error of `handle`, and sets no mark then.
   */
  once(mark: Mark, context: HandlerContext, handle: () => void | Promise<void>): void | Promise<void>;
}

/** Options of {@link idempotent}. */
export interface IdempotencyOptions {
  /** Store of the marks. */
  readonly store: IdempotencyStore;
  /**
   * Unit that is handled once. `event` (default) handles each event once. `occurrence` handles each occurrence once, in
   * the version that arrives first, for a handler of several versions of one event type.
   */
  readonly by?: 'event' | 'occurrence';
  /** Returns the key of an event, instead of `by`. Events with the same key are handled once. Must not throw. */
  readonly key?: (event: AnyEvent) => string;
}

const idempotencyOptions = {
  store: { type: objectWith('made by memoryStore() or postgresStore()', 'once'), isRequired: true },
  by: { type: choice('event', 'occurrence') },
  key: { type: callback },
} satisfies OptionTable<IdempotencyOptions>;

/**
 * Creates middleware that calls each handler once per event, as long as the store keeps the mark. A repeated event
 * counts as handled, without its handler. Without an id in the envelope, the key is topic, partition and offset, which
 * protects against redelivery, but not against an event that was sent twice.
 *
 * The platform may send several versions of one occurrence, with an id each. By `occurrence`, a handler of several
 * versions handles only the first that arrives. An event without an occurrence id fails with `missing-occurrence-id`,
 * without retries.
 * @throws BusbarError `invalid-option`
 * @example
 * consumer.use(idempotent({ store: memoryStore() }));
 */
export function idempotent(options: IdempotencyOptions): Middleware {
  checkOptions<IdempotencyOptions>('idempotent()', idempotencyOptions, options);
  const { store, by, key } = options;
  if (by !== undefined && key !== undefined) {
    throw new BusbarError('invalid-option', 'idempotent(): "by" conflicts with "key". Set only one of them.');
  }
  const keyOf = key ?? (by === 'occurrence' ? occurrence : idOrPosition);
  const middleware: Middleware = (event, context, next) => {
    const { consumer, handler } = context;
    const mark: unknown = keyOf(event);
    if (typeof mark !== 'string') throw noText(event);
    return store.once({ consumer, handler, event: bounded(mark) }, context, next);
  };
  made.set(middleware, { isTransaction: 'transaction' in store, isAcrossVersions: keyOf !== idOrPosition });
  return middleware;
}

/** The middleware of {@link idempotent}. */
const made = new WeakMap<
  Middleware,
  { readonly isTransaction: boolean; readonly isAcrossVersions: boolean }
>();

/** Whether the middleware may recognise several versions of one occurrence. True for any custom `key`. */
export function recognisesOccurrences(middleware: Middleware): boolean {
  return made.get(middleware)?.isAcrossVersions === true;
}

/**
 * Checks the middleware of a handler, the first one outermost: a mark inside a transaction would remain if the transaction
 * fails, and skip the handler at the next attempt.
 * @throws BusbarError `invalid-option`
 */
export function checkMarks(middleware: readonly Middleware[], handler: string): void {
  const marking = middleware.flatMap((each) => made.get(each) ?? []);
  if (!marking.slice(0, -1).some(({ isTransaction }) => isTransaction)) return;
  const message = `Handler ${quoted(handler)} has an idempotent() inside that of a postgresStore(), whose transaction may fail later. Remove it, or put it outside.`;
  throw new BusbarError('invalid-option', message);
}

function idOrPosition(event: AnyEvent): string {
  const { topic, partition, offset } = event.record;
  // Without this error, all records of a queue would share the offset -1, and only the first would be handled.
  if (event.id === undefined && offset < 0) throw missingId(event, 'neither an id nor an offset. Give');
  return event.id ?? `record ${topic}/${partition}/${offset}`;
}

function occurrence(event: AnyEvent): string {
  const { occurrenceId, type } = event;
  if (occurrenceId !== undefined && occurrenceId !== '') return `occurrence ${type} ${occurrenceId}`;
  throw missingId(event, 'no occurrence id. Handle one version of the event, or give');
}

function missingId({ type, version }: AnyEvent, what: string): BusbarError {
  const name = quoted(`${type}-${version}`);
  const message = `The envelope of event ${name} carries ${what} idempotent() a "key".`;
  return new BusbarError('missing-occurrence-id', message);
}

function noText({ type, version }: AnyEvent): BusbarError {
  const message = `The "key" of idempotent() returned no string for event ${quoted(`${type}-${version}`)}.`;
  return new BusbarError('invalid-option', message);
}

/** Hashes long or invalid ids, which an index or a text column would reject. */
function bounded(key: string): string {
  return key.length <= 256 && !/[\0\p{Surrogate}]/u.test(key)
    ? key
    : createHash('sha256').update(JSON.stringify(key)).digest('hex');
}
