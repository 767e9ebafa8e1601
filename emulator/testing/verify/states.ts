import { BusbarError } from '../../../src/base/errors.js';
import { quoted } from '../../../src/base/quoted.js';
import { differences } from '../differences.js';
import type { VerifyOptions } from './contract.js';
import type { Delivery } from './delivery.js';
import { called } from './own-function.js';
import { exercise, type ExerciseParts } from './exercise.js';

/** What that answers now, apart from what becomes of it. @throws BusbarError `invalid-option` for what is no data */
export async function copyOfState(options: VerifyOptions, name: 'observe' | 'projection'): Promise<unknown> {
  const state = await called(name, () => options[name]?.());
  try {
    return structuredClone(state);
  } catch (cause) {
    const message = `${quoted(name)} must answer data: no functions, no promises inside, no proxies.`;
    throw new BusbarError('invalid-option', message, { cause });
  }
}

/** States mean something only if the same deliveries lead to the same one. */
export async function whyIncomparable(
  parts: ExerciseParts,
  { observe, projection }: VerifyOptions,
  deliveries: readonly Delivery[],
): Promise<string | undefined> {
  if (observe === undefined && projection === undefined) {
    return 'Give "observe" or "projection" to let it see the state.';
  }
  // With what goes on after the last event has settled: how far that is by then differs, which is a check's affair.
  const one = await exercise(parts, deliveries, { linger: true });
  const other = one.hanging.length > 0 ? one : await exercise(parts, deliveries, { linger: true });
  const [place] = differences(one.lateState, other.lateState);
  if (place === undefined) return undefined;
  const advice =
    'Give "reset", or a function that makes a consumer; leave times and random values out of the state, and sort lists.';
  return `The same events lead to another state each time, at ${JSON.stringify(place)}. ${advice}`;
}
