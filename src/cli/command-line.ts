import { BusbarError } from '../errors.js';

/**
 * Runs a command's body and turns its end into an exit code: 0; 2 when the user can mend it by calling differently;
 * 1 when something failed. Either way an error is one line on standard error. Anything that is no `BusbarError` is a
 * bug of ours and shows its stack.
 */
export async function runCommand(command: string, body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (error) {
    if (error instanceof BusbarError) {
      process.stderr.write(`${command}: ${error.message}\n`);
      process.exitCode = error.kind === 'usage' ? 2 : 1;
    } else {
      const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.stderr.write(
        `${command}: this is a bug in Busbar. Please report it with these lines.\n${stack}\n`,
      );
      process.exitCode = 1;
    }
  }
}

/** What yargs says of a command line that it does not accept, as one line. Errors thrown by handlers pass through. */
export function usageError(command: string, message: string | undefined, error: Error | undefined): Error {
  if (error !== undefined && error.name !== 'YError') return error;
  const sentence = (message ?? error?.message ?? '').trim().replaceAll(/\s+/g, ' ');
  return new BusbarError('invalid-option', `${sentence}. "${command} --help" lists the options.`);
}
