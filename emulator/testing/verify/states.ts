import { BusbarError, quoted } from 'busbar/base';
import { differences, isName } from '../differences.js';
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

/** The part of states that can be compared. */
export interface Comparable {
  /** Reason why states cannot be compared; undefined if they can. */
  readonly incomparable?: string;
  /** Pointers to what differs between equal runs. The step `*` is the key of any row. */
  readonly noise: readonly string[];
}

/** Delivers the same events twice: what differs is noise. */
export async function comparableStates(
  parts: ExerciseParts,
  { observe, projection }: VerifyOptions,
  deliveries: readonly Delivery[],
): Promise<Comparable> {
  if (observe === undefined && projection === undefined)
    return { incomparable: 'Pass "observe" or "projection" to make the state visible.', noise: [] };
  // Including work after the last event has settled: another check reports its differences.
  const one = await exercise(parts, deliveries, { linger: true });
  const other = one.hanging.length > 0 ? one : await exercise(parts, deliveries, { linger: true });
  const pointers = differences(one.lateState, other.lateState);
  const noise = [...new Set(pointers.map(withoutKeys))];
  if (noise.length === 0) return { noise };
  const empty = await exercise(parts, [], { linger: true });
  const [before, after, again] = [empty, one, other].map(({ lateState }) => withoutNoise(lateState, noise));
  // What an exercise leaves behind keeps the next one from its effects: not the fields differ, but the rows.
  if (differences(before, after).length > 0 && differences(after, again).length === 0) return { noise };
  const advice =
    'Pass "reset" or a function that makes a consumer. Leave times and random values out of the state, and sort lists.';
  const where = JSON.stringify(pointers[0]);
  return { incomparable: `The same events lead to different states, at ${where}. ${advice}`, noise };
}

function withoutKeys(pointer: string): string {
  return pointer.replaceAll(/(?<=\/)[^/]*/g, stepOf);
}

function stepOf(key: string): string {
  return isName(key) ? key : '*';
}

/** Returns the state without noise. Of a collection whose keys are noise, the number of rows is left. */
export function withoutNoise(state: unknown, noise: readonly string[], pointer = ''): unknown {
  if (noise.length === 0 || typeof state !== 'object' || state === null) return state;
  if (state instanceof Set || state instanceof Date) return state;
  const isMap = state instanceof Map;
  const entries = [...(isMap ? state : Object.entries(state))] as (readonly [unknown, unknown])[];
  if (noise.includes(`${pointer}/*`)) return entries.length;
  const left = entries
    .map(([key, each]) => [key, each, `${pointer}/${stepOf(String(key))}`] as const)
    .filter(([, , path]) => !noise.includes(path))
    .map(([key, each, path]) => [key, withoutNoise(each, noise, path)] as const);
  if (Array.isArray(state)) return left.map(([, each]) => each);
  return isMap ? new Map(left) : Object.fromEntries(left);
}
