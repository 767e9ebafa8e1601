import { longestTimer } from '../base/clock.js';
import { number, type Option } from '../base/options.js';

/** The longest time of an attempt. */
export const deadlineOption = {
  type: number({ above: 0, to: longestTimer, orInfinity: true }),
  unit: 'milliseconds',
} satisfies Option<number>;

/** How long after its deadline a handler may take to notice that its signal was aborted. In milliseconds. */
export const graceAfterDeadline = 1_000;
