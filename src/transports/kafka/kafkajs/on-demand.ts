import type { Admin } from 'kafkajs';
import { type Clock, sleep, untilAborted } from '../../../base/clock.js';
import { isTimeout, translated } from './errors.js';
import type { Sockets } from './sockets.js';

/** Time in milliseconds without use after which a client is disconnected. */
const idleTime = 60_000;

interface Connectable {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

/** Connects a client of kafkajs when it is used, because each of its idle connections takes processor time. */
export class OnDemand<C extends Connectable> {
  readonly #make: () => C;
  readonly #clock: Clock;
  #client: Promise<C> | undefined;
  #users = 0;
  #isClosed = false;
  #cancel: () => void = () => undefined;

  constructor(make: () => C, clock: Clock) {
    this.#make = make;
    this.#clock = clock;
  }

  async use<T>(work: (client: C) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new Error('closed');
    this.#cancel();
    this.#users++;
    try {
      this.#client ??= this.#connect();
      return await work(await this.#client);
    } catch (error) {
      // kafkajs keeps the connection, also if it is dead.
      if (isTimeout(error)) void this.#disconnect();
      throw error;
    } finally {
      this.#users--;
      this.#disconnectLater();
    }
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    return this.#disconnect();
  }

  async #connect(): Promise<C> {
    const client = this.#make();
    try {
      await client.connect();
      return client;
    } catch (error) {
      this.#client = undefined;
      await client.disconnect().catch(() => undefined);
      throw error;
    }
  }

  #disconnectLater(): void {
    if (this.#users > 0 || this.#isClosed) return;
    this.#cancel = this.#clock.schedule(idleTime, () => void this.#disconnect());
  }

  async #disconnect(): Promise<void> {
    const client = this.#client?.catch(() => undefined);
    this.#client = undefined;
    await (await client)?.disconnect();
  }
}

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
