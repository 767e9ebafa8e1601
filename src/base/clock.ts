/** A source of time and timers. With a virtual clock, a test bench runs hours of retries immediately. */
export interface Clock {
  /** Returns the time in milliseconds since the Unix epoch. */
  now(): number;
  /** Calls `callback` once, `delay` milliseconds from now. Returns a function that cancels the call. */
  schedule(delay: number, callback: () => void): () => void;
}

/** A clock whose time changes only when it is advanced. */
export interface VirtualClock extends Clock {
  /** Time of the next scheduled call; undefined when none is scheduled. */
  readonly next: number | undefined;
  /** Advances time by `duration` milliseconds and makes the calls that fall due, in order of time. */
  advance(duration: number): void;
  /** Advances time to the next scheduled call and makes it. Returns false when none is scheduled. */
  advanceToNext(): boolean;
}

/** Maximum delay of `setTimeout` in milliseconds, about 24 days. */
export const maxTimer = 2 ** 31 - 1;

/** The wall clock. Its timers keep the process alive, like those of Node. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule(delay, callback) {
    const timer = setTimeout(callback, delay);
    return () => clearTimeout(timer);
  },
};

/** Creates a {@link VirtualClock} that starts at `start`, in milliseconds since the epoch. Default 0. */
export function virtualClock(start = 0): VirtualClock {
  let time = start;
  const waiting = new Set<{ at: number; callback: () => void }>();

  // A set keeps insertion order, so calls for the same time are made in the order of scheduling.
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

/** Waits for the work, at most `limit` milliseconds. Throws what the work throws in that time. */
export async function atMost(clock: Clock, limit: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const late = sleep(clock, limit, over.signal).catch(() => undefined);
  await Promise.race([work, late]).finally(() => over.abort());
}

/**
 * Resolves or rejects like the work. Once the signal aborts, calls `cancel`, waits for it, and rejects with the signal's
 * reason. Leaves no listener on the signal.
 */
export function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  cancel?: () => Promise<unknown>,
): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason as Error);
    const abort = () => (cancel === undefined ? end() : void cancel().then(end, reject));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Resolves after `delay` milliseconds of `clock`; rejects with the signal's reason as soon as it aborts. */
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
