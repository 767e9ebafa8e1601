import type { EventType, PayloadOf, VersionOf } from '../catalogue/index.js';
import type { Clock } from './base/clock.js';
import type { Logger } from './base/logger.js';
import type { ConsumerRecord } from './transports/transport.js';

/**
 * An event as its handler sees it. For several versions it is a union, narrowed by `event.version`:
 * `if (event.version === 'v2') event.payload.billing_document_uuid`.
 */
export type EventOf<T extends EventType, V extends VersionOf<T> = VersionOf<T>> = {
  [K in V]: EventFields<T, K, PayloadOf<T, K>>;
}[V];

/** An event of which only the run knows the type: what `onAny` and `onMatching` handlers get. */
export type AnyEvent = EventFields<string, string, unknown>;

export interface EventFields<T, V, P> {
  /** Unique to the occurrence and version; undefined where the wire format carries none. */
  readonly id: string | undefined;
  /**
   * Shared by the versions of one occurrence; undefined where the wire format carries none. Read from the envelope when
   * asked for, so a copy that a spread makes lacks it.
   */
  readonly occurrenceId: string | undefined;
  readonly type: T;
  readonly version: V;
  /** The version that arrived, where `upcast` made this one of it. The record is what arrived. */
  readonly upcastFrom?: string;
  /** RFC 3339, in the platform's time; undefined where the wire format carries none. */
  readonly occurredAt: string | undefined;
  /** Validated against the catalogue. */
  readonly payload: P;
  /** Where it came from: topic, partition, offset, key, headers, bytes. */
  readonly record: ConsumerRecord;
}

/** What a handler gets beside the event. */
export interface HandlerContext {
  /** 1 for the first attempt. */
  readonly attempt: number;
  /**
   * Aborted when the attempt is past its deadline, and when nobody waits for it any more: the consumer stops, or gives
   * its partition away. Made when it is first read: copy a context with `Object.create(context)`, not with a spread.
   */
  readonly signal: AbortSignal;
  /** The handler's name. */
  readonly handler: string;
  /** The consumer's name: what `createConsumer` was given, else the transport's group, else `consumer`. */
  readonly consumer: string;
  readonly logger: Logger;
  /** The run's clock and randomness: a test bench replaces both, so prefer them to `Date.now` and `Math.random`. */
  readonly clock: Clock;
  readonly random: () => number;
}

/** Handles one event. A promise is awaited; an error or rejection counts as a failed attempt. */
export type Handler<E> = (event: E, context: HandlerContext) => void | Promise<void>;
