import { type Clock, untilAborted } from 'busbar/base';

/** Wait that ends after a delay or with a notification. */
export class Notifier {
  #isNotified = false;
  #wake: (() => void) | undefined;

  notify(): void {
    this.#isNotified = true;
    this.#wake?.();
  }

  /**
   * Resolves with the next notification, at once with one since the last wait, or after `delay` milliseconds. Rejects if the
   * signal is aborted.
   */
  async wait(clock: Clock, signal: AbortSignal, delay?: number): Promise<void> {
    let cancel = () => {};
    if (!this.#isNotified) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
        if (delay !== undefined) cancel = clock.schedule(delay, resolve);
      });
      await untilAborted(woken, signal).finally(() => cancel());
    }
    this.#wake = undefined;
    this.#isNotified = false;
  }
}
