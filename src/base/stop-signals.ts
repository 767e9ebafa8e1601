import { constants } from 'node:os';

/**
 * Calls `stop` with the exit code of a signal that asks a command to stop: Ctrl-C, a service manager, a closed terminal.
 * A second identical signal ends the process immediately, except SIGHUP, which a terminal may send twice. Returns a
 * function that stops listening, except for the second SIGHUP: without a listener it would end the process with a signal.
 */
export function onStopSignal(stop: (exitCode: number) => void): () => void {
  const listening = new Set<NodeJS.Signals>(signals);
  const handle = (signal: NodeJS.Signals) => {
    listening.delete(signal);
    if (signal !== 'SIGHUP') process.removeListener(signal, handle);
    stop(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.on(signal, handle);
  return () => {
    for (const signal of listening) process.removeListener(signal, handle);
  };
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
