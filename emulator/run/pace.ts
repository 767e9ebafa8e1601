import { instantPace, linearPace, type Pace, ratePace, demoPace } from '../engine/pacing.js';

/** Pace of a run: virtual time relative to wall time. */
export interface PaceOptions {
  /**
   * Factor of virtual time to wall time, or `instant` for as fast as the sinks accept events, or `story` for waits that grow
   * with the logarithm of the gap, up to 1.5 seconds. Default `story`.
   */
  readonly speed?: number | 'instant' | 'story';
  /** Events per second, independent of virtual time. Replaces `speed`. */
  readonly rate?: number;
}

export function paceOf({ speed = 'story', rate }: PaceOptions): Pace {
  if (rate !== undefined) return ratePace(rate);
  if (speed === 'instant') return instantPace;
  if (speed === 'story') return demoPace;
  return linearPace(speed);
}
