import { BusbarError } from '../../src/errors.js';
import { instantPace, linearPace, type Pace, ratePace, storyPace } from '../engine/pacing.js';

/** How virtual time passes on the clock on the wall. */
export interface PaceOptions {
  /**
   * `story` (the default) shows every gap in a time that grows with its logarithm, at most five seconds; a number is
   * so many times as fast as the wall clock; `instant` is as fast as the sinks take it.
   */
  readonly speed?: number | 'instant' | 'story';
  /** Events a second, whatever virtual time passes between them; instead of `speed`. */
  readonly rate?: number;
}

/** @throws BusbarError `invalid-option` */
export function paceOf({ speed = 'story', rate }: PaceOptions): Pace {
  if (rate !== undefined) return ratePace(positive('rate', rate));
  if (speed === 'instant') return instantPace;
  if (speed === 'story') return storyPace;
  return linearPace(positive('speed', speed));
}

function positive(option: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new BusbarError('invalid-option', `Option "${option}" must be greater than 0, not ${value}.`);
}
