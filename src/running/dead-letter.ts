import { positionOf } from '../dispatch.js';
import type { EventKey } from '../envelope/envelope.js';
import { BusbarError, safeMessage } from '../base/errors.js';
import type { ConsumerRecord, DeadLetterCause } from '../transports/transport.js';
import type { DeadLetterVerdict, HandleVerdict } from '../verdict.js';

/** A record to dead-letter, without its bytes. */
export interface DeadLetter {
  readonly cause: DeadLetterCause;
  readonly event: EventKey | undefined;
  /** Error that ends the run if the transport has no dead letters. */
  readonly error: BusbarError;
}

/** Returns the dead letter of a record that never reached a handler. */
export function invalidRecordDeadLetter({ error, event }: DeadLetterVerdict): DeadLetter {
  const cause = { code: error.code, message: error.message, attempts: 0 };
  return { error, event, cause: event === undefined ? cause : { ...cause, event: nameOf(event) } };
}

/** Returns the dead letter of an event whose handler failed at the last attempt. */
export function failedHandlerDeadLetter(
  error: BusbarError,
  { type, version }: EventKey,
  { handler, attempts }: { handler: string; attempts: number },
): DeadLetter {
  const { code, message } = error;
  const event = { type, version };
  return { error, event, cause: { code, message, event: nameOf(event), handler, attempts } };
}

/** Returns the dead letter of an event behind a dead-lettered one of its lane. */
export function heldKeyDeadLetter({ event, registration }: HandleVerdict): DeadLetter {
  const message = `An earlier record of the key is a dead letter, and this one waits behind it (${positionOf(event.record)}).`;
  return failedHandlerDeadLetter(new BusbarError('held-key', message), event, {
    handler: registration.name,
    attempts: 0,
  });
}

/** Adds the lane, which cannot be computed from the stored record without its event. */
export function withLane(letter: DeadLetter, lane: string | null): DeadLetter {
  return { ...letter, cause: { ...letter.cause, lane } };
}

/** Returns the error that stops a partition: the record may or may not have been written. */
export function deadLetterFailed(record: ConsumerRecord, cause: unknown): BusbarError {
  const message = `The record at ${positionOf(record)} could not be dead-lettered: ${safeMessage(cause)}`;
  return new BusbarError('dead-letter-failed', message, { cause });
}

/** Returns the catalogue name, truncated because a record may carry any text. */
export function nameOf({ type, version }: EventKey): string {
  return `${type}-${version}`.slice(0, 256);
}
