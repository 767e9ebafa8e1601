import type { Clock } from '../../../src/base/clock.js';
import type { Client } from './client.js';

/**
 * Probes the clients every `interval` milliseconds, as long as there are any: one that has not been heard of since
 * the last time is dead, however open its socket looks. Answers a function to call when clients came or went.
 */
export function keepAlive(clients: ReadonlySet<Client>, clock: Clock, interval: number): () => void {
  let cancel: (() => void) | undefined;

  const probe = () => {
    for (const client of clients) client.probe();
    cancel = clock.schedule(interval, probe);
  };

  return () => {
    if (clients.size > 0) cancel ??= clock.schedule(interval, probe);
    else {
      cancel?.();
      cancel = undefined;
    }
  };
}
