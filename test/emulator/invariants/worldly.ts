import { london } from '../../../emulator/engine/calendar.js';
import { ordering } from '../../../emulator/engine/identity.js';
import { simulate } from '../../../emulator/engine/simulation.js';
import { day, formatDay, formatInstant, type Instant } from '../../../emulator/engine/time.js';
import type { StreamEvent } from '../../../emulator/invariants/invariant.js';
import type { EntryFacts, Truth } from '../../../emulator/invariants/truth.js';
import { findScenario, forceBranches } from '../../../emulator/scenarios/find.js';
import { booksOf } from '../../../emulator/world/books.js';
import { openCell } from '../../../emulator/world/cell.js';
import { identifiers } from '../../../emulator/world/identifiers.js';

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
  const world = { seed, identifiers: identifiers(seed), today: london.dayAt(start) };
  const cell = openCell(world, 1, 'dual-fuel');
  const played = Object.entries(scenarios).map(([name, days]) => {
    const scenario = findScenario(name);
    const at = london.next(start + days * day, scenario.starts ?? 'waking');
    return { at, cell: 1, scenario, ordinal: 1, last: false };
  });
  const events: StreamEvent[] = [];
  const entries = new Map<string, EntryFacts>();
  const bills = new Map<string, readonly string[]>();
  const run = simulate({
    seed,
    ordering: order,
    calendar: london,
    starts: played.sort((a, b) => a.at - b.at),
    openCell: () => cell,
    forced: forceBranches(
      played.map(({ scenario }) => scenario),
      branches,
    ),
  });
  for (const { at, place, number, occurrence } of run) {
    for (const [index, { version, payload }] of occurrence.versions.entries()) {
      const id = order.eventId(at, place, number + index);
      events.push({ id, type: occurrence.type, version, occurredAt: formatInstant(at), payload });
    }
    for (const { ledger } of cell.accounts) {
      for (const { id, amount } of ledger.entries) {
        if (!entries.has(String(id))) entries.set(String(id), { amount });
      }
    }
  }
  for (const account of cell.accounts) {
    for (const bill of account.agreements.length > 0 ? booksOf(cell, account, world.today).bills : []) {
      bills.set(
        String(bill.id),
        bill.charges.map(({ entry }) => String(entry.id)),
      );
      for (const { entry, supplyPoint, to } of bill.charges) {
        const energy = { supplyPoint: supplyPoint.identifier, until: formatDay(to) };
        entries.set(String(entry.id), { amount: entry.amount, energy });
      }
    }
  }
  return { events, truth: { entry: (id) => entries.get(id), chargesOf: (id) => bills.get(id) } };
}
