import type { BrokerClock } from './clock.js';
import type { ClosedConnections } from './closed-connections.js';
import type { Connection } from './connection.js';
import type { Settings } from './options.js';

/** The time for a client's first bytes. Clients ask at once for the versions that are served. */
const SILENT_MS = 5000;
/** The time without a further byte of a request that has begun. */
const STALLED_MS = 30_000;
/** One timer looks at all connections, so that a request sets none. */
const SWEEP_MS = 1000;
/** All unfinished requests together may be as long as this many of the longest ones. */
const MAX_UNFINISHED_FRAMES = 2;

/**
 * The open connections, within their limits: how many, how long without a sign of life, how many bytes of unfinished
 * requests. Time is counted in sweeps, so a process that was stopped for a while closes no connection for it.
 */
export class Connections {
  readonly #settings: Settings;
  readonly #clock: BrokerClock;
  readonly #closed: ClosedConnections;
  readonly #open = new Set<Connection>();
  #unfinishedBytes = 0;
  #sweeps = 0;
  #cancelSweep: (() => void) | undefined;

  constructor(settings: Settings, closed: ClosedConnections) {
    this.#settings = settings;
    this.#clock = settings.clock;
    this.#closed = closed;
  }

  /** Bytes of requests that have not arrived whole yet, over all connections. */
  get unfinishedBytes(): number {
    return this.#unfinishedBytes;
  }

  /** At the limit another connection makes room. If newcomers were refused, idle clients could lock out all others. */
  add(connection: Connection): void {
    const { maxConnections } = this.#settings;
    if (this.#open.size >= maxConnections) {
      const reason = `"maxConnections" (${maxConnections}) is reached and this one was idle longest`;
      this.#close(first(this.#open, yieldsTo), reason);
    }
    this.#open.add(connection);
    this.touch(connection);
    this.#cancelSweep ??= this.#clock.after(SWEEP_MS, () => this.#sweep());
  }

  /** Notes a sign of life. */
  touch(connection: Connection): void {
    connection.lastActive = this.#sweeps;
  }

  /** Notes how many bytes of an unfinished request a connection holds. Above the limit, closes the worst one of all. */
  hold(connection: Connection, bytes: number): void {
    this.#unfinishedBytes += bytes - connection.unfinishedBytes;
    connection.unfinishedBytes = bytes;
    while (this.#unfinishedBytes > MAX_UNFINISHED_FRAMES * this.#settings.maxFrameBytes) {
      const occupied = ({ unfinishedBytes, lastActive }: Connection): number =>
        unfinishedBytes * (1 + this.#sweeps - lastActive);
      const worst = first(this.#open, (one, other) => occupied(one) > occupied(other));
      if (!worst) return;
      this.#close(
        worst,
        'unfinished requests take too much memory in all, this one the most for the longest',
      );
    }
  }

  delete(connection: Connection): void {
    this.#open.delete(connection);
    this.hold(connection, 0);
    if (this.#open.size === 0) this.#stopSweeping();
  }

  /** Resolves when all connections are closed. */
  async closeAll(): Promise<void> {
    this.#stopSweeping();
    const streams = [...this.#open].map(({ stream }) => stream);
    const closed = streams.map(
      (stream) =>
        new Promise<void>((resolve) => (stream.closed ? resolve() : stream.once('close', () => resolve()))),
    );
    for (const stream of streams) stream.destroy();
    await Promise.all(closed);
  }

  #sweep(): void {
    this.#sweeps += 1;
    this.#cancelSweep = this.#clock.after(SWEEP_MS, () => this.#sweep());
    for (const connection of this.#open) {
      if (connection.isAnswering) continue;
      const { ms, reason } = this.#patience(connection);
      // It was active some time between two sweeps, so the first one counts for nothing.
      if ((this.#sweeps - connection.lastActive - 1) * SWEEP_MS >= ms) this.#close(connection, reason);
    }
  }

  /** The longest time without a sign of life, and the reason to report for closing the connection then, if any. */
  #patience({ unfinishedBytes, hasAsked }: Connection): { ms: number; reason?: string } {
    const { connectionsMaxIdleMs } = this.#settings;
    if (unfinishedBytes > 0)
      return { ms: STALLED_MS, reason: `its request made no progress for ${STALLED_MS / 1000} s` };
    if (!hasAsked) return { ms: SILENT_MS, reason: `it sent nothing for ${SILENT_MS / 1000} s` };
    return { ms: connectionsMaxIdleMs };
  }

  #close(connection: Connection | undefined, reason?: string): void {
    if (!connection) return;
    if (reason !== undefined) this.#closed.report(reason, connection.clientHost);
    this.delete(connection);
    connection.stream.destroy();
  }

  #stopSweeping(): void {
    this.#cancelSweep?.();
    this.#cancelSweep = undefined;
  }
}

/** Connections make room in this order: those without a request, then the longest idle, then those being answered. */
function yieldsTo(one: Connection, other: Connection): boolean {
  const worth = ({ hasAsked, isAnswering }: Connection): number => Number(hasAsked) + Number(isAnswering);
  const difference = worth(one) - worth(other) || one.lastActive - other.lastActive;
  return difference < 0;
}

/** The first element in an order. */
function first<T>(all: Iterable<T>, comesBefore: (one: T, other: T) => boolean): T | undefined {
  let found: T | undefined;
  for (const one of all) if (found === undefined || comesBefore(one, found)) found = one;
  return found;
}
