import { constants } from 'node:os';

/**
 * What asks a command to end in good order: Ctrl-C, a service manager, a terminal that was closed. Calls `stop` with
 * the exit code of the signal. The same signal again ends the process at once; a terminal may send its own twice.
 * Returns a function that ends this.
 */
export function onStopSignal(stop: (exitCode: number) => void): () => void {
  const heard = (signal: NodeJS.Signals) => {
    if (signal !== 'SIGHUP') process.removeListener(signal, heard);
    stop(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.on(signal, heard);
  return () => {
    for (const signal of signals) process.removeListener(signal, heard);
  };
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
