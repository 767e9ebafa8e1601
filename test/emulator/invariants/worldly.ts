import { london } from '../../../emulator/engine/calendar.js';
import { ordering } from '../../../emulator/engine/identity.js';
import { simulate } from '../../../emulator/engine/simulation.js';
import { day, formatInstant, type Instant } from '../../../emulator/engine/time.js';
import type { StreamEvent } from '../../../emulator/invariants/invariant.js';
import type { Truth } from '../../../emulator/invariants/truth.js';
import { worldTruth } from '../../../emulator/invariants/world-truth.js';
import { findScenario, forceBranches } from '../../../emulator/scenarios/find.js';
import { openCell, worldOf } from '../../../emulator/world/cell.js';

export interface Household {
  /** Names of scenarios, and how many days after the start each begins. */
  readonly scenarios: Readonly<Record<string, number>>;
  readonly seed?: number;
  readonly branches?: Readonly<Record<string, string>>;
}

const start: Instant = Date.UTC(2026, 2, 2, 9);

/** The life of a household in which several things happen, with what its ledgers and bills know about it. */
export function live({ scenarios, seed = 1, branches = {} }: Household): {
  readonly events: StreamEvent[];
  readonly truth: Truth;
} {
  const order = ordering(seed);
  const events: StreamEvent[] = [];
  for (const { at, rank, number, occurrence } of play().run) {
    for (const [index, { version, payload }] of occurrence.versions.entries()) {
      const id = order.eventId(at, rank, number + index);
      events.push({ id, type: occurrence.type, version, occurredAt: formatInstant(at), payload });
    }
  }
  return { events, truth: worldTruth(history()) };

  function* history() {
    const { cell, run } = play();
    for (const { at, occurrence } of run) yield { at, occurrence, cell };
  }

  function play() {
    const world = worldOf({ seed, start, cells: 1 });
    const cell = openCell(world, 1, 'debtor');
    const played = Object.entries(scenarios).map(([name, days]) => {
      const scenario = findScenario(name);
      const at = london.next(start + days * day, scenario.starts ?? 'waking');
      return { at, cell: 1, scenario, ordinal: 1, last: false };
    });
    const forced = forceBranches(
      played.map(({ scenario }) => scenario),
      branches,
    );
    const starts = played.sort((a, b) => a.at - b.at);
    return {
      cell,
      run: simulate({ seed, ordering: order, starts, openCell: () => cell, forced }),
    };
  }
}
