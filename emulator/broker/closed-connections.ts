import type { BrokerClock } from './clock.js';
import type { BrokerLogger } from './logger.js';

const REPORTS_PER_WINDOW = 10;
const WINDOW_MS = 1000;

/**
 * Reports why connections are closed, ten times a second at most: a client that reconnects in a loop must not be able
 * to fill a disk. How many reports were left out is said by the next one.
 */
export class ClosedConnections {
  readonly #clock: BrokerClock;
  readonly #logger: BrokerLogger;
  #windowEnds = 0;
  #reported = 0;
  #leftOut = 0;

  constructor(clock: BrokerClock, logger: BrokerLogger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  report(reason: string, clientHost: string): void {
    const now = this.#clock.now();
    if (now >= this.#windowEnds) {
      this.#windowEnds = now + WINDOW_MS;
      this.#reported = 0;
    }
    if (this.#reported >= REPORTS_PER_WINDOW) {
      this.#leftOut += 1;
      return;
    }
    this.#reported += 1;
    const leftOut = this.#leftOut > 0 ? { leftOutBefore: this.#leftOut } : {};
    this.#leftOut = 0;
    this.#logger.warn(`connection closed: ${reason}`, { clientHost, ...leftOut });
  }
}
