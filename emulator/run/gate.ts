/** Lets a run through, holds it, or lets it through one step at a time. */
export interface Gate {
  readonly isOpen: boolean;
  open(): void;
  close(): void;
  /** Lets `count` passers through a closed gate. */
  admit(count: number): void;
  /** Resolves when the caller may pass; at once where the gate is open. Rejects when the signal is aborted. */
  pass(signal: AbortSignal): Promise<void> | undefined;
}

export function createGate(isOpen: boolean): Gate {
  let admitted = 0;
  let wake: (() => void) | undefined;
  const mayPass = () => {
    if (isOpen) return true;
    if (admitted === 0) return false;
    admitted--;
    return true;
  };
  return {
    get isOpen() {
      return isOpen;
    },
    open() {
      isOpen = true;
      wake?.();
    },
    close() {
      isOpen = false;
      admitted = 0;
    },
    admit(count) {
      admitted += count;
      wake?.();
    },
    pass(signal) {
      if (mayPass()) return undefined;
      return unlessAborted(
        new Promise<void>((resolve) => {
          wake = () => {
            if (mayPass()) resolve();
          };
        }),
        signal,
      );
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
