import { BusbarError, quoted } from 'busbar/base';
import { differences } from '../differences.js';
import type { VerifyOptions } from './contract.js';
import type { Delivery } from './delivery.js';
import { called } from './own-function.js';
import { exercise, type ExerciseParts } from './exercise.js';

/** Returns a copy of the current state or projection. @throws BusbarError `invalid-option` if it is not data */
export async function copyOfState(options: VerifyOptions, name: 'observe' | 'projection'): Promise<unknown> {
  const state = await called(name, () => options[name]?.());
  try {
    return structuredClone(state);
  } catch (cause) {
    const message = `${quoted(name)} must return data. Remove functions, nested promises and proxies.`;
    throw new BusbarError('invalid-option', message, { cause });
  }
}

/** Returns the reason why states are not comparable, if any: equal deliveries must lead to equal states. */
export async function whyIncomparable(
  parts: ExerciseParts,
  { observe, projection }: VerifyOptions,
  deliveries: readonly Delivery[],
): Promise<string | undefined> {
  if (observe === undefined && projection === undefined) {
    return 'Pass "observe" or "projection" to make the state visible.';
  }
  // Including work after the last event has settled: another check reports its differences.
  const one = await exercise(parts, deliveries, { linger: true });
  const other = one.hanging.length > 0 ? one : await exercise(parts, deliveries, { linger: true });
  const [place] = differences(one.lateState, other.lateState);
  if (place === undefined) return undefined;
  const advice =
    'Pass "reset" or a function that makes a consumer. Leave times and random values out of the state, and sort lists.';
  return `The same events lead to different states, at ${JSON.stringify(place)}. ${advice}`;
}
