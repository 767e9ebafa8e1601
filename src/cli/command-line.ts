import yargs, { type Argv } from 'yargs';
import { didYouMean, nearest } from '../../catalogue/nearest.js';
import { UsageError } from './usage-error.js';

/** The commands and options of a program. */
export interface CommandLine {
  /** The name people type. */
  readonly program: string;
  /** Every command and every option (`--name`), for "did you mean". */
  readonly words: readonly string[];
  define(cli: Argv): Argv;
}

/**
 * Runs a command line and sets the exit code: 2 for what the user got wrong, 1 for what failed, each told in one
 * line on stderr; a bug shows its stack. A reader that hangs up (`| head`) is no failure.
 */
export async function runCommandLine(commandLine: CommandLine, args: readonly string[]): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  const cli = yargs([...args])
    .scriptName(commandLine.program)
    .locale('en')
    .strict()
    .fail((message: string | null, error: Error | undefined) => {
      throw error ?? new UsageError(explainUsage(message ?? '', commandLine.words, args));
    });
  try {
    await commandLine.define(cli).parseAsync();
  } catch (error) {
    report(commandLine.program, error);
  }
}

function report(program: string, error: unknown): void {
  if (error instanceof UsageError) {
    process.stderr.write(`${program}: ${error.message} See ${program} --help.\n`);
    process.exitCode = 2;
  } else {
    process.stderr.write(`${program}: ${isForeseen(error) ? error.message : stackOf(error)}\n`);
    process.exitCode = 1;
  }
}

/** An error with a code is one that somebody foresaw, unless it is Node's own for code that is wrong. */
function isForeseen(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && !String(error.code).startsWith('ERR_');
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** yargs says what it does not know; people want to hear what they may have meant. */
function explainUsage(message: string, words: readonly string[], args: readonly string[]): string {
  const unknown = /^Unknown (?:argument|command)s?: (.*)$/.exec(message)?.[1]?.split(', ')[0];
  if (unknown === undefined) return message.split('\n').filter(Boolean).join(' ').replace(/\.?$/, '.');
  const isOption = args.some((arg) => arg.startsWith(`--${unknown}`));
  const written = isOption ? `--${unknown}` : unknown;
  const candidates = words.filter((word) => word.startsWith('--') === isOption);
  return `Unknown ${isOption ? 'option' : 'command'} "${written}".${didYouMean(nearest(written, candidates, 1))}`;
}
