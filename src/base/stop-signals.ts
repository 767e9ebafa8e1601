import { constants } from 'node:os';

/**
 * Calls `stop` with the exit code of a signal that asks a command to stop: Ctrl-C, a service manager, a closed terminal.
 * A second identical signal ends the process immediately, except SIGHUP, which a terminal may send twice. Returns a
 * function that stops listening.
 */
export function onStopSignal(stop: (exitCode: number) => void): () => void {
  const handle = (signal: NodeJS.Signals) => {
    if (signal !== 'SIGHUP') process.removeListener(signal, handle);
    stop(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.on(signal, handle);
  return () => {
    for (const signal of signals) process.removeListener(signal, handle);
  };
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
