import { positionOf } from '../dispatch.js';
import type { EventKey } from '../envelope/envelope.js';
import { BusbarError } from '../base/errors.js';
import type { ConsumerRecord, DeadLetterCause } from '../transports/transport.js';
import type { DeadLetterVerdict, HandleVerdict } from '../verdict.js';
import { told } from '../base/thrown.js';

/** A record that is to be set aside, and why. */
export interface Letter {
  readonly cause: DeadLetterCause;
  readonly event: EventKey | undefined;
  /** What ends the run where nothing can be set aside. */
  readonly error: BusbarError;
}

/** For a record of which no handler gets to see anything. */
export function unfitLetter({ error, event }: DeadLetterVerdict): Letter {
  const cause = { code: error.code, message: error.message, attempts: 0 };
  return { error, event, cause: event === undefined ? cause : { ...cause, event: nameOf(event) } };
}

/** For an event whose handler has failed for the last time. */
export function failedLetter(
  error: BusbarError,
  event: EventKey,
  { handler, attempts }: { handler: string; attempts: number },
): Letter {
  const { code, message } = error;
  return { error, event, cause: { code, message, event: nameOf(event), handler, attempts } };
}

/** For an event behind another of its lane that was set aside. */
export function heldLetter({ event, registration }: HandleVerdict): Letter {
  const message = `An earlier record of the key is among the dead letters, and this one waits behind it (${positionOf(event.record)}).`;
  return failedLetter(new BusbarError('held-key', message), event, {
    handler: registration.name,
    attempts: 0,
  });
}

/** So that the lane is known when the letter is read again, by whoever has no verdict on it. */
export function withLane(letter: Letter, lane: string | null): Letter {
  return { ...letter, cause: { ...letter.cause, lane } };
}

/** Why a partition stops: what becomes of the record is not known. */
export function notSetAside(record: ConsumerRecord, cause: unknown): BusbarError {
  const message = `The record at ${positionOf(record)} could not be set aside: ${told(cause)}`;
  return new BusbarError('dead-letter-failed', message, { cause });
}

/** The catalogue name; cut, because a record may claim any. */
export function nameOf({ type, version }: EventKey): string {
  return `${type}-${version}`.slice(0, 256);
}
