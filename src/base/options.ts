import { didYouMean, nearest } from './nearest.js';
import { BusbarError } from './errors.js';
import { quoted } from './quoted.js';

/** The options of one public function: one row for each, from which checks and defaults derive. */
export type OptionTable<O> = { readonly [K in keyof O]-?: Option<NonNullable<O[K]>> };

/** One row: the values that an option takes, and the value that it has where the caller gives none. */
export interface Option<V = unknown> {
  readonly type: ValueType;
  /** Absent where leaving the option out is a value of its own, or the default is computed. */
  readonly default?: V;
  readonly unit?: Unit;
  readonly isRequired?: true;
  /** Keeps the value out of messages. */
  readonly isSecret?: true;
}

/** Units of numbers. Messages name them. */
export type Unit = 'milliseconds' | 'bytes' | 'milliseconds since 1970';

/** The values that an option takes. */
export interface ValueType {
  /** Completes "must be". */
  readonly expected: string;
  /** Looks at the value itself; its parts have types of their own. */
  readonly accepts: (value: unknown) => boolean;
  /** The options within an object. */
  readonly fields?: Rows;
  /** The type of each item of a list, and of each value of an object. */
  readonly each?: ValueType;
  /** The types that a value may have one of. */
  readonly types?: readonly ValueType[];
}

type Rows = Readonly<Record<string, Option>>;

/** The options that a table has defaults for. */
export type Defaults<T> = {
  readonly [K in keyof T as T[K] extends { readonly default: unknown } ? K : never]: T[K] extends {
    readonly default: infer V;
  }
    ? V
    : never;
};

/** The options with each default filled in, those within an option left out. */
export type Filled<O, T> = O & {
  readonly [K in keyof O & keyof Defaults<T>]-?: NonNullable<O[K]>;
};

/**
 * Checks options against their table.
 * @param owner Names the function in messages: `kafka()`.
 * @throws BusbarError `invalid-option` for an unknown name, a missing option and a value of another type.
 */
export function checkOptions<O>(owner: string, table: OptionTable<O>, given: unknown): asserts given is O {
  const objection = objectionTo(table, given);
  if (objection !== undefined) throw new BusbarError('invalid-option', `${owner}: ${objection}`);
}

/** Checks options and fills in the defaults. @throws BusbarError `invalid-option` */
export function readOptions<O extends object, T extends OptionTable<O> & Rows>(
  owner: string,
  table: T,
  given: O,
): Filled<O, T> {
  checkOptions<O>(owner, table, given);
  return withDefaults(table, given);
}

/** Fills in the defaults of options that were checked. Names that the table does not have stay. */
export function withDefaults<O extends object, T extends Rows>(table: T, given: O): Filled<O, T> {
  const filled = { ...given } as Record<string, unknown>;
  for (const [option, row] of Object.entries(table)) {
    if (row.default !== undefined) filled[option] ??= row.default;
  }
  return filled as Filled<O, T>;
}

/** The defaults alone. */
export function defaultsOf<T extends Rows>(table: T): Defaults<T> {
  return withDefaults(table, {}) as Defaults<T>;
}

/** Returns one sentence about the first thing that is wrong with the options, or nothing. */
export function objectionTo(table: Rows, given: unknown): string | undefined {
  if (!isObject(given)) return `the options must be an object, not ${shown(given)}.`;
  return objectionToFields(table, given, '');
}

function objectionToFields(table: Rows, given: object, path: string): string | undefined {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(table, name));
  if (unknown !== undefined) {
    const names = Object.keys(table);
    const hint = didYouMean(nearest(unknown, names, 1)) || ` The options are ${names.join(', ')}.`;
    return `there is no option ${quoted(path + unknown)}.${hint}`;
  }
  for (const [name, row] of Object.entries(table)) {
    const objection = objectionToValue(row, (given as Record<string, unknown>)[name], path + name);
    if (objection !== undefined) return objection;
  }
  return undefined;
}

function objectionToValue(row: Option, value: unknown, path: string): string | undefined {
  const { type, unit, isRequired, isSecret } = row;
  if (value === undefined) return isRequired && `"${path}" is missing. It must be ${type.expected}.`;
  const accepting = (type.types ?? [type]).find((each) => each.accepts(value));
  if (accepting === undefined) {
    const expected = unit === undefined ? type.expected : `${type.expected} (${unit})`;
    return `"${path}" must be ${expected}, not ${isSecret ? kindOf(value) : shown(value)}.`;
  }
  const { fields, each } = accepting;
  if (fields !== undefined) return objectionToFields(fields, value as object, `${path}.`);
  if (each === undefined) return undefined;
  const part: Option = { type: each, isRequired: true, ...(isSecret && { isSecret }) };
  for (const [name, item] of Object.entries(value as object)) {
    const objection = objectionToValue(
      part,
      item,
      Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`,
    );
    if (objection !== undefined) return objection;
  }
  return undefined;
}

/** Bounds of a number, both included. */
interface Bounds {
  readonly from?: number;
  readonly to?: number;
  /** Above this, which is not included. */
  readonly above?: number;
  /** Takes `Infinity` for "without bound". */
  readonly orInfinity?: true;
}

/** Any number within the bounds; `NaN` is none. */
export function number(bounds: Bounds = {}): ValueType {
  return bounded('a number', bounds, Number.isFinite);
}

/** A whole number within the bounds, 2^53 - 1 at most. */
export function whole(bounds: Bounds = {}): ValueType {
  return bounded('a whole number', bounds, Number.isSafeInteger);
}

function bounded(kind: string, bounds: Bounds, isKind: (value: unknown) => boolean): ValueType {
  const { from = -Infinity, to = Infinity, above = -Infinity, orInfinity = false } = bounds;
  return {
    expected: `${kind}${rangeOf(bounds)}${orInfinity ? ' or Infinity' : ''}`,
    accepts: (value) =>
      (orInfinity && value === Infinity) ||
      (typeof value === 'number' && isKind(value) && value >= from && value <= to && value > above),
  };
}

function rangeOf({ from, to, above }: Bounds): string {
  if (above !== undefined) return ` above ${above}${to === undefined ? '' : ` and at most ${to}`}`;
  if (from === undefined) return to === undefined ? '' : ` of at most ${to}`;
  return to === undefined ? ` of at least ${from}` : ` from ${from} to ${to}`;
}

/** A port to listen on; 0 lets the system choose. */
export const portNumber: ValueType = whole({ from: 0, to: 65_535 });

/** A date as a number: milliseconds since 1970, up to the last that JavaScript has. */
export const instantNumber: ValueType = whole({ from: 0, to: 8_640_000_000_000_000 });

export const boolean: ValueType = {
  expected: 'true or false',
  accepts: (value) => typeof value === 'boolean',
};

/** Text, empty or not. */
export const text: ValueType = { expected: 'a text', accepts: (value) => typeof value === 'string' };

/** Text with at least one character. */
export const nonEmptyText: ValueType = {
  expected: 'a text that is not empty',
  accepts: (value) => typeof value === 'string' && value !== '',
};

/** Text that the pattern matches. */
export function matching(pattern: RegExp, expected: string): ValueType {
  return { expected, accepts: (value) => typeof value === 'string' && pattern.test(value) };
}

/** Text of so many characters. */
export function textOf({ from, to }: { readonly from: number; readonly to: number }): ValueType {
  return {
    expected: `a text of ${from} to ${to} characters`,
    accepts: (value) => typeof value === 'string' && value.length >= from && value.length <= to,
  };
}

export const callback: ValueType = {
  expected: 'a function',
  accepts: (value) => typeof value === 'function',
};

/** A list or anything else that `for ... of` goes through, texts excepted. */
export const iterable: ValueType = {
  expected: 'a list or another iterable',
  accepts: (value) => typeof value === 'object' && value !== null && Symbol.iterator in value,
};

/** Any value but undefined. */
export const anything: ValueType = { expected: 'a value', accepts: () => true };

/** One of the words. */
export function choice(...words: readonly (string | false | null)[]): ValueType {
  return {
    expected: alternatives(words.map((word) => JSON.stringify(word))),
    accepts: (value) => (words as readonly unknown[]).includes(value),
  };
}

/** A list of values of one type. */
export function listOf(each: ValueType, { notEmpty = false } = {}): ValueType {
  return {
    expected: `a list${notEmpty ? ' of at least one item' : ''} (each ${each.expected})`,
    accepts: (value) => Array.isArray(value) && (!notEmpty || value.length > 0),
    each,
  };
}

/** An object whose values are all of one type. */
export function recordOf(each: ValueType): ValueType {
  return { expected: `an object (each value ${each.expected})`, accepts: isObject, each };
}

/** Options within an option. */
export function nested<O>(fields: OptionTable<O>): ValueType {
  return { expected: 'an object', accepts: isObject, fields: fields };
}

/** An object, such as one of another library, that has these methods. */
export function objectWith(expected: string, ...methods: readonly string[]): ValueType {
  return {
    expected,
    accepts: (value) =>
      (isObject(value) || typeof value === 'function') &&
      methods.every((method) => typeof (value as unknown as Record<string, unknown>)[method] === 'function'),
  };
}

/** A value of one of the types; of those that accept it, the first counts. */
export function either(...types: readonly ValueType[]): ValueType {
  return {
    expected: alternatives(types.map(({ expected }) => expected)),
    accepts: (value) => types.some((type) => type.accepts(value)),
    types,
  };
}

/** Types that options of several functions share. */
export const clockObject = objectWith('a clock', 'now', 'schedule');
export const loggerObject = objectWith(
  'a logger with debug, info, warn and error',
  'debug',
  'info',
  'warn',
  'error',
);
export const catalogueObject = objectWith(
  'a catalogue made by openCatalogue()',
  'find',
  'validator',
  'explain',
);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function alternatives(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** A value as messages show it: numbers and short texts as they are, anything else by its kind. */
function shown(value: unknown): string {
  if (typeof value === 'string' && value !== '') return quoted(value);
  return value === null || ['number', 'boolean', 'undefined'].includes(typeof value)
    ? String(value)
    : kindOf(value);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'string') return value === '' ? 'an empty text' : 'another text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
