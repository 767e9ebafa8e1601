import { relative } from 'node:path';
import type { Catalogue } from '../../catalogue/catalogue.js';
import { loggerTo } from '../base/logger.js';
import { closest, didYouMean, nearest } from '../base/nearest.js';
import { BusbarError, quoted, reworded } from '../base/errors.js';
import { Output, type TextOutput } from '../base/output.js';
import { once } from '../base/once.js';
import { onStopSignal } from '../base/stop-signals.js';
import {
  type Command,
  type Commands,
  type Console,
  globalFlags,
  jsonFlag,
  nextWords,
  pageOf,
  type Program,
} from './command.js';
import type { EnvelopeSetting } from '../envelope/open-envelope.js';
import { hintCatalogue } from './event-names.js';
import { type AnyTable, type Flag, flagsByName, type FlagValues, nameOf, yargsOption } from './flags.js';
import { canClear, clearLine, showProgress } from './progress.js';
import { type ConfigFile, openConfig, type Setting, settingsOf, variablePlace } from './settings.js';

export * from './command.js';
export { eventArgument } from './event-names.js';
export * from './flags.js';
export type { ProgressLine } from './progress.js';
export { writeText } from './write-text.js';

/**
 * Runs a command line and sets the exit code: 2 for a usage error, 1 for a failure, 130 for Ctrl-C. Prints an error as
 * one line on standard error. Any error other than a `BusbarError` is a bug in Busbar and is printed with its stack.
 */
export async function runCommandLine(
  program: Program,
  args: readonly string[],
  stream: NodeJS.WritableStream = process.stdout,
): Promise<void> {
  const problem = oldNodeProblem() ?? goneFolderProblem();
  if (problem !== undefined) {
    end(program.program, problem, 1);
    return;
  }
  hideTimerWarnings();
  const output = new Output(stream);
  const { readerGone } = output;
  let stop = (): void => process.exit();
  const ignoreSignals = onStopSignal((exitCode) => {
    process.exitCode = exitCode;
    stop();
  });
  // A failed write to standard error must not end the command. Some fail after its end.
  process.stderr.off('error', ignore).on('error', ignore);
  let command: Command | undefined;
  let chosen: Chosen | undefined;
  try {
    const words = args.map((arg) => (arg === '-h' ? '--help' : arg));
    chosen = await choose(program, words, output);
    if (chosen !== undefined) {
      ({ command } = chosen);
      const values = { ...chosen.typed, ...given(chosen.settings) };
      if (values['no-color'] === true) Object.assign(process.env, { NO_COLOR: '1', FORCE_COLOR: '0' });
      const console = consoleOf(program.program, output, values['quiet'] === true);
      try {
        const onStop = (listener: () => void) => (stop = listener);
        if (command.endsProcess) process.stdout.write = process.stderr.write.bind(process.stderr);
        await command.run(values, { ...console, ...configured(chosen), onStop });
      } finally {
        console.hideProgress();
      }
    }
    await output.flush();
  } catch (error) {
    await output.flush().catch(() => undefined);
    if (readerGone.aborted && error === readerGone.reason) return;
    if (error instanceof BusbarError) {
      const message = chosen === undefined ? error.message : located(error, chosen);
      end(program.program, message, error.kind === 'usage' ? 2 : 1);
    } else {
      const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
      end(program.program, `this is a bug in Busbar. Please report it with these lines.\n${stack}`, 1);
    }
  } finally {
    ignoreSignals();
    output.release();
  }
  // The exit code of a signal is set already.
  if (command?.endsProcess) process.exit();
}

function ignore(): void {
  return undefined;
}

/** Returns the commands of a program and those that every program has. */
export function allCommands(own: Commands): Commands {
  return { ...own, completion: ['Print a completion script', () => import('./completion.js')] };
}

interface Chosen {
  readonly command: Command;
  readonly typed: FlagValues;
  readonly settings: ReadonlyMap<string, Setting>;
  readonly config: ConfigFile;
}

/** Returns the command of a command line and its values; prints help, the version or completions instead. */
async function choose(
  { commands: own, ...about }: Program,
  args: readonly string[],
  output: TextOutput,
): Promise<Chosen | undefined> {
  const commands = allCommands(own);
  const program = { ...about, commands };
  if (args[0] === '--complete') {
    const { complete } = await import('./completion.js');
    output.write((await complete(commands, args[1] ?? '')).map((word) => `${word}\n`).join(''));
    return undefined;
  }
  if (args.includes('--version')) {
    const catalogue = `catalogue ${(await hintCatalogue()).events.length} events`;
    const platform = `node ${process.version}, ${process.platform}-${process.arch}`;
    output.write(`${program.program} ${program.version} (${catalogue}, ${platform})\n`);
    return undefined;
  }
  const { words, globals } = separate(args);
  const page = pageOf(commands, words);
  const entry = commands[page];
  const rest = words.slice(page.split(' ').filter(Boolean).length);
  const given = rest[0] ?? '-';
  const next = nextWords(commands, page);
  if (args.includes('--help') && (next.length === 0 || given.startsWith('-') || given === 'all')) {
    const { help } = await import('./help.js');
    output.write(await help(program, page, args.includes('all')));
    return undefined;
  }
  const wrong = (message: string) =>
    new BusbarError('invalid-option', `${message} See ${`${program.program} ${page}`.trim()} --help.`);
  if (next.length > 0 && !given.startsWith('-')) {
    const guesses = didYouMean(nearest(given, next, 1)) || didYouMean((await program.guess?.(given)) ?? []);
    throw wrong(`Unknown command ${quoted(given)}.${guesses}`);
  }
  if (entry === undefined) {
    await parse([...globals, ...rest], {}, wrong);
    throw wrong(`Name a command: ${next.join(', ')}.`);
  }
  const { command } = await entry[1]();
  const typed = await parse([...globals, ...rest], command, wrong);
  const config = await openConfig(program, typed['config']);
  const settings = settingsOf(command.flags ?? {}, typed, config);
  if (typed['print-config'] === true) {
    const { settingsText } = await import('./print-config.js');
    const { fixed = {} } = program;
    output.write(
      settingsText(command.flags ?? {}, settings, config, { fixed, json: typed['json'] === true }),
    );
    return undefined;
  }
  for (const [name, { isRequired }] of flagsByName(command.flags ?? {}))
    if (isRequired && settings.get(name)?.value === undefined) throw wrong(`Option "--${name}" is missing.`);
  return { command, typed, settings, config };
}

/** Separates the flags of every command, with their values, from the other words. */
function separate(args: readonly string[]): { words: string[]; globals: string[] } {
  const words: string[] = [];
  const globals: string[] = [];
  const flags = flagsByName(globalFlags);
  let isValue = false;
  for (const arg of args) {
    const [, name = '', equals] = /^--([^=]*)(=?)/.exec(arg) ?? [];
    const flag: Flag | undefined = isValue ? undefined : flags.get(name);
    (flag || isValue ? globals : words).push(arg);
    isValue = flag?.value !== undefined && equals === '';
  }
  return { words, globals };
}

/** Returns the values of flags and arguments, as typed. @throws BusbarError made by `wrong` */
async function parse(
  args: readonly string[],
  command: Pick<Command, 'flags' | 'args'>,
  wrong: (message: string) => BusbarError,
): Promise<FlagValues> {
  const { default: yargs } = await import('yargs');
  const printed = args.includes('--print-config') && { json: jsonFlag };
  const flags = flagsByName({ ...printed, ...command.flags, ...globalFlags });
  for (const arg of args) {
    const [, name = '', value] = /^--([^=]+)=(.*)$/s.exec(arg) ?? [];
    const flag: Flag | undefined = flags.get(name);
    // yargs takes any other value for false.
    if (flag && flag.value === undefined && value !== 'true' && value !== 'false')
      throw wrong(`Option "--${name}" takes no value. Write --${name}.`);
  }
  const { _: words, ...values } = yargs([...args])
    .help(false)
    .version(false)
    .options(Object.fromEntries([...flags].map(([name, flag]) => [name, yargsOption(flag)])))
    .locale('en')
    .exitProcess(false)
    .strictOptions()
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-positional-numbers': false,
    })
    .fail((message: string | null, error?: Error) => {
      throw wrong(explained(message ?? error?.message ?? '', [...flags.keys()]));
    })
    .parseSync() as FlagValues & { readonly _: readonly string[] };
  for (const [name, { adds, conflicts = [] }] of flags) {
    const value = values[name];
    if (Array.isArray(value) && adds === undefined)
      throw wrong(`Option "--${name}" is given ${value.length} times. Give it once.`);
    const other = value === undefined ? undefined : conflicts.find((each) => values[each] !== undefined);
    if (other !== undefined)
      throw wrong(`Options "--${name}" and "--${other}" exclude each other. Remove one.`);
  }
  const declared = [...flagsByName(command.args ?? {})];
  const missing = declared.find(([, { isRequired }], index) => isRequired && words[index] === undefined);
  if (missing !== undefined && values['print-config'] !== true)
    throw wrong(`Argument <${missing[0]}> is missing.`);
  const extra = words[declared.length];
  if (extra !== undefined) throw wrong(`Unknown argument ${quoted(extra)}.`);
  return { ...values, ...Object.fromEntries(declared.map(([name], index) => [name, words[index]])) };
}

/** Returns a message of yargs in the words of Busbar, with the nearest flag. */
function explained(message: string, flags: readonly string[]): string {
  const unknown = /^Unknown arguments?: ([^,\s]+)/.exec(message)?.[1];
  if (unknown !== undefined) {
    const guesses = closest(unknown, flags).map((guess) => `--${guess}`);
    return `Unknown option ${quoted(`${unknown.length === 1 ? '-' : '--'}${unknown}`)}.${didYouMean(guesses)}`;
  }
  const empty = /^Not enough arguments following: (.+)$/.exec(message)?.[1];
  return empty === undefined ? message.trim() : `Option "--${empty}" needs a value.`;
}

/** Returns the message of an error, with the flags, the variable or the file where the user set the values that it names. */
function located(error: BusbarError, { command: { flags = {} }, settings, config }: Chosen): string {
  const message = inFlags(error, flags, settings);
  if (error.kind !== 'usage') return message;
  const { contract, scenarios } = config.values;
  const ofFile = [contract, scenarios].map((value): Setting => ({ value, origin: 'file' }));
  const isQuoted = ({ value, origin, from = '' }: Setting) =>
    partsOf(origin === 'environment' ? process.env[from] : value).some((part) =>
      message.includes(quoted(part)),
    );
  // If settings of several places have the value, the message may be about any of them.
  const places = new Set(
    [...settings.values(), ...ofFile].filter(isQuoted).map((each) => placeOf(each, config)),
  );
  const place = places.size === 1 ? [...places][0] : undefined;
  return place === undefined || message.includes(place) ? message : `${place}: ${message}`;
}

/** Returns the place of a setting for messages; undefined for a flag or a default. */
function placeOf({ origin, from }: Setting, { path }: ConfigFile): string | undefined {
  if (origin === 'environment') return variablePlace(from ?? '');
  return origin === 'file' && path !== undefined
    ? `Configuration file ${quoted(relative('', path))}`
    : undefined;
}

/** Returns the texts of a setting that a message may quote: `duplicate=x` has the parts `duplicate` and `x`. */
function partsOf(value: unknown): string[] {
  const texts = [value].flat().filter((each) => typeof each === 'string');
  return texts.flatMap((text) => [text, ...text.split(/[@=,]/)]).filter((part) => part !== '');
}

/** Returns the message of an error with flags and variables instead of the options that it names. */
function inFlags(
  { message, options = [] }: BusbarError,
  flags: AnyTable,
  settings: Chosen['settings'],
): string {
  // An option within another, such as "http.port", has a flag whose key ends with it.
  const isOf = (name: string, [own, { option = own, key = '' }]: readonly [string, Flag]) =>
    name === option || (name.includes('.') && key.endsWith(`.${name}`));
  return options.reduce((text, name) => {
    const found = Object.entries(flags).find((each) => isOf(name, each));
    if (found === undefined) return text;
    const flag = nameOf(...found);
    const { origin, from } = settings.get(flag) ?? {};
    return text.replaceAll(quoted(name), quoted((origin === 'environment' && from) || `--${flag}`));
  }, message);
}

/** Returns the values of settings that are not defaults: a command has its own. */
function given(settings: ReadonlyMap<string, Setting>): FlagValues {
  const found = [...settings].filter(([, { origin }]) => origin !== 'default');
  return Object.fromEntries(found.map(([name, { value }]) => [name, value]));
}

/** Returns what a command gets of its configuration. */
function configured({
  settings,
  config,
}: Chosen): Pick<Console, 'config' | 'isTyped' | 'catalogue' | 'reopenCatalogue' | 'envelope'> {
  // A command without the flag uses the file.
  const setting = (name: 'catalogue' | 'envelope') => {
    const found = settings.get(name) ?? { value: config.values[name], origin: 'file' };
    const directory = found.origin === 'file' ? config.folder : process.cwd();
    return { value: found.value, directory, place: placeOf(found, config) };
  };
  const reopenCatalogue = async (): Promise<Catalogue> => {
    const { loadCatalogue } = await import('../../catalogue/sources/load.js');
    const { value = [], directory, place } = setting('catalogue');
    const sources = [value as string | readonly string[]].flat();
    return loadCatalogue(sources, { directory }).catch(rejectSetting(place));
  };
  return {
    config: config.values,
    isTyped: (name) => settings.get(name)?.origin === 'flag',
    catalogue: once(reopenCatalogue),
    reopenCatalogue,
    envelope: once(async () => {
      const { value, directory, place } = setting('envelope');
      if (value === undefined) return undefined;
      const { openEnvelope } = await import('../envelope/open-envelope.js');
      return openEnvelope(value as EnvelopeSetting, { directory }).catch(rejectSetting(place));
    }),
  };
}

/** Returns a function that throws an error, which names the place of the setting. */
function rejectSetting(place: string | undefined): (error: unknown) => never {
  return (error) => {
    throw place === undefined ? error : reworded(error, (message) => `${place}: ${message}`);
  };
}

function consoleOf(
  program: string,
  output: Output,
  isQuiet: boolean,
): Omit<Console, 'onStop' | keyof ReturnType<typeof configured>> & { readonly hideProgress: () => void } {
  const { stdout, stderr } = process;
  // Progress may be on the line.
  const start = canClear(stderr) ? clearLine : '';
  const say = (text: string) => void stderr.write(start + text);
  const logger = loggerTo(say);
  const shown = new Set<() => void>();
  return {
    program,
    write(text) {
      output.readerGone.throwIfAborted();
      if (stdout.isTTY) stderr.write(start);
      output.write(text);
    },
    flush: () => output.flush(),
    logger: isQuiet ? { ...logger, info() {} } : logger,
    info: isQuiet ? ignore : (line) => say(`${line}\n`),
    progress(line) {
      if (isQuiet) return ignore;
      const hide = showProgress(line);
      shown.add(hide);
      return () => shown.delete(hide) && hide();
    },
    // A command that fails leaves it on.
    hideProgress: () => shown.forEach((hide) => hide()),
  };
}

function end(program: string, message: string, exitCode: number): void {
  process.stderr.write(`${program}: ${message}\n`);
  process.exitCode = exitCode;
}

/** The oldest version of Node that Busbar runs on. It equals the field `engines` of both packages. */
const [requiredMajor, requiredMinor] = [20, 19] as const;

/** Returns the problem if this version of Node is too old, for a user who would otherwise see an error of a dependency. */
export function oldNodeProblem(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > requiredMajor || (major === requiredMajor && minor >= requiredMinor)) return undefined;
  return `Node ${process.versions.node} is too old. Use Node ${requiredMajor}.${requiredMinor} or later.`;
}

/** Returns the problem if the working folder was deleted, which Node reports by a name of its own: `uv_cwd`. */
function goneFolderProblem(): string | undefined {
  try {
    process.cwd();
    return undefined;
  } catch {
    return 'The working folder does not exist any more. Change to another one.';
  }
}

let isHidden = false;

/** Prints no warning about the negative delay of a timer of kafkajs (Node 24): users cannot prevent it. */
export function hideTimerWarnings(): void {
  if (isHidden) return;
  isHidden = true;
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name !== 'TimeoutNegativeWarning') for (const listener of listeners) listener(warning);
  });
}
