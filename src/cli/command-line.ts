import { createRequire } from 'node:module';
import yargs, { type Argv } from 'yargs';
import { didYouMean, nearest } from '../base/nearest.js';
import { BusbarError } from '../base/errors.js';
import { quoted } from '../base/quoted.js';
import { Output, type TextOutput } from './output.js';

/** The commands and options of a program. */
export interface CommandLine {
  /** The name people type. */
  readonly program: string;
  /** `output` is standard output. It throws when its reader has gone away, which ends the command. */
  define(cli: Argv, output: TextOutput): Argv;
}

/**
 * Runs a command line and sets the exit code: 2 when the user can mend it by calling differently, 1 when something
 * failed. Either way an error is one line on standard error; anything that is no `BusbarError` is a bug of ours and
 * shows its stack.
 */
export async function runCommandLine(
  commandLine: CommandLine,
  args: readonly string[],
  stream: NodeJS.WritableStream = process.stdout,
): Promise<void> {
  const { program } = commandLine;
  const output = new Output(stream);
  const { readerGone } = output;
  const untilGone: TextOutput = {
    write(text) {
      readerGone.throwIfAborted();
      output.write(text);
    },
  };
  const cli = commandLine
    .define(yargs([...args]), untilGone)
    .scriptName(program)
    .locale('en')
    .version(ownVersion())
    .strict()
    .strictCommands()
    .check((values) => checkValues(values, args, listsOf(cli)))
    .exitProcess(false)
    .wrap(Math.min(110, process.stdout.columns || 110))
    .fail((message: string | null, error: Error | undefined) => {
      // Only yargs' own errors are about the command line; others come out of a command.
      if (error !== undefined && error.name !== 'YError') throw error;
      throw new CommandLineError(message ?? error?.message ?? '');
    });
  // A log that has lost its reader or its disk is no reason to end what it is about.
  const lost = () => undefined;
  process.stderr.on('error', lost);
  try {
    await cli.parseAsync();
    // What yargs prints goes past the output; an empty write comes after it.
    output.write('');
    await output.flush();
  } catch (error) {
    await output.flush().catch(() => undefined);
    if (readerGone.aborted && error === readerGone.reason) return;
    if (error instanceof CommandLineError) {
      const sentence = explain(error.message, args, await cli.getHelp());
      end(program, `${sentence} See ${program} --help.`, 2);
    } else if (error instanceof BusbarError) {
      end(program, error.message, error.kind === 'usage' ? 2 : 1);
    } else {
      const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
      end(program, `this is a bug in Busbar. Please report it with these lines.\n${stack}`, 1);
    }
  } finally {
    output.release();
    process.stderr.removeListener('error', lost);
  }
}

/** What yargs does not accept, in its words. */
class CommandLineError extends Error {}

/** Of the package that this file is in: yargs takes that of the project that has the command. */
function ownVersion(): string {
  const { version } = createRequire(import.meta.url)('busbar/package.json') as { version: string };
  return version;
}

/** yargs has each option a second time, as `apiKey`. */
function dashed(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The options that may be given several times. The types of yargs do not have them. */
function listsOf(cli: Argv): readonly string[] {
  return (cli as unknown as { getOptions(): { readonly array: readonly string[] } }).getOptions().array;
}

/** yargs has NaN for a word in the place of a number, and a list for an option that was given twice. */
function checkValues(
  values: Readonly<Record<string, unknown>>,
  args: readonly string[],
  lists: readonly string[],
): true {
  for (const [name, value] of Object.entries(values)) {
    const flag = `--${name}`;
    if (Array.isArray(value) && name !== '_' && !lists.includes(dashed(name))) {
      throw new CommandLineError(`Option "${flag}" is given ${value.length} times. Give it once.`);
    }
    if (!Number.isNaN(value)) continue;
    const at = args.findLastIndex((arg) => arg === flag || arg.startsWith(`${flag}=`));
    const word = args[at] === flag ? args[at + 1] : args[at]?.slice(flag.length + 1);
    if (word !== undefined)
      throw new CommandLineError(`Option "${flag}" takes a number, not ${quoted(word)}.`);
  }
  return true;
}

function end(program: string, message: string, exitCode: number): void {
  process.stderr.write(`${program}: ${message}\n`);
  process.exitCode = exitCode;
}

/** yargs says what it does not know; people want to hear what they may have meant. */
function explain(message: string, args: readonly string[], help: string): string {
  const name = /^Unknown (?:argument|command)s?: ([^,\s]+)/.exec(message)?.[1];
  if (name === undefined) return message.trim().replaceAll(/\s+/g, ' ').replace(/\.?$/, '.');
  const isOption = args.some((arg) => arg.startsWith(`--${name}`));
  const candidates = isOption
    ? [...help.matchAll(/--([a-z][\w-]*)/g)]
    : [...help.matchAll(/^ {2}[\w-]+ (?:[\w-]+ )*([a-z][\w-]*)/gm)];
  const guesses = nearest(
    name,
    candidates.map((match) => match[1] ?? ''),
    1,
  );
  const dashes = isOption ? '--' : '';
  const hint = didYouMean(guesses.map((guess) => dashes + guess));
  return `Unknown ${isOption ? 'option' : 'command'} "${dashes}${name}".${hint}`;
}
