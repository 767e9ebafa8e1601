import type { CatalogueEvent, Validator } from '../catalogue/index.js';
import type { AnyEvent } from './event.js';
import { quoted } from './base/quoted.js';
import type { UpcastStep } from './registry.js';
import { kindOf } from './base/thrown.js';

/** The event in the version that its handler wants, or what stood in the way, without payload values. */
export type UpcastPayload = (event: AnyEvent) => AnyEvent | UpcastProblem;

interface UpcastProblem {
  readonly problem: string;
  /** Absent where nothing was thrown. */
  readonly cause?: unknown;
}

/** Takes the steps one after the other; each result is held against the schema of its version. */
export function upcaster(
  arrived: CatalogueEvent,
  steps: readonly UpcastStep[],
  validators: readonly Validator[],
): UpcastPayload {
  return (event) => {
    let raised = event;
    for (const [index, { from, target, convert }] of steps.entries()) {
      let payload: unknown;
      const what = () =>
        `The upcast of event ${quoted(target.type)} from ${quoted(from)} to ${quoted(target.version)}`;
      try {
        payload = convert(raised.payload, raised);
      } catch (cause) {
        // What the error says may quote the payload.
        return { problem: `${what()} failed with ${kindOf(cause)}.`, cause };
      }
      if (validators[index]?.(payload) !== true) {
        return {
          problem: `${what()} gave a payload that does not match the schema of ${quoted(target.name)}.`,
        };
      }
      const { occurrenceId } = event;
      raised = { ...event, occurrenceId, version: target.version, payload, upcastFrom: arrived.version };
    }
    return raised;
  };
}
