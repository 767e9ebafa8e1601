import { ordering } from '../engine/identity.js';
import type { Instant } from '../engine/time.js';
import type { Account, Cell } from '../world/cell.js';
import { identifiers, platformCell } from '../world/identifiers.js';
import { cellAt, defaultStart, knowsCell, type PlanOptions } from './plan.js';

/** The world of a run, at any virtual instant of it. */
export interface WorldAt {
  /** The account of that number with its cell, as it was just after the last event by then; undefined where there is none. */
  accountAt(number: string, at: Instant): { readonly cell: Cell; readonly account: Account } | undefined;
  /** When the event of that id occurs; undefined for an id that this run cannot have. */
  instantOf(eventId: string): Instant | undefined;
}

/** Cells that are kept, each at one instant. */
const kept = 256;

/**
 * The world that a run plays in. Nothing happens before it is asked.
 * @param plan What the run is played from: the same each time, but for inputs that have come since.
 */
export function worldAt(plan: () => PlanOptions): WorldAt {
  const { seed = 1, runId } = plan();
  const names = identifiers(seed);
  const order = ordering(seed, runId);
  const known = new Map<string, Cell>();

  const remembered = (cell: number, at: Instant) => {
    const options = plan();
    const name = `${cell} ${at} ${options.inputs?.length ?? 0}`;
    const found = known.get(name) ?? cellAt(options, cell, at);
    // The oldest goes first, and what was just asked for is the youngest.
    known.delete(name);
    known.set(name, found);
    for (const oldest of known.keys()) {
      if (known.size <= kept) break;
      known.delete(oldest);
    }
    return found;
  };

  return {
    accountAt(number, at) {
      const index = names.cellOf(number);
      if (index === undefined || index === platformCell || !knowsCell(plan(), index)) return undefined;
      const cell = remembered(index, at);
      const account = cell.accounts.find((each) => each.number === number);
      return account && { cell, account };
    },
    instantOf(eventId) {
      const at = order.instantOf(eventId);
      return at === undefined || at < (plan().start ?? defaultStart) ? undefined : at;
    },
  };
}
