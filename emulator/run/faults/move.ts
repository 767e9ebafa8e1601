import type { Instant } from '../../engine/time.js';
import type { Emission } from '../emission.js';
import type { FaultParameters } from './damage.js';
import type { Decisions, FaultMask } from './decide.js';
import type { FaultName, FaultSettings } from './settings.js';

/** When events are sent: at their instant, unless a fault holds them or one before them. */
export interface Moves {
  /** The virtual instant at which the event is to be sent; `note` hears of each fault that moves it. */
  sentAt(
    emission: Emission,
    happens: (fault: FaultName, eventId: string) => boolean,
    note: (fault: FaultName, parameters: FaultParameters) => void,
  ): Instant;
  /** Told of what has been sent, so that keys that hold nothing back are forgotten. */
  sent(key: string, at: Instant): void;
}

/** @param heldUntil Until when events of a key wait for one before them: other settings for the same run share it. */
export function moves(
  settings: FaultSettings,
  decided: Decisions,
  mask: FaultMask = () => true,
  heldUntil = new Map<string, Instant>(),
): Moves {
  const { burst, delayBy, reorderWithin, reorderWithinKey } = settings;

  /** In a burst, what belongs to `factor` spans comes in the last of them, in order. */
  function burstAt(at: Instant, id: string): Instant {
    if (burst === undefined) return at;
    const { factor, within } = burst;
    const window = Math.floor(at / (factor * within));
    if (!decided.bursts(window) || !mask('burst', id)) return at;
    const start = window * factor * within;
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
