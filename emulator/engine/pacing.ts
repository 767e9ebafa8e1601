/** Relation of virtual time to wall time. */
export interface Pace {
  /**
   * Returns the milliseconds of wall time to wait before the next events.
   * @param gap Virtual milliseconds since the events before.
   * @param events Number of events to send.
   */
  wait(gap: number, events: number): number;
  /** Returns the virtual milliseconds that pass in `elapsed` milliseconds of wall time without events. */
  passed(elapsed: number): number;
}

/** Pace limited by the sinks alone. Virtual time passes only with events. */
export const instantPace: Pace = { wait: () => 0, passed: () => 0 };

/** Returns a pace with virtual time `speed` times as fast as wall time. */
export function linearPace(speed: number): Pace {
  return { wait: (gap) => gap / speed, passed: (elapsed) => Math.floor(elapsed * speed) };
}

/** Returns a pace with a fixed number of events per second. It ignores their virtual gaps. */
export function ratePace(eventsPerSecond: number): Pace {
  return { wait: (_gap, events) => (1000 * events) / eventsPerSecond, passed: () => 0 };
}

/** Wall time of the longest gap, and for each doubling of a gap, in milliseconds. */
const [maxWait, waitPerDoubling] = [1500, 80];

/**
 * Pace for a person who watches. The wait grows with the logarithm of the gap: 0.1 s for a second, 0.5 s for a minute, 0.9 s
 * for an hour, 1.5 s at most.
 */
export const demoPace: Pace = {
  wait: (gap) => Math.min(maxWait, waitPerDoubling * Math.log2(1 + gap / 1000)),
  passed: (elapsed) => Math.floor(1000 * (2 ** (Math.min(maxWait, elapsed) / waitPerDoubling) - 1)),
};
