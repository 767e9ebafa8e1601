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

/** Milliseconds of wall time. */
const maxGap = 5000;

/**
 * Pace for a person who watches. The wait grows with the logarithm of the gap: 0.4 s for a second, 2.4 s for a minute, 5 s at
 * most.
 */
export const demoPace: Pace = {
  wait: (gap) => Math.min(maxGap, 400 * Math.log2(1 + gap / 1000)),
  passed: (elapsed) => Math.floor(1000 * (2 ** (Math.min(maxGap, elapsed) / 400) - 1)),
};
