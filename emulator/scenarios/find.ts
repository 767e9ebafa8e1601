import { didYouMean, nearest } from '../../src/base/nearest.js';
import { BusbarError } from '../../src/base/errors.js';
import type { PlatformScenario } from './define.js';
import { scenarios } from './index.js';

/** The name that stands for all scenarios at once, each at its rate, in a population. */
export const everyday = 'everyday';

/** The built-in scenario of that name. @throws BusbarError `unknown-scenario`, with the names that come near. */
export function findScenario(name: string): PlatformScenario {
  const found = scenarios.find((scenario) => scenario.name === name);
  if (found !== undefined) return found;
  if (name === everyday) {
    const message = `Scenario "${everyday}" is a population with all scenarios, not one of them. Run it by: emulate --scenario ${everyday}.`;
    throw new BusbarError('unknown-scenario', message);
  }
  const names = [everyday, ...scenarios.map((scenario) => scenario.name)];
  const hint = didYouMean(nearest(name, names)) || ` There are: ${names.join(', ')}.`;
  throw new BusbarError('unknown-scenario', `There is no scenario "${name}".${hint}`);
}

/**
 * Sorts outcomes asked for by branch into the scenarios that declare them.
 * @throws BusbarError `unknown-branch` for a branch that no scenario declares, or an outcome that it does not have.
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
    `There is no ${what} called "${name}". There are: ${list === '' ? 'none' : list}.`,
  );
}
