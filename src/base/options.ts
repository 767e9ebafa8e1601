import { didYouMean, nearest } from './nearest.js';
import { BusbarError, quoted } from './errors.js';

/** The options of one public function. Validation and defaults derive from its rows. */
export type OptionTable<O> = { readonly [K in keyof O]-?: Option<NonNullable<O[K]>> };

/** One row of an option table: the type and the default of an option. */
export interface Option<V = unknown> {
  readonly type: ValueType;
  /** Default. Absent if an absent option has a meaning of its own, or the default is computed. */
  readonly default?: V;
  readonly unit?: Unit;
  readonly isRequired?: true;
  /** Excludes the value from messages. */
  readonly isSecret?: true;
}

/** Unit of a number, which error messages name. */
type Unit = 'milliseconds' | 'bytes' | 'milliseconds since 1970';

/** The type of an option's value. */
export interface ValueType {
  /** End of the sentence `"name" must be ...`. */
  readonly expected: string;
  /** Whether the value itself has the type. `fields` and `each` check its parts. */
  readonly accepts: (value: unknown) => boolean;
  /** Options within an object. */
  readonly fields?: Rows;
  /** Type of each item of a list, or of each value of an object. */
  readonly each?: ValueType;
  /** Alternative types. */
  readonly types?: readonly ValueType[];
  /** Accepted texts, if there are few. */
  readonly words?: readonly string[];
}

/** Returns the texts that a type accepts, its alternatives and parts included. */
export function wordsOf({ words = [], types = [], each }: ValueType): string[] {
  return [...words, ...[...types, ...(each === undefined ? [] : [each])].flatMap(wordsOf)];
}

type Rows = Readonly<Record<string, Option>>;

/** The defaults of a table. */
type Defaults<T> = {
  readonly [K in keyof T as T[K] extends { readonly default: unknown } ? K : never]: T[K] extends {
    readonly default: infer V;
  }
    ? V
    : never;
};

/** Options with defaults applied, except for nested options. */
export type Filled<O, T> = O & {
  readonly [K in keyof O & keyof Defaults<T>]-?: NonNullable<O[K]>;
};

/**
 * Validates options.
 * @param owner Name of the function in messages: `kafka()`.
 * @throws BusbarError `invalid-option` for an unknown name, a missing option or a value of another type
 */
export function checkOptions<O>(
  owner: string,
  table: OptionTable<O>,
  options: unknown,
): asserts options is O {
  const objection = objectionTo(table, options);
  if (objection !== undefined) throw new BusbarError('invalid-option', `${owner}: ${objection}`);
}

/** Validates options and applies defaults. @throws BusbarError `invalid-option` */
export function readOptions<O extends object, T extends OptionTable<O> & Rows>(
  owner: string,
  table: T,
  options: O,
): Filled<O, T> {
  checkOptions<O>(owner, table, options);
  return withDefaults(table, options);
}

/** Applies defaults to validated options. Keeps names that the table does not have. */
export function withDefaults<O extends object, T extends Rows>(table: T, options: O): Filled<O, T> {
  const filled = { ...options } as Record<string, unknown>;
  for (const option of Object.keys(table)) {
    const { default: value } = table[option] as Option;
    if (value !== undefined) filled[option] ??= value;
  }
  return filled as Filled<O, T>;
}

/** Returns the defaults of a table. */
export function defaultsOf<T extends Rows>(table: T): Defaults<T> {
  return withDefaults(table, {}) as Defaults<T>;
}

/** Returns a sentence about the first invalid option, or undefined. */
export function objectionTo(table: Rows, options: unknown): string | undefined {
  if (!isObject(options)) return `the options must be an object, not ${shown(options)}.`;
  return objectionToFields(table, options, '');
}

function objectionToFields(table: Rows, options: object, path: string): string | undefined {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(table, name));
  if (unknown !== undefined) {
    const names = Object.keys(table);
    const hint = didYouMean(nearest(unknown, names, 1)) || ` The options are ${names.join(', ')}.`;
    return `there is no option ${quoted(path + unknown)}.${hint}`;
  }
  for (const name of Object.keys(table)) {
    const value = (options as Record<string, unknown>)[name];
    const objection = objectionToValue(table[name] as Option, value, path + name);
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
    const hint = typeof value === 'string' ? didYouMean(nearest(value, wordsOf(type), 1)) : '';
    return `"${path}" must be ${expected}, not ${isSecret ? kindOf(value) : shown(value)}.${hint}`;
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
  /** Exclusive lower bound. */
  readonly above?: number;
  /** Whether `Infinity` is allowed, for "unlimited". */
  readonly orInfinity?: true;
}

/** A number within the bounds, not `NaN`. */
export function number(bounds: Bounds = {}): ValueType {
  return bounded('a number', bounds, Number.isFinite);
}

/** A whole number within the bounds, at most 2^53 - 1. */
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

/** A time in milliseconds since 1970, up to the maximum of a JavaScript date. */
export const instantNumber: ValueType = whole({ from: 0, to: 8_640_000_000_000_000 });

export const boolean: ValueType = {
  expected: 'true or false',
  accepts: (value) => typeof value === 'boolean',
};

/** A string, empty or not. */
export const text: ValueType = { expected: 'a string', accepts: (value) => typeof value === 'string' };

/** A string with at least one character. */
export const nonEmptyText: ValueType = {
  expected: 'a non-empty string',
  accepts: (value) => typeof value === 'string' && value !== '',
};

/** A string that matches a pattern. */
export function matching(pattern: RegExp, expected: string): ValueType {
  return { expected, accepts: (value) => typeof value === 'string' && pattern.test(value) };
}

/** A string of a length between two bounds, both included. */
export function textOf({ from, to }: { readonly from: number; readonly to: number }): ValueType {
  return {
    expected: `a string of ${from} to ${to} characters`,
    accepts: (value) => typeof value === 'string' && value.length >= from && value.length <= to,
  };
}

export const callback: ValueType = {
  expected: 'a function',
  accepts: (value) => typeof value === 'function',
};

/** A list or another iterable, but not a string. */
export const iterable: ValueType = {
  expected: 'a list or another iterable',
  accepts: (value) => typeof value === 'object' && value !== null && Symbol.iterator in value,
};

/** Any value but undefined. */
export const anything: ValueType = { expected: 'a value', accepts: () => true };

/** One of several words. */
export function choice(...words: readonly (string | false | null)[]): ValueType {
  return {
    expected: alternatives(words.map((word) => JSON.stringify(word))),
    accepts: (value) => (words as readonly unknown[]).includes(value),
    words: words.filter((word) => typeof word === 'string'),
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

/** An object with certain methods, such as one of another library. */
export function objectWith(expected: string, ...methods: readonly string[]): ValueType {
  return {
    expected,
    accepts: (value) =>
      (isObject(value) || typeof value === 'function') &&
      methods.every((method) => typeof (value as unknown as Record<string, unknown>)[method] === 'function'),
  };
}

/** A value of one of several types. The first type that accepts the value checks its parts. */
export function either(...types: readonly ValueType[]): ValueType {
  return {
    expected: alternatives(types.map(({ expected }) => expected)),
    accepts: (value) => types.some((type) => type.accepts(value)),
    types,
  };
}

export const clockObject = objectWith('a clock', 'now', 'schedule');
export const loggerObject = objectWith(
  'a logger with debug, info, warn and error',
  'debug',
  'info',
  'warn',
  'error',
);
export const envelopeObject = objectWith('an envelope', 'peek', 'decode');
export const catalogueObject = objectWith(
  'a catalogue made by openCatalogue()',
  'find',
  'validator',
  'explain',
);

/** Whether a value is an object, and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function alternatives(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** Returns a value as text for messages: numbers and strings as they are, other values by their kind. */
function shown(value: unknown): string {
  if (typeof value === 'string' && value !== '') return quoted(value);
  return value === null || ['number', 'boolean', 'undefined'].includes(typeof value)
    ? String(value)
    : kindOf(value);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'string') return value === '' ? 'an empty string' : 'this string';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
