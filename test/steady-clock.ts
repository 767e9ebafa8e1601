import type { BrokerClock } from '../emulator/broker/index.js';
import { waitRunning } from '../emulator/testing/running-time.js';
import type { Clock } from '../src/base/clock.js';

/**
 * The wall clock, but its timers count only the time in which this process runs: however busy the machine is, no
 * session and no deadline ends while nobody here could keep it.
 */
export const steadyClock: Clock & BrokerClock = {
  now: () => Date.now(),
  schedule,
  after: schedule,
};

function schedule(delay: number, due: () => void): () => void {
  return waitRunning(delay, due).cancel;
}
