import { ordering } from '../../../emulator/engine/identity.js';
import { simulate, type Start } from '../../../emulator/engine/simulation.js';
import type { Instant } from '../../../emulator/engine/time.js';
import { findScenario, forceBranches } from '../../../emulator/scenarios/find.js';
import type { PlatformScenario } from '../../../emulator/scenarios/define.js';
import { type Cell, openCell, type CellKind, worldOf } from '../../../emulator/world/cell.js';
import type { Happened } from './payloads.js';

/** Scheduled start of a scenario, with forced outcomes. */
export interface Beginning {
  readonly at: Instant;
  readonly scenario: string;
}

const seed = 9;

/** Opens the cell of a household in which scenarios begin. */
export function openHousehold(at: Instant, cell: number, setting: CellKind = 'billed'): Cell {
  return openCell(worldOf({ seed, start: at, cells: 1_000 }), cell, setting);
}

/** Plays several scenarios in one household, consecutively or in parallel. */
export function playInOneHousehold(
  beginnings: readonly Beginning[],
  options: {
    readonly cell: number;
    readonly branches?: Readonly<Record<string, string>>;
    readonly setting?: CellKind;
    readonly opened?: Cell;
  },
): Happened[] {
  const sorted = [...beginnings].sort((a, b) => a.at - b.at);
  const { opened = openHousehold(sorted[0]?.at ?? 0, options.cell, options.setting) } = options;
  const counts = new Map<string, number>();
  const starts = sorted.map(({ at, scenario }, index): Start<Cell, PlatformScenario> => {
    const ordinal = (counts.get(scenario) ?? 0) + 1;
    counts.set(scenario, ordinal);
    return {
      at,
      cell: options.cell,
      scenario: findScenario(scenario),
      ordinal,
      last: index === sorted.length - 1,
    };
  });
  const played = [...new Set(sorted.map(({ scenario }) => scenario))].map((name) => findScenario(name));
  const occurred = simulate({
    seed,
    ordering: ordering(seed),
    starts,
    openCell: () => opened,
    forced: forceBranches(played, options.branches ?? {}),
  });
  return [...occurred].flatMap(({ at, cell, occurrence: { type, key, versions } }) =>
    versions.map(({ version, payload }) => ({
      at,
      cell,
      key,
      envelope: { event_type: type, version, payload },
    })),
  );
}
