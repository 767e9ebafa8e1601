import { kindOf } from 'busbar/base';
import { shownError } from '../verify/shown-error.js';
import { checkOfSamples } from './check.js';

/** Requires every error to be caught: Node ends a process at an unhandled rejection. */
export const rejectionsCheck = checkOfSamples(
  { name: 'rejections', title: 'no error is left uncaught' },
  ({ strayErrors: [error] }, about) => {
    if (error === undefined) return undefined;
    const reason = `The consumer does not catch ${kindOf(error)}.`;
    return { diagnosis: 'uncaught-error', about, reason, error: shownError(error) };
  },
  // A late error must not be attributed to the next exercise.
  { linger: true },
);
