import { maxTimer } from '../base/clock.js';
import { number, type Option } from '../base/options.js';

/** Maximum duration of an attempt. */
export const deadlineOption = {
  type: number({ above: 0, to: maxTimer, orInfinity: true }),
  unit: 'milliseconds',
} satisfies Option<number>;
