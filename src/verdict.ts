import type { EventKey } from './envelope/envelope.js';
import type { BusbarError } from './base/errors.js';
import type { AnyEvent } from './event.js';
import type { Registration } from './registry.js';

/**
 * The decision about a record. `consumer.verdictOn` returns it without acting on it; a run and `consumer.dispatch` apply
 * it.
 */
export type Verdict = HandleVerdict | SkipVerdict | DeadLetterVerdict | FailVerdict;

/** The event is valid and has a handler. */
export interface HandleVerdict {
  readonly action: 'handle';
  readonly event: AnyEvent;
  readonly registration: Registration;
}

/** The record needs no handling and counts as settled. */
export interface SkipVerdict {
  readonly action: 'skip';
  /**
   * Reason of the skip. `superseded`: a higher version of the same event is handled instead. `other-group`: the record
   * was replayed for another consumer group.
   */
  readonly reason: 'unhandled' | 'superseded' | 'other-group' | RecordProblem;
}

/** The record must be dead-lettered, which settles it. */
export interface DeadLetterVerdict extends Problematic {
  readonly action: 'dead-letter';
}

/** The run must end, and the record stays unsettled. */
export interface FailVerdict extends Problematic {
  readonly action: 'fail';
}

interface Problematic {
  readonly reason: 'unhandled' | RecordProblem;
  /** Name of the event; undefined where it could not be read. */
  readonly event: EventKey | undefined;
  readonly error: BusbarError;
}

/** Problem with a record before any handler receives it. */
export type RecordProblem = 'undecodable' | 'unknown' | 'invalid';
