import { setImmediate } from 'node:timers/promises';
import { nonEmptyText } from 'busbar/base';
import { type Console, defineCommand, jsonFlag } from 'busbar/internal/command-line';
import { day, hour, minute } from '../engine/time.js';
import { loadScenarios, withScenarios } from '../run/load-scenario.js';
import type { PlatformScenario } from '../scenarios/define.js';
import { exploreScenario, listEvents, type ScenarioEvent } from '../scenarios/explore.js';
import { everyday, findScenario } from '../scenarios/find.js';
import { scenarios } from '../scenarios/index.js';
import { scenarioNames } from './run-flags.js';

export const command = defineCommand({
  args: {
    name: { type: nonEmptyText, text: 'Name or file of a scenario, or everyday', complete: scenarioNames },
  },
  flags: { json: jsonFlag },
  examples: ['scenarios house-move'],
  run: listScenarios,
});

/** Runs `emulate scenarios`: lists all scenarios, or draws one as text. */
async function listScenarios(
  { name, json }: { name?: string; json?: boolean },
  output: Console,
): Promise<void> {
  const { scenarios: own } = await withScenarios(output.config);
  if (name === everyday) {
    output.write(json ? `${JSON.stringify([populationAsData()], null, 2)}\n` : populationAsDrawing());
    return;
  }
  const named = name === undefined ? [...scenarios, ...own] : await loadScenarios(name);
  const chosen = named.map((each) => (typeof each === 'string' ? findScenario(each, own) : each));
  if (json) {
    const data = [];
    for (const scenario of chosen) {
      data.push(asData(scenario));
      // Playing all takes seconds, in which Ctrl-C must work.
      await setImmediate();
    }
    output.write(`${JSON.stringify(data, null, 2)}\n`);
  } else if (name === undefined) output.write([population, ...chosen].map(asLine).join(''));
  else output.write(chosen.map(asDrawing).join('\n'));
}

const population = {
  name: everyday,
  title: 'All scenarios, in a population',
  description:
    'Each scenario starts at its own rate among the --accounts of a population. The run has no end, unless --duration or --until gives it one.',
  branches: {},
};

function populationAsData() {
  return { ...population, events: [...new Set(scenarios.flatMap((each) => asData(each).events))] };
}

function populationAsDrawing(): string {
  const rates = scenarios.map(({ name, rate = 0, dayOfMonth }) => {
    const often = dayOfMonth === undefined ? String(rate) : 'once a month for each account';
    return `  ${name.padEnd(26)} ${often}\n`;
  });
  const head = `${population.name}: ${population.title}\n\n${population.description}\n`;
  return `${head}\nStarts per day and 100,000 accounts\n${rates.join('')}`;
}

function asData(scenario: PlatformScenario) {
  const { name, title, description, branches } = scenario;
  const events = listEvents(scenario).flatMap(({ type, versions }) =>
    versions.map((version) => `${type}-${version}`),
  );
  return { name, title, description, branches, events };
}

function asLine({ name, title }: Pick<PlatformScenario, 'name' | 'title'>): string {
  return `${name.padEnd(26)} ${title}\n`;
}

/** Draws a scenario: its description, its branches, and its events with their conditions. */
function asDrawing(scenario: PlatformScenario): string {
  const branches = Object.entries(scenario.branches).map(([branch, outcomes]) => {
    const total = Object.values(outcomes).reduce((sum, weight) => sum + weight, 0);
    const shares = Object.entries(outcomes).map(
      ([outcome, weight]) => `${outcome} ${percent(weight / total)}`,
    );
    return `  ${branch.padEnd(14)} ${shares.join(', ')}\n`;
  });
  const events = exploreScenario(scenario).map(asStep);
  return [
    `${scenario.name}: ${scenario.title}\n\n${scenario.description}\n`,
    branches.length > 0 ? `\nBranches\n${branches.join('')}` : '',
    `\nEvents, with the usual time after the start\n${events.join('')}`,
  ].join('');
}

function asStep({ type, versions, after, when }: ScenarioEvent): string {
  const conditions = Object.entries(when).map(([branch, outcomes]) => `${branch}=${outcomes.join('|')}`);
  const condition = conditions.length > 0 ? `\n${' '.repeat(13)}if ${conditions.join(', ')}` : '';
  return `  ${elapsed(after).padStart(8)} ● ${type} ${versions.join(' ')}${condition}\n`;
}

/** Returns a duration in its most suitable unit: `5 min`. */
export function elapsed(milliseconds: number): string {
  if (milliseconds < minute) return `${(milliseconds / 1000).toFixed(1)} s`;
  if (milliseconds < hour) return `${Math.round(milliseconds / minute)} min`;
  if (milliseconds < 2 * day) return `${Math.round(milliseconds / hour)} h`;
  return `${Math.round(milliseconds / day)} d`;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))} %`;
}
