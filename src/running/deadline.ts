import { BusbarError } from '../errors.js';
import { longestTimer } from './retry.js';

/** How long an attempt may take where nothing else is said. In milliseconds. */
export const defaultDeadline = 60_000;

/** How long after its deadline a handler may take to notice that its signal was aborted. In milliseconds. */
export const graceAfterDeadline = 1_000;

/** @throws BusbarError `invalid-option` */
export function checkDeadline(deadline: number | undefined, whose: string): void {
  if (deadline === undefined || deadline === Number.POSITIVE_INFINITY) return;
  if (deadline > 0 && deadline <= longestTimer) return;
  throw new BusbarError(
    'invalid-option',
    `${whose}: "deadline" must be a number of milliseconds above 0, at most ${longestTimer}, or Infinity.`,
  );
}
