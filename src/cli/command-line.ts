import yargs, { type Argv } from 'yargs';
import { didYouMean, nearest } from '../../catalogue/nearest.js';
import { BusbarError } from '../errors.js';
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
    .strict()
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
