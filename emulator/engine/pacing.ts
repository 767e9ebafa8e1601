/** How virtual time passes on the clock on the wall. */
export interface Pace {
  /**
   * How long, in milliseconds of the wall clock, the reader of a stream waits for what comes next: `events` events, a
   * gap of virtual milliseconds after those before.
   */
  wait(gap: number, events: number): number;
  /** How many virtual milliseconds have passed after so many of the wall clock, while nothing occurs. */
  passed(elapsed: number): number;
}

/** As fast as the sinks take it: time passes with the events alone. */
export const instantPace: Pace = { wait: () => 0, passed: () => 0 };

/** Virtual time runs `speed` times as fast as the clock on the wall. */
export function linearPace(speed: number): Pace {
  return { wait: (gap) => gap / speed, passed: (elapsed) => Math.floor(elapsed * speed) };
}

/** So many events a second, whatever the gaps between them. */
export function ratePace(eventsPerSecond: number): Pace {
  return { wait: (_gap, events) => (1000 * events) / eventsPerSecond, passed: () => 0 };
}

/** In milliseconds of the wall clock. */
const longestGap = 5000;

/**
 * For people who watch: every gap can be felt, none bores. A gap is shown in a time that grows with its logarithm,
 * a second in 0.4 of one, a minute in 2.4, and nothing takes longer than five.
 */
export const storyPace: Pace = {
  wait: (gap) => Math.min(longestGap, 400 * Math.log2(1 + gap / 1000)),
  passed: (elapsed) => Math.floor(1000 * (2 ** (Math.min(longestGap, elapsed) / 400) - 1)),
};
