import type { ClosedConnections } from './closed-connections.js';
import type { Connection } from './connection.js';
import type { Settings } from './options.js';

/** The time for a client's first bytes. Clients request ApiVersions at once. */
const SILENT_MS = 5000;
/** The time between two bytes of one request. */
const STALLED_MS = 30_000;
/** One timer checks all connections, so a request costs no timer. */
const SWEEP_MS = 1000;
/** The limit for all unfinished requests together, as a multiple of `maxFrameBytes`. */
const MAX_UNFINISHED_FRAMES = 2;

/**
 * The open connections, within limits on their number, their idle time and the bytes of unfinished requests. Idle time
 * is counted in sweeps, so a suspended process closes no connection when it continues.
 */
export class Connections {
  readonly #settings: Settings;
  readonly #closed: ClosedConnections;
  readonly #open = new Set<Connection>();
  /** Bytes of incomplete requests of all connections. */
  unfinishedBytes = 0;
  #sweeps = 0;
  #cancelSweep: (() => void) | undefined;

  constructor(settings: Settings, closed: ClosedConnections) {
    this.#settings = settings;
    this.#closed = closed;
  }

  /** Adds a connection. At the limit it closes another one: otherwise idle clients could lock out all others. */
  add(connection: Connection): void {
    const { maxConnections } = this.#settings;
    if (this.#open.size >= maxConnections) {
      const reason = `"maxConnections" (${maxConnections}) is reached and this one was idle longest`;
      this.#close(first(this.#open, yieldsTo), reason);
    }
    this.#open.add(connection);
    this.touch(connection);
    this.#cancelSweep ??= this.#settings.clock.schedule(SWEEP_MS, () => this.#sweep());
  }

  /** Records activity. */
  touch(connection: Connection): void {
    connection.lastActive = this.#sweeps;
  }

  /** Records the bytes of a connection's unfinished request. Above the limit, closes the largest and longest idle one. */
  hold(connection: Connection, bytes: number): void {
    this.unfinishedBytes += bytes - connection.unfinishedBytes;
    connection.unfinishedBytes = bytes;
    while (this.unfinishedBytes > MAX_UNFINISHED_FRAMES * this.#settings.maxFrameBytes) {
      const occupied = ({ unfinishedBytes, lastActive }: Connection): number =>
        unfinishedBytes * (1 + this.#sweeps - lastActive);
      const worst = first(this.#open, (one, other) => occupied(one) > occupied(other));
      if (!worst) return;
      this.#close(worst, 'unfinished requests take too much memory, this one the most');
    }
  }

  delete(connection: Connection): void {
    this.#open.delete(connection);
    this.hold(connection, 0);
    if (this.#open.size === 0) this.#stopSweeping();
  }

  /** Closes the connections of one client id, or all. Returns their number. */
  closeOf(clientId: string | undefined): number {
    const chosen = [...this.#open].filter(
      (connection) => (clientId ?? connection.clientId) === connection.clientId,
    );
    for (const connection of chosen) this.#close(connection);
    return chosen.length;
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
    this.#cancelSweep = this.#settings.clock.schedule(SWEEP_MS, () => this.#sweep());
    for (const connection of this.#open) {
      if (connection.isHandling) continue;
      const { ms, reason } = this.#idleLimit(connection);
      // The connection was active between two sweeps, so the first sweep does not count.
      if ((this.#sweeps - connection.lastActive - 1) * SWEEP_MS >= ms) this.#close(connection, reason);
    }
  }

  /** Returns the time after which an idle connection is closed, and the reason to report, if any. */
  #idleLimit({ unfinishedBytes, hasSentRequest }: Connection): { ms: number; reason?: string } {
    if (unfinishedBytes > 0)
      return { ms: STALLED_MS, reason: `its request made no progress for ${STALLED_MS / 1000} s` };
    if (!hasSentRequest) return { ms: SILENT_MS, reason: `it sent nothing for ${SILENT_MS / 1000} s` };
    return { ms: this.#settings.connectionsMaxIdleMs };
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

/** Orders connections for closing: first those without a request, then the longest idle, then those being handled. */
function yieldsTo(one: Connection, other: Connection): boolean {
  const worth = ({ hasSentRequest, isHandling }: Connection): number =>
    Number(hasSentRequest) + Number(isHandling);
  return (worth(one) - worth(other) || one.lastActive - other.lastActive) < 0;
}

function first<T>(all: Iterable<T>, comesBefore: (one: T, other: T) => boolean): T | undefined {
  let found: T | undefined;
  for (const one of all) if (found === undefined || comesBefore(one, found)) found = one;
  return found;
}
