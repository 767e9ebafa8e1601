import { hash32 } from '../../engine/random.js';
import type { FaultName, FaultSettings } from './settings.js';

/** Returns whether to inject a fault. Leaving one out changes no other. */
export type FaultMask = (fault: FaultName, eventId: string) => boolean;

/** Decisions about faults, which depend on seed, fault and event id alone. */
export type Decisions = ReturnType<typeof decisions>;

export function decisions(seed: number, { rates }: FaultSettings) {
  const drawn = (...name: (string | number)[]) => hash32(seed, 'fault', ...name) / 0x1_0000_0000;
  return {
    /** Whether the fault happens to the event. */
    happens(fault: FaultName, eventId: string): boolean {
      const rate = rates[fault];
      return rate !== undefined && drawn(fault, eventId) < rate;
    },
    /** Draws a number in [0, 1) for a parameter of a fault, independent of `happens`. */
    draw: (fault: FaultName, eventId: string, parameter: string) => drawn(fault, eventId, parameter),
    /** Whether the period of virtual time with that number has a burst. */
    bursts: (period: number) => drawn('burst', period) < (rates.burst ?? 0),
  };
}
