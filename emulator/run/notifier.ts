import type { Clock } from 'busbar/base';

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
      await unlessAborted(woken, signal).finally(() => cancel());
    }
    this.#wake = undefined;
    this.#isNotified = false;
  }
}

/**
 * Resolves as `work` does, or rejects with the signal's reason as soon as it is aborted. Leaves no listener on the signal.
 */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
