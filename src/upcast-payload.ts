import type { CatalogueEvent, Validator } from '../catalogue/index.js';
import type { AnyEvent } from './event.js';
import { kindOf, quoted } from './base/errors.js';
import type { UpcastStep } from './registry.js';

/** Returns the event in the version of its handler, or the problem, without payload values. */
export type UpcastPayload = (event: AnyEvent) => AnyEvent | UpcastProblem;

interface UpcastProblem {
  readonly problem: string;
  /** The thrown value; absent where nothing was thrown. */
  readonly cause?: unknown;
}

/** Returns a function that takes the steps in order and validates each result against the schema of its version. */
export function upcaster(
  arrived: CatalogueEvent,
  steps: readonly UpcastStep[],
  validators: readonly Validator[],
): UpcastPayload {
  return (event) => {
    let current = event;
    for (const [index, { from, target, convert }] of steps.entries()) {
      let payload: unknown;
      const what = () =>
        `The upcast of event ${quoted(target.type)} from ${quoted(from)} to ${quoted(target.version)}`;
      try {
        payload = convert(current.payload, current);
      } catch (cause) {
        // The message of the error may quote the payload.
        return { problem: `${what()} failed with ${kindOf(cause)}.`, cause };
      }
      if (validators[index]?.(payload) !== true) {
        return {
          problem: `${what()} returned a payload that does not match the schema of ${quoted(target.name)}.`,
        };
      }
      const { occurrenceId } = event;
      current = { ...event, occurrenceId, version: target.version, payload, upcastFrom: arrived.version };
    }
    return current;
  };
}
