import type { Catalogue, CatalogueEvent } from 'busbar/catalogue';
import { configuredScenarios } from '../../run/configured.js';
import { withScenarios } from '../../run/load-scenario.js';
import type { PlanOptions } from '../../run/plan.js';
import type { PlatformScenario } from '../../scenarios/define.js';
import { findScenario } from '../../scenarios/find.js';
import { scenarios } from '../../scenarios/index.js';
import { type Course, playCourse } from './course.js';

/** The event sequences that checks deliver. */
export interface Courses {
  /** Each scenario once per branch outcome. */
  readonly all: readonly Course[];
  /** The fewest sequences with the same events. */
  readonly main: readonly Course[];
  /** Returns all branch outcomes of the sequence's scenario. */
  outcomesOf(course: Course): readonly string[];
}

/**
 * Plays the named scenarios; by default, those of the configuration file and built-in ones that send the handled events.
 * @throws BusbarError `unknown-scenario`, `scenario-failed`
 */
export async function playCourses(
  handled: readonly CatalogueEvent[],
  options: { readonly catalogue: Catalogue; readonly seed: number; readonly names?: readonly string[] },
): Promise<Courses> {
  const { catalogue, seed, names } = options;
  const played = new Map<PlatformScenario, Map<string, Course>>();

  async function play(scenario: PlatformScenario, branch?: string, outcome?: string): Promise<Course> {
    const label = branch === undefined ? scenario.name : `${scenario.name} ${branch}=${outcome}`;
    const known = played.get(scenario) ?? new Map<string, Course>();
    played.set(scenario, known);
    const branches = branch === undefined ? {} : { [branch]: outcome ?? '' };
    // Another household for each branch, for more variety.
    const plan: PlanOptions = { scenario, seed: seed + known.size, branches };
    const course = known.get(label) ?? (await playCourse(label, plan, catalogue));
    known.set(label, course);
    return course;
  }

  const wanted = new Set(handled.map(({ name }) => name));
  const showsWanted = (course: Course) => course.deliveries.some(({ sent }) => wanted.has(sent.name));
  const own = await configuredScenarios();
  const chosen =
    names === undefined
      ? await scenariosThatShow(handled, [...own, ...scenarios], play)
      : (await withScenarios({ scenario: names, scenarios: own })).scenario.map((each) =>
          typeof each === 'string' ? findScenario(each) : each,
        );
  const all: Course[] = [];
  for (const scenario of chosen) {
    all.push(await play(scenario));
    for (const [branch, outcome] of outcomesIn(scenario)) all.push(await play(scenario, branch, outcome));
  }
  return {
    all,
    main: cover(all.filter(showsWanted), wanted),
    outcomesOf({ plan: { scenario } }) {
      const own = scenario as PlatformScenario;
      return outcomesIn(own).map(([branch, outcome]) => `${own.name} ${branch}=${outcome}`);
    },
  };
}

/** Finds scenarios that send the events. Tries each event's own domain first: playing all scenarios takes seconds. */
async function scenariosThatShow(
  handled: readonly CatalogueEvent[],
  candidates: readonly PlatformScenario[],
  play: (scenario: PlatformScenario, branch?: string, outcome?: string) => Promise<Course>,
): Promise<PlatformScenario[]> {
  const missing = new Map(handled.map(({ name, domain }) => [name, domain]));
  const found = new Set<PlatformScenario>();
  const first: (readonly [PlatformScenario, Course])[] = [];
  for (const scenario of candidates) first.push([scenario, await play(scenario)]);
  const byCourse = new Map(first.map(([scenario, course]) => [course, scenario]));
  const names = new Set(missing.keys());
  for (const course of cover([...byCourse.keys()], names)) {
    found.add(byCourse.get(course) as PlatformScenario);
    for (const { sent } of course.deliveries) missing.delete(sent.name);
  }
  for (const [scenario, course] of first) {
    const domains = new Set(course.deliveries.map(({ sent }) => sent.name.split('.')[0]));
    for (const [branch, outcome] of outcomesIn(scenario)) {
      if (![...missing.values()].some((domain) => domains.has(domain))) break;
      const { deliveries } = await play(scenario, branch, outcome);
      for (const { sent } of deliveries) if (missing.delete(sent.name)) found.add(scenario);
    }
  }
  return [...found];
}

function outcomesIn({ branches }: PlatformScenario): (readonly [branch: string, outcome: string])[] {
  return Object.entries(branches).flatMap(([branch, outcomes]) =>
    Object.keys(outcomes).map((outcome) => [branch, outcome] as const),
  );
}

/** Selects sequences greedily, each time the one with the most missing events. */
function cover(courses: readonly Course[], wanted: ReadonlySet<string>): Course[] {
  const missing = new Set(wanted);
  const shown = new Map(courses.map((course) => [course, new Set(namesIn(course))]));
  const chosen: Course[] = [];
  for (;;) {
    let best: Course | undefined;
    let most = 0;
    for (const [course, names] of shown) {
      const news = [...names].filter((name) => missing.has(name)).length;
      if (news > most) [best, most] = [course, news];
    }
    if (best === undefined) return chosen;
    chosen.push(best);
    for (const name of namesIn(best)) missing.delete(name);
  }
}

function namesIn({ deliveries }: Course): string[] {
  return deliveries.map(({ sent }) => sent.name);
}
