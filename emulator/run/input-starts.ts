import { BusbarError, quoted } from 'busbar/base';
import { occur } from '../engine/scenario.js';
import type { Start } from '../engine/simulation.js';
import type { PlatformScenario } from '../scenarios/define.js';
import { forceBranches } from '../scenarios/find.js';
import type { Cell, CellKind } from '../world/cell.js';
import { type EventInput, type Input, ordinalsOfInputs } from './inputs.js';
import { canRunIn } from './cell-kinds.js';

/**
 * Returns a function that makes the start of an input: of a scenario, or of a single event.
 * @param scenarioOf Returns the scenario of a name, or throws `unknown-scenario`.
 * @param settingFor Returns the kind of a cell, which the first scenario in it decides.
 * @throws BusbarError for an unknown scenario or branch, a cell of another kind, or invalid data.
 */
export function inputStarts(
  scenarioOf: (name: string) => PlatformScenario,
  settingFor: (cell: number, scenario: PlatformScenario) => CellKind,
) {
  return (input: Input): Start<Cell, PlatformScenario> | undefined => {
    if (!('cell' in input)) return undefined;
    const { at, cell, nth } = input;
    const start = { at, cell, ordinal: ordinalsOfInputs + nth, last: false };
    if (input.kind === 'event') return { ...start, scenario: triggered, input };
    const scenario = scenarioOf(input.scenario);
    const forced = forceBranches([scenario], input.branches ?? {})[scenario.name];
    const data = input.data === undefined ? undefined : dataFor(scenario, input.data);
    const setting = settingFor(cell, scenario);
    if (!canRunIn(setting, scenario.setting)) {
      const message = `Scenario ${quoted(scenario.name)} needs a cell of kind ${quoted(scenario.setting ?? 'household')}, not ${quoted(setting)}. Start it for another account, or for a new one.`;
      throw new BusbarError('invalid-option', message);
    }
    return { ...start, scenario, ...(forced && { branches: forced }), input: data };
  };
}

function dataFor(scenario: PlatformScenario, data: unknown): unknown {
  if (scenario.parseInput !== undefined) return scenario.parseInput(data);
  throw new BusbarError(
    'invalid-option',
    `Scenario ${quoted(scenario.name)} takes no data. Leave out "data".`,
  );
}

const triggered: PlatformScenario = {
  name: 'trigger',
  title: 'Single event',
  description: 'A trigger sends an event. The world does not change.',
  branches: {},
  *run({ input }) {
    const { type, version, key, payload } = input as EventInput;
    yield* occur({ type, key, versions: [{ version, payload }], asIs: true }, 'trigger');
  },
};
