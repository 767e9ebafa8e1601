/** The time that the broker lives by: session and rebalance timers, long polls, append timestamps. */
export interface BrokerClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `fn` once after `ms` milliseconds; the returned function cancels it. */
  after(ms: number, fn: () => void): () => void;
}

export const wallClock: BrokerClock = {
  now: () => Date.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms);
    return () => clearTimeout(timer);
  },
};
