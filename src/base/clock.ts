/**
 * Time as the library sees it. Everything that waits, times out or stamps takes a clock, so that a test bench can
 * run hours of retries in no time.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Calls `callback` once, `delay` milliseconds from now; the function that it returns cancels the call. */
  schedule(delay: number, callback: () => void): () => void;
}

/** A clock that stands still until it is told to move. */
export interface VirtualClock extends Clock {
  /** When the next scheduled call falls due; undefined when nothing is scheduled. */
  readonly next: number | undefined;
  /** Moves time forward by `duration` milliseconds and calls everything that falls due, in order of time. */
  advance(duration: number): void;
  /** Moves time to the next scheduled call and makes it; false when nothing is scheduled. */
  advanceToNext(): boolean;
}

/** The longest delay that `setTimeout` takes, in milliseconds; about 24 days. */
export const longestTimer = 2 ** 31 - 1;

/** The wall clock. Its timers keep the process alive, as those of Node do. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule(delay, callback) {
    const timer = setTimeout(callback, delay);
    return () => clearTimeout(timer);
  },
};

/** A {@link VirtualClock} that starts at `start` (milliseconds since the epoch, default 0). */
export function virtualClock(start = 0): VirtualClock {
  let time = start;
  const waiting = new Set<{ at: number; callback: () => void }>();

  // Set order is insertion order, so calls for the same instant are made in the order they were asked for.
  const next = () => {
    let first: { at: number; callback: () => void } | undefined;
    for (const call of waiting) if (first === undefined || call.at < first.at) first = call;
    return first;
  };
  const advanceTo = (limit: number) => {
    const call = next();
    if (call === undefined || call.at > limit) return false;
    waiting.delete(call);
    time = Math.max(time, call.at);
    call.callback();
    return true;
  };

  return {
    now: () => time,
    get next() {
      return next()?.at;
    },
    schedule(delay, callback) {
      // In whole milliseconds, as timers count.
      const call = { at: time + Math.ceil(Math.max(0, delay)), callback };
      waiting.add(call);
      return () => waiting.delete(call);
    },
    advance(duration) {
      const until = time + duration;
      while (advanceTo(until));
      time = until;
    },
    advanceToNext: () => advanceTo(Number.POSITIVE_INFINITY),
  };
}

/** Resolves after `delay` milliseconds of `clock`; rejects with the signal's reason as soon as it is aborted. */
export function sleep(clock: Clock, delay: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      cancel();
      reject(signal?.reason as Error);
    };
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const cancel = clock.schedule(delay, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, { once: true });
  });
}
