import type { EventType, PayloadOf, VersionOf } from '../catalogue/index.js';
import type { Clock } from './base/clock.js';
import type { Logger } from './base/logger.js';
import type { ConsumerRecord } from './transports/transport.js';

/**
 * A decoded, validated event of a known type. For several versions it is a union, narrowed by `event.version`:
 * `if (event.version === 'v2') event.payload.billing_document_uuid`.
 */
export type EventOf<T extends EventType, V extends VersionOf<T> = VersionOf<T>> = {
  [K in V]: EventFields<T, K, PayloadOf<T, K>>;
}[V];

/** An event of any type, as `onAny` and `onMatching` handlers receive it. */
export type AnyEvent = EventFields<string, string, unknown>;

/** The fields of an event. */
export interface EventFields<T, V, P> {
  /** Identifier of this version of the occurrence; undefined where the wire format carries none. */
  readonly id: string | undefined;
  /**
   * Identifier that the versions of one occurrence share; undefined where the wire format carries none. A getter, so a
   * copy by spread lacks it.
   */
  readonly occurrenceId: string | undefined;
  readonly type: T;
  readonly version: V;
  /** Version that arrived, if `upcast` converted it to this one. `record` stays the one that arrived. */
  readonly upcastFrom?: string;
  /** Time of the occurrence on the platform, as RFC 3339; undefined where the wire format carries none. */
  readonly occurredAt: string | undefined;
  /** Payload, validated against the catalogue. */
  readonly payload: P;
  /** Record that carried the event: topic, partition, offset, key, headers, bytes. */
  readonly record: ConsumerRecord;
}

/** The second argument of a handler. */
export interface HandlerContext {
  /** Number of the attempt; 1 for the first. */
  readonly attempt: number;
  /**
   * Signal that aborts when the attempt exceeds its deadline, or when the consumer no longer waits for it because it
   * stops or loses the partition. A getter: copy a context with `Object.create(context)`, not by spread.
   */
  readonly signal: AbortSignal;
  /** Name of the handler. */
  readonly handler: string;
  /** Name of the consumer: the option `name`, else the transport's group, else `consumer`. */
  readonly consumer: string;
  readonly logger: Logger;
  /** Clock and random numbers of the run. A test bench replaces both, so prefer them to `Date.now` and `Math.random`. */
  readonly clock: Clock;
  readonly random: () => number;
}

/** Handles one event. The consumer awaits a promise; an error or rejection counts as a failed attempt. */
export type Handler<E> = (event: E, context: HandlerContext) => void | Promise<void>;
