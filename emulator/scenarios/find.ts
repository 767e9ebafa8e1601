import { BusbarError, didYouMean, nearest } from 'busbar/base';
import type { PlatformScenario } from './define.js';
import { scenarios } from './index.js';

/** Name of the population that runs all scenarios, each at its rate. */
export const everyday = 'everyday';

/** Returns the scenario of that name, one's own or built-in. @throws BusbarError `unknown-scenario`, with the nearest names. */
export function findScenario(name: string, own: readonly PlatformScenario[] = []): PlatformScenario {
  const all = [...own, ...scenarios];
  const found = all.find((scenario) => scenario.name === name);
  if (found !== undefined) return found;
  if (name === everyday) {
    const message = `Scenario "${everyday}" is a population with all scenarios, not one of them. Run it by: emulate --scenario ${everyday}.`;
    throw new BusbarError('unknown-scenario', message);
  }
  const names = [everyday, ...all.map((scenario) => scenario.name)];
  const hint = name.includes(',')
    ? ' Name each by itself.'
    : didYouMean(nearest(name, names)) || ` There are: ${names.join(', ')}.`;
  throw new BusbarError('unknown-scenario', `There is no scenario "${name}".${hint}`);
}

/**
 * Assigns forced outcomes, given by branch, to the scenarios that declare the branch.
 * @throws BusbarError `unknown-branch` for a branch that no scenario declares, or an outcome that the branch lacks.
 */
export function forceBranches(
  wanted: readonly PlatformScenario[],
  outcomes: Readonly<Record<string, string>>,
): Record<string, Record<string, string>> {
  const forced: Record<string, Record<string, string>> = {};
  for (const [branch, outcome] of Object.entries(outcomes)) {
    const declaring = wanted.filter(({ branches }) => Object.hasOwn(branches, branch));
    if (declaring.length === 0)
      throw unknown(
        'branch',
        branch,
        wanted.flatMap(({ branches }) => Object.keys(branches)),
      );
    for (const { name, branches } of declaring) {
      const possible = Object.keys(branches[branch] ?? {});
      if (!possible.includes(outcome)) throw unknown(`outcome of "${branch}"`, outcome, possible);
      forced[name] = { ...forced[name], [branch]: outcome };
    }
  }
  return forced;
}

function unknown(what: string, name: string, possible: readonly string[]): BusbarError {
  const list = possible.map((each) => `"${each}"`).join(', ');
  return new BusbarError(
    'unknown-branch',
    `There is no ${what} called "${name}".${didYouMean(nearest(name, possible, 1))} There are: ${list === '' ? 'none' : list}.`,
  );
}
