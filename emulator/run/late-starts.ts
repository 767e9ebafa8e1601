import { BusbarError } from '../../src/base/errors.js';
import { quoted } from '../../src/base/quoted.js';
import { occur } from '../engine/scenario.js';
import type { Start } from '../engine/simulation.js';
import type { PlatformScenario } from '../scenarios/define.js';
import { forceBranches } from '../scenarios/find.js';
import type { Cell, Setting } from '../world/cell.js';
import { type EventInput, type Input, ordinalsOfInputs } from './inputs.js';
import { fits } from './cell-settings.js';

export interface LateStartsOptions {
  /** @throws BusbarError `unknown-scenario` */
  readonly scenarioOf: (name: string) => PlatformScenario;
  /** Whether a cell is played here, and not in another shard. */
  readonly isPlayed: (cell: number) => boolean;
  /** What kind of cell it is, now that the scenario comes to it. */
  readonly settingFor: (cell: number, scenario: PlatformScenario) => Setting;
}

/**
 * What inputs start: a scenario, or the sending of one event.
 * @throws BusbarError for scenarios and branches that do not exist, for cells that a scenario cannot play in, and for
 * data that it cannot read.
 */
export function lateStarts({ scenarioOf, isPlayed, settingFor }: LateStartsOptions) {
  return (input: Input): Start<Cell, PlatformScenario> | undefined => {
    if (!('cell' in input) || !isPlayed(input.cell)) return undefined;
    const { at, cell, nth } = input;
    const start = { at, cell, ordinal: ordinalsOfInputs + nth, last: false };
    if (input.kind === 'event') return { ...start, scenario: triggered, input };
    const scenario = scenarioOf(input.scenario);
    const forced = forceBranches([scenario], input.branches ?? {})[scenario.name];
    const data = input.data === undefined ? undefined : dataFor(scenario, input.data);
    const setting = settingFor(cell, scenario);
    if (!fits(setting, scenario.setting)) {
      const message = `Scenario ${quoted(scenario.name)} plays in a cell of kind ${quoted(scenario.setting ?? 'household')}, and that one is of kind ${quoted(setting)}. Start it in another, or in a new one.`;
      throw new BusbarError('invalid-option', message);
    }
    return { ...start, scenario, ...(forced && { branches: forced }), input: data };
  };
}

function dataFor(scenario: PlatformScenario, data: unknown): unknown {
  if (scenario.reads !== undefined) return scenario.reads(data);
  throw new BusbarError('invalid-option', `Scenario ${quoted(scenario.name)} takes no data.`);
}

const triggered: PlatformScenario = {
  name: 'trigger',
  title: 'One event at will',
  story: 'Somebody outside wants an event to be sent. Nothing has changed that it would tell of.',
  branches: {},
  *run({ input }) {
    const { type, version, key, payload } = input as EventInput;
    yield* occur({ type, key, versions: [{ version, payload }], asIs: true }, 'trigger');
  },
};
