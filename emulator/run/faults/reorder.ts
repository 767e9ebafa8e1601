import type { Instant } from '../../engine/time.js';
import type { OutgoingEvent } from '../outgoing-event.js';
import type { FaultParameters } from './corrupt.js';
import type { Decisions, FaultMask } from './decide.js';
import type { FaultName, FaultSettings } from './settings.js';

/**
 * Plan of sending times. Returns the virtual instant of sending: that of the event, or later because of a fault. Calls `note`
 * with each fault that delays the event.
 */
export type Reordering = (
  emission: OutgoingEvent,
  happens: (fault: FaultName, eventId: string) => boolean,
  note: (fault: FaultName, parameters: FaultParameters) => void,
) => Instant;

/**
 * Returns a plan of sending times for one set of settings.
 * @param heldUntil Instants until which the events of a key wait for an earlier one. All settings of a run share the map.
 */
export function planReordering(
  settings: FaultSettings,
  decided: Decisions,
  mask: FaultMask,
  heldUntil: Map<string, Instant>,
): Reordering {
  const { burst, delayBy, reorderWithin, reorderWithinKey } = settings;

  /** Returns the instant in a burst: the last of `factor` spans has the events of all, in order. */
  function burstAt(at: Instant, id: string): Instant {
    if (burst === undefined) return at;
    const { factor, within } = burst;
    const period = Math.floor(at / (factor * within));
    if (!decided.bursts(period) || !mask('burst', id)) return at;
    const start = period * factor * within;
    return start + (factor - 1) * within + Math.floor((at - start) / factor);
  }

  return ({ envelope: { id }, key, at }, happens, note) => {
    let due = burstAt(at, id);
    if (due !== at) note('burst', { milliseconds: due - at });
    if (happens('delay', id)) {
      due += delayBy;
      note('delay', { milliseconds: delayBy });
    }
    let alone = 0;
    if (happens('reorder', id)) {
      const by = 1 + Math.floor(decided.draw('reorder', id, 'by') * reorderWithin);
      note('reorder', { milliseconds: by });
      if (reorderWithinKey) alone = by;
      else due += by;
    }
    due = Math.max(due, heldUntil.get(key) ?? due);
    if (due > at) heldUntil.set(key, due);
    return due + alone;
  };
}
