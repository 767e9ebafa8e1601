/**
 * How long, in milliseconds of the wall clock, the reader of a stream waits for what comes next: `events` events, a
 * gap of virtual milliseconds after those before.
 */
export type Pace = (gap: number, events: number) => number;

/** As fast as the sinks take it. */
export const instantPace: Pace = () => 0;

/** Virtual time runs `speed` times as fast as the clock on the wall. */
export function linearPace(speed: number): Pace {
  return (gap) => gap / speed;
}

/** So many events a second, whatever the gaps between them. */
export function ratePace(eventsPerSecond: number): Pace {
  return (_gap, events) => (1000 * events) / eventsPerSecond;
}

/**
 * For people who watch: every gap can be felt, none bores. A gap is shown in a time that grows with its logarithm,
 * a second in 0.4 of one, a minute in 2.4, and nothing takes longer than five.
 */
export const storyPace: Pace = (gap) => Math.min(5000, 400 * Math.log2(1 + gap / 1000));
