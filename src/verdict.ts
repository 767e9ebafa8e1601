import type { EventKey } from './envelope/envelope.js';
import type { BusbarError } from './base/errors.js';
import type { AnyEvent } from './event.js';
import type { Registration } from './registry.js';

/**
 * What is to be done with a record. `consumer.dispatch` answers it without side effects but a log line; a runtime
 * carries it out and settles the record.
 */
export type Verdict = HandleVerdict | SkipVerdict | DeadLetterVerdict | FailVerdict;

/** The event is valid and has a handler. */
export interface HandleVerdict {
  readonly action: 'handle';
  readonly event: AnyEvent;
  readonly registration: Registration;
}

/** Nothing is to be done: the record counts as settled. */
export interface SkipVerdict {
  readonly action: 'skip';
  /**
   * `superseded`: a higher version of the same event is handled in its place. `other-group`: it was replayed for
   * another consumer group.
   */
  readonly reason: 'unhandled' | 'superseded' | 'other-group' | RecordProblem;
}

/** The record is to be set aside, then it is settled. */
export interface DeadLetterVerdict {
  readonly action: 'dead-letter';
  readonly reason: 'unhandled' | RecordProblem;
  /** The event's name, where it could be read. */
  readonly event: EventKey | undefined;
  readonly error: BusbarError;
}

/** The run must end: the record stays unsettled. */
export interface FailVerdict {
  readonly action: 'fail';
  readonly reason: 'unhandled' | RecordProblem;
  /** The event's name, where it could be read. */
  readonly event: EventKey | undefined;
  readonly error: BusbarError;
}

/** What can be wrong with a record before any handler sees it. */
export type RecordProblem = 'undecodable' | 'unknown' | 'invalid';
