import { waitRunning } from '../emulator/testing/running-time.js';
import type { Clock } from '../src/base/clock.js';

/**
 * The wall clock, but its timers count only the time in which this process runs: however busy the machine is, no
 * session and no deadline ends while this process could not keep it.
 */
export const steadyClock: Clock = {
  now: () => Date.now(),
  schedule,
};

/** Returns a clock on which one delay is another, in milliseconds. */
export function withDelay(clock: Clock, delay: number, instead: number): Clock {
  return { ...clock, schedule: (each, due) => clock.schedule(each === delay ? instead : each, due) };
}

function schedule(delay: number, due: () => void): () => void {
  return waitRunning(delay, due).cancel;
}
