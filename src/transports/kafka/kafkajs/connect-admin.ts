import type { Admin } from 'kafkajs';
import { type Clock, sleep, untilAborted } from '../../../base/clock.js';
import { translated } from './errors.js';
import type { OnDemand } from './on-demand.js';
import type { Sockets } from './sockets.js';

/** Limit of the first connection, with all attempts, in milliseconds. */
const connectDeadline = 8_000;

/** @throws BusbarError `connection-failed`, `not-authorized`; the signal's reason after an abort */
export async function connectAdmin(
  admin: OnDemand<Admin>,
  where: string,
  clock: Clock,
  { signal, sockets }: { readonly signal?: AbortSignal | undefined; readonly sockets: Sockets },
): Promise<void> {
  const over = new AbortController();
  // kafkajs would wait 30 seconds, three times, for a server that accepts and does not respond.
  const deadline = sleep(clock, connectDeadline, over.signal).then(() => {
    throw new Error(`no response within ${connectDeadline / 1_000} seconds`);
  });
  try {
    const connected = admin.use(() => Promise.resolve());
    await untilAborted(Promise.race([connected, deadline]), signal);
  } catch (error) {
    admin.close().catch(() => undefined);
    sockets.close();
    signal?.throwIfAborted();
    throw translated(error, where, 'could not be reached');
  } finally {
    deadline.catch(() => undefined);
    over.abort();
  }
}
