import { london } from '../engine/calendar.js';
import { ordering } from '../engine/identity.js';
import { simulate } from '../engine/simulation.js';
import { dayOf, hour } from '../engine/time.js';
import { openCell } from '../world/cell.js';
import { identifiers } from '../world/identifiers.js';
import type { PlatformScenario } from './define.js';

/** An event that a scenario can send. */
export interface ScenarioEvent {
  readonly type: string;
  readonly versions: readonly string[];
  /** Milliseconds of virtual time since the start at which it first occurs, in half of the courses that have it. */
  readonly after: number;
  /** For each branch that decides about it: the outcomes with which it occurs. Empty when it always does. */
  readonly when: Readonly<Record<string, readonly string[]>>;
}

/** Courses played for each outcome of each branch. */
const coursesPerOutcome = 12;
const seed = 1;
const monday = dayOf(2026, 3, 2);

/**
 * What a scenario can send, found by playing it through every outcome of every branch: nobody has to keep a list.
 * In the order in which it usually happens.
 */
export function exploreScenario(scenario: PlatformScenario): readonly ScenarioEvent[] {
  const outcomes = Object.entries(scenario.branches).flatMap(([branch, likelihoods]) =>
    Object.keys(likelihoods).map((outcome) => ({ [branch]: outcome })),
  );
  const courses = [{}, ...outcomes].flatMap((forced, index) => playCourses(scenario, forced, index));
  const types = [...new Set(courses.flatMap(({ occurred }) => [...occurred.keys()]))];
  return types.map((type) => describe(type, courses, scenario)).sort((a, b) => a.after - b.after);
}

/** One way that a scenario went. */
interface Course {
  readonly decisions: Readonly<Record<string, string>>;
  /** First time and versions by event type. */
  readonly occurred: Map<string, { readonly after: number; readonly versions: readonly string[] }>;
}

function playCourses(scenario: PlatformScenario, forced: Record<string, string>, round: number): Course[] {
  const courses: Course[] = [];
  const begins = london.next(london.instantOf(monday, 9 * hour), scenario.starts ?? 'waking');
  const observed: PlatformScenario = {
    ...scenario,
    run(stage) {
      courses.push({ decisions: stage.branch, occurred: new Map() });
      return scenario.run(stage);
    },
  };
  const world = { seed, identifiers: identifiers(seed), today: monday };
  const first = 1 + round * coursesPerOutcome;
  for (let cell = first; cell < first + coursesPerOutcome; cell++) {
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
      const occurred = courses.at(-1)?.occurred;
      if (occurred?.has(occurrence.type)) continue;
      const versions = occurrence.versions.map(({ version }) => version);
      occurred?.set(occurrence.type, { after: at - begins, versions });
    }
  }
  return courses;
}

function describe(type: string, courses: readonly Course[], { branches }: PlatformScenario): ScenarioEvent {
  const having = courses.filter(({ occurred }) => occurred.has(type));
  const when: Record<string, readonly string[]> = {};
  for (const [branch, likelihoods] of Object.entries(branches)) {
    const all = Object.keys(likelihoods);
    const possible = all.filter((outcome) => having.some(({ decisions }) => decisions[branch] === outcome));
    if (possible.length < all.length) when[branch] = possible;
  }
  const times = having.map(({ occurred }) => occurred.get(type)?.after ?? 0).sort((a, b) => a - b);
  const versions = having[0]?.occurred.get(type)?.versions ?? [];
  return { type, versions, after: times[Math.floor(times.length / 2)] ?? 0, when };
}
