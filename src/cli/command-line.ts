import yargs, { type Argv } from 'yargs';
import { didYouMean, nearest } from '../base/nearest.js';
import { BusbarError } from '../base/errors.js';
import { quoted } from '../base/quoted.js';
import { Output, type TextOutput } from '../base/output.js';

/** The commands and options of a program. */
export interface CommandLine {
  /** Name of the command. */
  readonly program: string;
  readonly version: string;
  /** Defines the commands. `output` is standard output; it throws when its reader has gone away, to end the command. */
  define(cli: Argv, output: TextOutput): Argv;
}

/**
 * Runs a command line and sets the exit code: 2 for a usage error, 1 for a failure. Prints an error as one line on
 * standard error. Any error other than a `BusbarError` is a bug in Busbar and is printed with its stack.
 */
export async function runCommandLine(
  commandLine: CommandLine,
  args: readonly string[],
  stream: NodeJS.WritableStream = process.stdout,
): Promise<void> {
  const { program, version } = commandLine;
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
    .version(version)
    .strict()
    .strictCommands()
    .check((values) => checkValues(values, args, listsOf(cli)))
    .exitProcess(false)
    .wrap(Math.min(110, process.stdout.columns || 110))
    .fail((message: string | null, error: Error | undefined) => {
      // Only errors of yargs concern the command line; a command throws all others.
      if (error !== undefined && error.name !== 'YError') throw error;
      throw new CommandLineError(message ?? error?.message ?? '');
    });
  // A failed write to standard error must not end the command.
  const ignore = () => undefined;
  process.stderr.on('error', ignore);
  try {
    await cli.parseAsync();
    // yargs prints to the stream directly; an empty write waits for that.
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
    process.stderr.removeListener('error', ignore);
  }
}

/** A command line that yargs rejects, with its message. */
class CommandLineError extends Error {}

/** Returns the flag of an option that yargs lists in camel case. */
function dashed(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns the options that may occur several times. The types of yargs do not declare them. */
function listsOf(cli: Argv): readonly string[] {
  return (cli as unknown as { getOptions(): { readonly array: readonly string[] } }).getOptions().array;
}

/** Rejects a word instead of a number, which yargs reads as NaN, and a repeated option, which it reads as a list. */
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

/** Adds the nearest name to a message of yargs about an unknown option or command. */
function explain(message: string, args: readonly string[], help: string): string {
  const name = /^Unknown (?:argument|command)s?: ([^,\s]+)/.exec(message)?.[1];
  if (name === undefined) return message.trim().replaceAll(/\s+/g, ' ').replace(/\.?$/, '.');
  const isOption = args.some((arg) => arg.replace(/^--no-/, '--').startsWith(`--${name}`));
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
