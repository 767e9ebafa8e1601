import { hash32 } from '../../engine/random.js';
import type { FaultName, FaultSettings } from './settings.js';

/** Asked of every fault that is about to be done; false leaves it out, and changes no other. */
export type FaultMask = (fault: FaultName, eventId: string) => boolean;

/** Which faults happen to which events: a function of seed, fault and event id, and of nothing that came before. */
export interface Decisions {
  happens(fault: FaultName, eventId: string): boolean;
  /** A number in [0, 1) for the parameters of a fault, independent of whether it happens. */
  draw(fault: FaultName, eventId: string, parameter: string): number;
  /** Whether the window of virtual time with that number has a burst. */
  bursts(window: number): boolean;
}

export function decisions(seed: number, { rates }: FaultSettings): Decisions {
  const drawn = (...name: (string | number)[]) => hash32(seed, 'fault', ...name) / 0x1_0000_0000;
  return {
    happens(fault, eventId) {
      const rate = rates[fault];
      return rate !== undefined && drawn(fault, eventId) < rate;
    },
    draw: (fault, eventId, parameter) => drawn(fault, eventId, parameter),
    bursts: (window) => drawn('burst', window) < (rates.burst ?? 0),
  };
}
