import type { Instant } from '../../engine/time.js';
import type { OutgoingEvent } from '../outgoing-event.js';
import type { FaultParameters } from './corrupt.js';
import type { Decisions, FaultMask } from './decide.js';
import type { FaultName, FaultSettings } from './settings.js';

/** Plan of sending times: the instant of the event, or later because of a fault. */
export interface Reordering {
  /** Returns the virtual instant of sending. Calls `note` with each fault that delays the event. */
  sentAt(
    emission: OutgoingEvent,
    happens: (fault: FaultName, eventId: string) => boolean,
    note: (fault: FaultName, parameters: FaultParameters) => void,
  ): Instant;
  /** Notes a sent event, so that keys without delayed events are forgotten. */
  sent(key: string, at: Instant): void;
}

/**
 * Returns a plan of sending times for one set of settings.
 * @param heldUntil Instants until which the events of a key wait for an earlier one. All settings of a run share the map.
 */
export function planReordering(
  settings: FaultSettings,
  decided: Decisions,
  mask: FaultMask = () => true,
  heldUntil = new Map<string, Instant>(),
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

  return {
    sentAt({ envelope: { id }, key, at }, happens, note) {
      let due = burstAt(at, id);
      if (due !== at) note('burst', { milliseconds: due - at });
      if (happens('delay', id)) {
        due += delayBy;
        note('delay', { milliseconds: delayBy });
      }
      const held = heldUntil.get(key) ?? -Infinity;
      let alone: Instant | undefined;
      if (happens('reorder', id)) {
        const by = 1 + Math.floor(decided.draw('reorder', id, 'by') * reorderWithin);
        note('reorder', { milliseconds: by });
        if (reorderWithinKey) alone = by;
        else due += by;
      }
      due = Math.max(due, held);
      if (due > at) heldUntil.set(key, due);
      return due + (alone ?? 0);
    },
    sent(key, at) {
      const held = heldUntil.get(key);
      if (held !== undefined && held <= at) heldUntil.delete(key);
    },
  };
}
