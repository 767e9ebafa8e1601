import { london } from '../engine/calendar.js';
import { ordering } from '../engine/identity.js';
import { simulate } from '../engine/simulation.js';
import { dayOf, hour } from '../engine/time.js';
import { openCell, worldOf } from '../world/cell.js';
import type { PlatformScenario } from './define.js';

/** An event that a scenario can send. */
export interface ScenarioEvent {
  readonly type: string;
  readonly versions: readonly string[];
  /** Virtual milliseconds from the start to its first occurrence: the median of the instances that have it. */
  readonly after: number;
  /** Outcomes with which it occurs, by branch. Empty if it always occurs. */
  readonly when: Readonly<Record<string, readonly string[]>>;
}

/** Instances played for each outcome of each branch. */
const instancesPerOutcome = 12;
const seed = 1;
const monday = dayOf(2026, 3, 2);

/**
 * Returns the events that a scenario can send, in their usual order. It plays the scenario with every outcome of every
 * branch.
 */
export function exploreScenario(scenario: PlatformScenario): readonly ScenarioEvent[] {
  const outcomes = Object.entries(scenario.branches).flatMap(([branch, likelihoods]) =>
    Object.keys(likelihoods).map((outcome) => ({ [branch]: outcome })),
  );
  const instances = [{}, ...outcomes].flatMap((forced, index) => {
    const first = 1 + index * instancesPerOutcome;
    const cells = Array.from({ length: instancesPerOutcome }, (_, nth) => first + nth);
    return playInstances(scenario, forced, cells);
  });
  const types = [...new Set(instances.flatMap(({ occurred }) => [...occurred.keys()]))];
  const played = new Map<string, readonly Instance[]>();
  const replay = ({ cell, decisions }: Instance, changed: Record<string, string>) => {
    const forced = { ...decisions, ...changed };
    const key = JSON.stringify([cell, forced]);
    const again = played.get(key) ?? playInstances(scenario, forced, [cell]);
    played.set(key, again);
    return again;
  };
  return types.map((type) => describe(type, instances, scenario, replay)).sort((a, b) => a.after - b.after);
}

interface Instance {
  readonly cell: number;
  readonly decisions: Readonly<Record<string, string>>;
  /** First time and versions by event type. */
  readonly occurred: Map<string, { readonly after: number; readonly versions: readonly string[] }>;
}

function playInstances(
  scenario: PlatformScenario,
  forced: Record<string, string>,
  cells: readonly number[],
): Instance[] {
  const instances: Instance[] = [];
  const begins = london.next(london.instantOf(monday, 9 * hour), scenario.starts ?? 'waking');
  const world = worldOf({ seed, start: begins, cells: 1_000 });
  for (const cell of cells) {
    const observed: PlatformScenario = {
      ...scenario,
      run(stage) {
        instances.push({ cell, decisions: stage.branch, occurred: new Map() });
        return scenario.run(stage);
      },
    };
    const starts = [{ at: begins, cell, scenario: observed, ordinal: 1, last: true }];
    const run = simulate({
      seed,
      ordering: ordering(seed),
      calendar: london,
      starts,
      openCell: (start) => openCell(world, start.cell, scenario.setting),
      forced: { [scenario.name]: forced },
    });
    for (const { at, occurrence } of run) {
      const occurred = instances.at(-1)?.occurred;
      if (occurred?.has(occurrence.type)) continue;
      const versions = occurrence.versions.map(({ version }) => version);
      occurred?.set(occurrence.type, { after: at - begins, versions });
    }
  }
  return instances;
}

function describe(
  type: string,
  instances: readonly Instance[],
  { branches }: PlatformScenario,
  replay: (instance: Instance, changed: Record<string, string>) => readonly Instance[],
): ScenarioEvent {
  const having = instances.filter(({ occurred }) => occurred.has(type));
  const when: Record<string, readonly string[]> = {};
  for (const [branch, likelihoods] of Object.entries(branches)) {
    const all = Object.keys(likelihoods);
    const possible = all.filter(
      (outcome) =>
        having.some(({ decisions }) => decisions[branch] === outcome) ||
        // A rare event may have met too few of the other outcomes.
        having
          .slice(0, 4)
          .flatMap((instance) => replay(instance, { [branch]: outcome }))
          .some(({ occurred }) => occurred.has(type)),
    );
    if (possible.length < all.length) when[branch] = possible;
  }
  const times = having.map(({ occurred }) => occurred.get(type)?.after ?? 0).sort((a, b) => a - b);
  const versions = having[0]?.occurred.get(type)?.versions ?? [];
  return { type, versions, after: times[Math.floor(times.length / 2)] ?? 0, when };
}
