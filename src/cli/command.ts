import type { Catalogue } from '../../catalogue/catalogue.js';
import type { Logger } from '../base/logger.js';
import { anything, boolean, listOf, nonEmptyText, type Option } from '../base/options.js';
import type { TextOutput } from '../base/output.js';
import type { BusbarConfig } from '../config/index.js';
import type { EnvelopeCodec } from '../envelope/envelope.js';
import type { ProgressLine } from './progress.js';
import { type AnyTable, type Flag, type FlagTable, type FlagValues, readFlags } from './flags.js';

/** A command with its flags and arguments. Parsing, help and completion derive from it. */
export interface Command {
  /** Flags, by option. */
  readonly flags?: AnyTable;
  /** Arguments in order, by name. */
  readonly args?: AnyTable;
  /** Flags by group, for help. Default: one group. */
  readonly groups?: readonly FlagGroup[];
  /** Parameters of a flag by title, for `--help all`. */
  readonly parameters?: Readonly<Record<string, AnyTable>>;
  readonly examples?: readonly string[];
  /**
   * Whether the command runs modules of the user. The process ends with it, because they may leave pools and timers open,
   * and what they print on standard output goes to standard error.
   */
  readonly endsProcess?: true;
  /** @param values Typed values by flag and argument. */
  run(values: FlagValues, console: Console): void | Promise<void>;
}

/** A title, the flags of the first page, and further flags of `--help all`, separated by spaces. */
export type FlagGroup = readonly [title: string, first: string, rest: string];

/** Commands by their words: a line of help, and the module. The command without words is the default. */
export type Commands = Readonly<
  Record<string, readonly [text: string, load: () => Promise<{ readonly command: Command }>]>
>;

/** A program: its name, its version and its commands. */
export interface Program {
  readonly program: string;
  readonly version: string;
  /** Values that a release fixes, for `--print-config`. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  readonly commands: Commands;
  /** Returns what an unknown command may mean instead. */
  readonly guess?: (word: string) => Promise<readonly string[]>;
  /** Returns rows of the keys that the program adds to the configuration file. */
  readonly configKeys?: () => Promise<Readonly<Record<string, Option>>>;
}

/** The output of a command: whole lines, on standard output for data, on standard error for all else. */
export interface Console extends TextOutput {
  readonly program: string;
  /** Resolves when the data is written. @throws BusbarError `file-failed` */
  flush(): Promise<void>;
  /** Logs to standard error; no info with `--quiet`. */
  readonly logger: Logger;
  /** Prints a line on standard error, except with `--quiet`. */
  info(line: string): void;
  /** Shows a line of progress, except with `--quiet`, until the returned function is called. */
  progress(line: ProgressLine): () => void;
  /** Values of the configuration file, by key. */
  readonly config: BusbarConfig;
  /** Whether the command line has the flag. */
  readonly isTyped: (name: string) => boolean;
  /** Opens the catalogue of the flag `--catalogue`, its variable or the configuration file. */
  catalogue(): Promise<Catalogue>;
  /** Opens the catalogue again, with the present content of its files. */
  reopenCatalogue(): Promise<Catalogue>;
  /** Opens the wire format of the flag `--envelope`, its variable or the configuration file; undefined without any. */
  envelope(): Promise<EnvelopeCodec | undefined>;
  /** Replaces the immediate end of the process at a stop signal. The exit code is set already. */
  onStop(stop: () => void): void;
}

/** The flags of every command. */
export const globalFlags = {
  config: {
    type: nonEmptyText,
    value: '<file>',
    text: 'Configuration file, instead of the nearest busbar.config.*',
  },
  printConfig: { type: boolean, text: 'Print each value and its origin, and do nothing else' },
  quiet: { type: boolean, text: 'Print no progress and no info lines' },
  noColor: { type: boolean, text: 'Print no colours, like NO_COLOR' },
  help: { type: boolean, text: 'Print help' },
  version: { type: boolean, text: 'Print the version' },
} satisfies Record<string, Flag>;

/** The flag of commands that print data. */
export const jsonFlag: Flag = { type: boolean, text: 'Print JSON' };

/** The flag of commands that read the catalogue. */
export const catalogueFlag = {
  type: listOf(nonEmptyText),
  adds: 'one',
  value: '<path>',
  text: 'Folder or file with the schemas of your own events',
  key: 'catalogue',
} as const satisfies Flag;

/** The flag of commands that read or write records. */
export const envelopeFlag = {
  type: anything,
  value: '<name>',
  text: 'Wire format, e.g. cloudevents, or a module with a codec',
  key: 'envelope',
} as const satisfies Flag;

/** Returns the words that follow those of a group of commands, e.g. `list`, `show` and `export`. */
export function nextWords(commands: Commands, group: string): string[] {
  const prefix = group === '' ? '' : `${group} `;
  const names = Object.keys(commands).filter((name) => name !== '' && name.startsWith(prefix));
  return [...new Set(names.map((name) => name.slice(prefix.length).split(' ', 1)[0] ?? ''))];
}

/** Returns the name of the command or the group that the words begin with, or an empty string. */
export function pageOf(commands: Commands, words: readonly string[]): string {
  const names = [2, 1].map((count) => words.slice(0, count).join(' '));
  const isPage = (name: string) => Object.hasOwn(commands, name) || nextWords(commands, name).length > 0;
  return names.find(isPage) ?? '';
}

/** Returns a command whose function gets the options that its flags and arguments set, validated. */
export function defineCommand<O extends object>(
  command: Omit<Command, 'run'> & {
    readonly flags?: { readonly [K in keyof O]?: Flag };
    readonly args?: { readonly [K in keyof O]?: Flag };
    readonly run: (options: O, console: Console) => void | Promise<void>;
  },
): Command {
  const flags = (command.flags ?? {}) as FlagTable<O>;
  const args = (command.args ?? {}) as FlagTable<O>;
  const read = (values: FlagValues) => ({ ...readFlags(args, values, ''), ...readFlags(flags, values) });
  return { ...command, run: (values, console) => command.run(read(values), console) };
}
