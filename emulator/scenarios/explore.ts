import { london } from '../engine/calendar.js';
import { ordering } from '../engine/identity.js';
import { simulate } from '../engine/simulation.js';
import { dayOf, hour } from '../engine/time.js';
import { openCell, worldOf } from '../world/cell.js';
import type { PlatformScenario } from './define.js';

/** An event that a scenario can send, without the outcomes that it needs. */
export interface ListedEvent {
  readonly type: string;
  readonly versions: readonly string[];
  /** Virtual milliseconds from the start to its first occurrence: the median of the instances that have it. */
  readonly after: number;
}

/** An event that a scenario can send. */
export interface ScenarioEvent extends ListedEvent {
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
export function listEvents(scenario: PlatformScenario): readonly ListedEvent[] {
  return listed(playOutcomes(scenario));
}

/** Returns what `listEvents` does, with the outcomes that each event needs. It plays several times as many instances. */
export function exploreScenario(scenario: PlatformScenario): readonly ScenarioEvent[] {
  const instances = playOutcomes(scenario);
  const played = new Map<string, readonly Instance[]>();
  const replay = ({ cell, decisions }: Instance, changed: Record<string, string>) => {
    const forced = { ...decisions, ...changed };
    const key = JSON.stringify([cell, forced]);
    const again = played.get(key) ?? playInstances(scenario, forced, [cell]);
    played.set(key, again);
    return again;
  };
  return listed(instances).map((event) => ({
    ...event,
    when: conditionsOf(event.type, instances, scenario, replay),
  }));
}

interface Instance {
  readonly cell: number;
  readonly decisions: Readonly<Record<string, string>>;
  /** First time and versions by event type. */
  readonly occurred: Map<string, { readonly after: number; readonly versions: readonly string[] }>;
}

function playOutcomes(scenario: PlatformScenario): readonly Instance[] {
  const outcomes = Object.entries(scenario.branches).flatMap(([branch, likelihoods]) =>
    Object.keys(likelihoods).map((outcome) => ({ [branch]: outcome })),
  );
  return [{}, ...outcomes].flatMap((forced, index) => {
    const first = 1 + index * instancesPerOutcome;
    const cells = Array.from({ length: instancesPerOutcome }, (_, nth) => first + nth);
    return playInstances(scenario, forced, cells);
  });
}

function playInstances(
  scenario: PlatformScenario,
  forced: Record<string, string>,
  cells: readonly number[],
): Instance[] {
  const instances = new Map<number, Instance>();
  const begins = london.next(london.instantOf(monday, 9 * hour), scenario.starts ?? 'waking');
  const world = worldOf({ seed, start: begins, cells: 1_000 });
  const run = simulate({
    seed,
    ordering: ordering(seed),
    starts: cells.map((cell) => ({ at: begins, cell, scenario, ordinal: 1, last: true })),
    openCell: (start) => openCell(world, start.cell, scenario.setting),
    forced: { [scenario.name]: forced },
    decided: (_, decisions) => {
      const cell = cells[instances.size] as number;
      instances.set(cell, { cell, decisions, occurred: new Map() });
    },
  });
  for (const { at, cell, occurrence } of run) {
    const occurred = instances.get(cell)?.occurred;
    if (occurred?.has(occurrence.type)) continue;
    const versions = occurrence.versions.map(({ version }) => version);
    occurred?.set(occurrence.type, { after: at - begins, versions });
  }
  return [...instances.values()];
}

function listed(instances: readonly Instance[]): readonly ListedEvent[] {
  const types = [...new Set(instances.flatMap(({ occurred }) => [...occurred.keys()]))];
  const events = types.map((type) => {
    const found = instances.flatMap(({ occurred }) => occurred.get(type) ?? []);
    const times = found.map(({ after }) => after).sort((a, b) => a - b);
    const after = times[Math.floor(times.length / 2)] ?? 0;
    return { type, versions: found[0]?.versions ?? [], after };
  });
  return events.sort((a, b) => a.after - b.after);
}

/** Returns the outcomes with which an event occurs, by branch, without branches of which it needs no outcome. */
function conditionsOf(
  type: string,
  instances: readonly Instance[],
  { branches }: PlatformScenario,
  replay: (instance: Instance, changed: Record<string, string>) => readonly Instance[],
): Readonly<Record<string, readonly string[]>> {
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
  return when;
}
