import { BusbarError, quoted } from 'busbar/base';
import { differences, isName } from '../differences.js';
import type { VerifyOptions } from './contract.js';
import type { Delivery } from './delivery.js';
import { called } from './own-function.js';
import { exercise, type ExerciseParts, type Linger } from './exercise.js';
import type { Observed } from './households.js';

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
  /** Pointers to what differs between equal runs, and to serial numbers. The step `*` is the key of any row. */
  readonly noise: readonly string[];
  /** See {@link Subject.floats}. */
  readonly floats?: Linger;
}

/**
 * Delivers the same events twice: what differs is noise.
 * @throws BusbarError `invalid-option` for a `reset` that leaves the state of the first time behind
 */
export async function comparableStates(
  parts: ExerciseParts,
  options: VerifyOptions,
  deliveries: readonly Delivery[],
  linger: Linger = true,
): Promise<Comparable> {
  const { observe, projection, reset } = options;
  if (observe === undefined && projection === undefined)
    return { incomparable: 'Pass "observe" or "projection" to make the state visible.', noise: [] };
  const first = await stateAfter(parts);
  const empty = await stateAfter(parts);
  const { lateState: one, hanging } = await exercise(parts, deliveries, { linger });
  const isLeft = async () => {
    const ownNoise = noiseBetween(first, empty);
    return differences(withoutNoise(empty, ownNoise), withoutNoise(await stateAfter(parts), ownNoise))[0];
  };
  // Work that floats may end after the first reset.
  const leftover = reset && (await isLeft()) && (await isLeft());
  if (leftover !== undefined) {
    const message = `"reset" leaves state behind, at ${JSON.stringify(leftover)}. Empty all that "observe" returns in it.`;
    throw new BusbarError('invalid-option', message);
  }
  const other = hanging.length > 0 ? one : await stateAfter(parts, deliveries, linger);
  const changing = noiseBetween(one, other);
  const noise = [...new Set([...changing, ...serialsIn(one)])];
  const isRetry = linger !== true;
  if (changing.length === 0 && !(isRetry && differences(empty, one).length === 0)) return { noise };
  // A job in the background may have worked on the last events in one of the runs only.
  const still = isRetry ? undefined : await comparableStates(parts, options, deliveries, 'until still');
  if (still && still.incomparable === undefined && still.noise.length < noise.length)
    return { ...still, floats: 'until still' };
  const [before, after, again] = [await stateAfter(parts), one, other].map((each) =>
    withoutNoise(each, noise),
  );
  // What an exercise leaves behind keeps the next one from its effects: not the fields differ, but the rows.
  if (differences(before, after).length > 0 && differences(after, again).length === 0) return { noise };
  const advice =
    'Await all work. Pass "reset" or a function that makes a consumer. Leave times and random values out of the state, and sort lists.';
  const where = JSON.stringify(differences(one, other)[0]);
  return { incomparable: `The same events lead to different states, at ${where}. ${advice}`, noise };
}

/** Returns the state after the deliveries, and work after the last has settled: another check reports its differences. */
async function stateAfter(
  parts: ExerciseParts,
  deliveries: readonly Delivery[] = [],
  linger: Linger = true,
): Promise<unknown> {
  return (await exercise(parts, deliveries, { linger })).lateState;
}

function noiseBetween(one: unknown, other: unknown): string[] {
  return [...new Set(differences(one, other).map(withoutKeys))];
}

function withoutKeys(pointer: string): string {
  return pointer.replaceAll(/(?<=\/)[^/]*/g, stepOf);
}

function stepOf(key: string): string {
  return isName(key) ? key : '*';
}

/**
 * Returns pointers to serial numbers of rows, and to references to them: a refused insert leaves a gap, and changes those
 * of later rows.
 */
function serialsIn(state: unknown): string[] {
  const columns = Object.values(tablesIn(state)).flatMap((rows) =>
    Object.keys(rows[0] ?? {}).map((name) => ({ name, values: rows.map((row) => row[name]) })),
  );
  const ids = columns.filter(({ name }) => /[/_]id$/i.test(name));
  const serials = ids.filter(({ values }) => values.every((_, index) => values.includes(index + 1)));
  const numbers = new Set(serials.flatMap(({ values }) => values));
  return ids.filter(({ values }) => values.every((each) => numbers.has(each))).map(({ name }) => name);
}

/**
 * Returns a state as tables: each collection by keys, and each list, is one. Tables and fields are named by their pointers,
 * in which the step `*` is the key of any row.
 */
export function tablesIn(state: unknown): Observed {
  const tables: Record<string, Record<string, unknown>[]> = {};
  addRow('', state);
  return tables;

  function addRow(table: string, value: unknown, key?: string): void {
    const row: Record<string, unknown> = key === undefined ? {} : { key };
    (tables[table] ??= []).push(row);
    addFields(table, value, row);
  }

  function addFields(path: string, value: unknown, row: Record<string, unknown>): void {
    if (typeof value !== 'object' || value === null) row[path] = value;
    else if (Array.isArray(value)) for (const each of value) addRow(`${path}/*`, each);
    else {
      for (const [key, each] of value instanceof Map ? value : Object.entries(value))
        if (isName(String(key))) addFields(`${path}/${String(key)}`, each, row);
        else addRow(`${path}/*`, each, String(key));
    }
  }
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
