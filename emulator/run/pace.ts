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

export function paceOf({ speed = 'story', rate }: PaceOptions): Pace {
  if (rate !== undefined) return ratePace(rate);
  if (speed === 'instant') return instantPace;
  if (speed === 'story') return storyPace;
  return linearPace(speed);
}
