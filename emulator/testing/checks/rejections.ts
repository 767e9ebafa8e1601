import { kindAndFrame } from '../kind-and-frame.js';
import { checkOfSamples } from './check.js';

/** Requires every error to be caught: Node ends a process at an unhandled rejection. */
export const rejectionsCheck = checkOfSamples(
  { name: 'rejections', title: 'no error is left uncaught' },
  ({ strayErrors }) =>
    strayErrors.length === 0 ? undefined : `The consumer does not catch ${kindAndFrame(strayErrors[0])}.`,
  // A late error must not be attributed to the next exercise.
  { linger: true },
);
