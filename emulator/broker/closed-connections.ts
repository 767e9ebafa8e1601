import type { Settings } from './options.js';

const REPORTS_PER_WINDOW = 10;
const WINDOW_MS = 1000;

/**
 * Logs the reasons for closing connections, at most ten a second: a client that reconnects in a loop must not fill a
 * disk. The next report carries the number of skipped ones.
 */
export class ClosedConnections {
  readonly #settings: Settings;
  #windowEnds = 0;
  #reported = 0;
  #skipped = 0;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  report(reason: string, clientHost: string): void {
    const { clock, logger } = this.#settings;
    const now = clock.now();
    if (now >= this.#windowEnds) {
      this.#windowEnds = now + WINDOW_MS;
      this.#reported = 0;
    }
    if (this.#reported >= REPORTS_PER_WINDOW) {
      this.#skipped += 1;
      return;
    }
    this.#reported += 1;
    const skipped = this.#skipped > 0 ? { skippedReports: this.#skipped } : {};
    this.#skipped = 0;
    logger.warn('connection closed', { reason, clientHost, ...skipped });
  }
}
