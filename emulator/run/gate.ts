import type { Clock } from '../../src/base/clock.js';

/** Lets a run through, holds it, or lets it through one step at a time. */
export interface Gate {
  readonly isOpen: boolean;
  open(): void;
  close(): void;
  /** Lets `count` passers through a closed gate. */
  admit(count: number): void;
  /** Whether the caller may pass; a closed gate counts those that it lets through. */
  pass(): boolean;
}

export function createGate(isOpen: boolean): Gate {
  let admitted = 0;
  return {
    get isOpen() {
      return isOpen;
    },
    open() {
      isOpen = true;
    },
    close() {
      isOpen = false;
      admitted = 0;
    },
    admit(count) {
      admitted += count;
    },
    pass() {
      if (isOpen) return true;
      if (admitted === 0) return false;
      admitted--;
      return true;
    },
  };
}

/** What a run waits for: that its time has come, or that somebody wants something of it. */
export interface Bell {
  ring(): void;
  /**
   * Resolves when the bell rings, at once if it has rung since it was last waited for; or when `delay` milliseconds
   * have passed. Rejects when the signal is aborted.
   */
  wait(clock: Clock, signal: AbortSignal, delay?: number): Promise<void>;
}

export function createBell(): Bell {
  let hasRung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      hasRung = true;
      wake?.();
    },
    async wait(clock, signal, delay) {
      let cancel = () => {};
      if (!hasRung) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
          if (delay !== undefined) cancel = clock.schedule(delay, resolve);
        });
        await unlessAborted(woken, signal).finally(() => cancel());
      }
      wake = undefined;
      hasRung = false;
    },
  };
}

/**
 * What `work` comes to, or a rejection with the signal's reason as soon as it is aborted. Leaves nothing behind on the
 * signal, however often it is called.
 */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
