import type { Options } from 'yargs';
import { BusbarError, quoted } from '../base/errors.js';
import { didYouMean, nearest } from '../base/nearest.js';
import { objectionTo, type Option } from '../base/options.js';

/** A flag, an argument, a key of `--api` or a parameter of a `--to` address: an option's row and its help text. */
export interface Flag extends Option {
  /** The line in `--help`, of 60 characters at most. */
  readonly text: string;
  /** The value in `--help`: `<n>`, or `[n]` for one that may be left out. Default: a flag without a value. */
  readonly value?: string;
  /** Default: the name of the option in kebab case. */
  readonly name?: string;
  /** Name of the option in messages. Default: its key in the table. */
  readonly option?: string;
  /** A list of values: each use of the flag adds one value, or all that follow it. Default: a single value. */
  readonly adds?: 'one' | 'several';
  readonly conflicts?: readonly string[];
  /** Flags that this one replaces where the environment or the configuration file sets them. */
  readonly replaces?: readonly string[];
  /** Path in the configuration file. A flag with a path has an environment variable, too. */
  readonly key?: string;
  /** Completes "must be" where the command line has another form than the option. */
  readonly expected?: string;
  /** Returns the value of a string. Default: the string, number or boolean that the option accepts. */
  readonly read?: (text: string) => unknown;
  /** Returns values for completion, given the words before. Default: the words of a choice. */
  readonly complete?: (before: readonly string[]) => readonly string[] | Promise<readonly string[]>;
}

/** Flags by the options that they set. */
export type FlagTable<O> = { readonly [K in keyof O]-?: Flag };

/** The help of a flag: its value, empty for none, its line, and properties that replace those of the option. */
type Words = readonly [value: string, text: string, more?: Partial<Flag>];

/** Returns flags for the rows of options. */
export function flagsOf<K extends string>(
  rows: Readonly<Record<NoInfer<K>, Option>>,
  words: Readonly<Record<K, Words>>,
): Readonly<Record<K, Flag>> {
  const flags = Object.entries<Words>(words).map(([option, [value, line, more]]) => {
    const flag: Flag = { ...rows[option as K], ...(value !== '' && { value }), text: line, ...more };
    return [option, flag];
  });
  return Object.fromEntries(flags) as Record<K, Flag>;
}

/** Returns flags with their paths in the configuration file: under a key, or another one. An empty path is none. */
export function keyed<O>(
  under: string,
  flags: FlagTable<O>,
  others: { readonly [K in NoInfer<keyof O>]?: string } = {},
): FlagTable<O> {
  const rows = Object.entries<Flag>(flags).map(([option, flag]) => {
    const key = (others as Readonly<Record<string, string>>)[option] ?? `${under}.${option}`;
    return [option, key === '' ? flag : { ...flag, key }];
  });
  return Object.fromEntries(rows) as FlagTable<O>;
}

/** A table of flags by any options. */
export type AnyTable = Readonly<Record<string, Flag>>;

/** Values by flag. */
export type FlagValues = Readonly<Record<string, unknown>>;

/** Returns the flags of a table by name. */
export function flagsByName(table: AnyTable): Map<string, Flag> {
  return new Map(Object.entries(table).map(([option, flag]) => [nameOf(option, flag), flag]));
}

/** Returns a flag as an option of yargs. */
export function yargsOption({ value, adds }: Flag): Options {
  return {
    type: value === undefined ? 'boolean' : 'string',
    ...(value?.startsWith('<') && { requiresArg: true }),
    ...(adds !== undefined && { array: true }),
    ...(adds === 'one' && { nargs: 1 }),
  };
}

/** Returns the default to show in help: a string or a finite number. */
export function shownDefault({ default: usual, value }: Flag): string | undefined {
  if (typeof usual !== 'string' && !Number.isFinite(usual)) return undefined;
  return value === '<time>' ? `${Number(usual) / 1000}s` : String(usual);
}

/**
 * Returns the options that the flags set.
 * @param prefix Text before the name of a flag in messages.
 * @throws BusbarError `invalid-option`, naming the flag
 */
export function readFlags<O extends object>(table: FlagTable<O>, values: FlagValues, prefix = '--'): O {
  const options: Record<string, unknown> = {};
  for (const [option, flag] of Object.entries<Flag>(table)) {
    const name = nameOf(option, flag);
    if (values[name] !== undefined) options[option] = readValue(flag, prefix + name, values[name]);
  }
  return options as O;
}

/** Returns the option value of a typed value. @throws BusbarError `invalid-option`, naming the flag */
export function readValue(flag: Flag, name: string, typed: unknown): unknown {
  const { type, expected, unit, ...row } = flag;
  const item = { ...flag, type: type.each ?? type };
  const value = Array.isArray(typed) ? typed.map((each) => valueOf(item, each)) : valueOf(flag, typed);
  const { each, ...whole } = (type.types ?? [type]).find(({ accepts }) => accepts(value)) ?? type;
  const shown = {
    ...row,
    type: { ...whole, ...(expected && { expected }) },
    ...(unit && !expected && { unit }),
  };
  // A command line has no index of an item, only the flag.
  const items = each !== undefined && Array.isArray(value) ? (value as readonly unknown[]) : [];
  const objections = [
    objectionTo({ [name]: shown }, { [name]: value }),
    ...items.map((part) => each && objectionTo({ [name]: { ...row, type: each } }, { [name]: part })),
  ];
  const objection = objections.find((found) => found !== undefined);
  if (objection !== undefined) throw new BusbarError('invalid-option', objection);
  return value;
}

/** Converts a typed value for the option. A value that cannot be converted is returned unchanged, for the message. */
function valueOf({ type, read }: Flag, typed: unknown): unknown {
  if (typeof typed !== 'string' || (read === undefined && type.accepts(typed))) return typed;
  const value = read === undefined ? plainValue(typed) : read(typed);
  return type.accepts(value) ? value : typed;
}

const truthValues: Readonly<Record<string, boolean>> = { true: true, false: false, off: false };

function plainValue(text: string): unknown {
  return truthValues[text] ?? (text.trim() === '' ? Number.NaN : Number(text));
}

/**
 * Returns the options that parameters such as `latency=200` set; one without a value is true.
 * @param owner Names the list in messages: `--api`.
 * @throws BusbarError `invalid-option`
 */
export function readParameters<O extends object>(
  owner: string,
  table: FlagTable<O>,
  parameters: readonly string[],
): O {
  const known = flagsByName(table);
  const values: Record<string, string> = {};
  for (const parameter of parameters) {
    const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(parameter) ?? [];
    const flag = known.get(name);
    if (flag === undefined) {
      const names = [...known.keys()];
      const all = names.length === 0 ? 'It has none' : `The parameters are ${names.join(', ')}`;
      const hint = didYouMean(nearest(name, names, 1)) || ` ${all}.`;
      throw new BusbarError('invalid-option', `Parameter ${quoted(name)} of ${owner} does not exist.${hint}`);
    }
    if (Object.hasOwn(values, name)) {
      throw new BusbarError(
        'invalid-option',
        `Parameter "${name}" of ${owner} is given twice. Give it once.`,
      );
    }
    if (value === undefined && flag.value?.startsWith('<'))
      throw new BusbarError('invalid-option', `Parameter "${name}" of ${owner} needs a value.`);
    values[name] = value ?? 'true';
  }
  return readFlags(table, values, `${owner} `);
}

/** Returns the name of the flag that sets an option. */
export function nameOf(option: string, { name }: Flag): string {
  return name ?? option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
