import type { Catalogue, CatalogueEvent } from 'busbar/catalogue';
import { configuredScenarios } from '../../run/configured.js';
import { withScenarios } from '../../run/load-scenario.js';
import type { PlanOptions } from '../../run/plan.js';
import type { PlatformScenario } from '../../scenarios/define.js';
import { findScenario } from '../../scenarios/find.js';
import { scenarios } from '../../scenarios/index.js';
import { type EventSequence, playSequence } from './event-sequence.js';

export interface EventSequences {
  /** Each scenario once per branch outcome. */
  readonly all: readonly EventSequence[];
  /** The fewest sequences with the same events. */
  readonly main: readonly EventSequence[];
}

/**
 * Plays the named scenarios; by default, those of the configuration file and built-in ones that send the handled events.
 * @throws BusbarError `unknown-scenario`, `scenario-failed`
 */
export async function playSequences(
  handled: readonly CatalogueEvent[],
  options: { readonly catalogue: Catalogue; readonly seed: number; readonly names?: readonly string[] },
): Promise<EventSequences> {
  const { catalogue, seed, names } = options;
  const played = new Map<PlatformScenario, Map<string, EventSequence>>();

  async function play(scenario: PlatformScenario, branch?: string, outcome?: string): Promise<EventSequence> {
    const label = branch === undefined ? scenario.name : `${scenario.name} ${branch}=${outcome}`;
    const known = played.get(scenario) ?? new Map<string, EventSequence>();
    played.set(scenario, known);
    const branches = branch === undefined ? {} : { [branch]: outcome ?? '' };
    // Another household for each branch, for more variety.
    const plan: PlanOptions = { scenario, seed: seed + known.size, branches };
    const sequence = known.get(label) ?? (await playSequence(label, plan, catalogue));
    known.set(label, sequence);
    return sequence;
  }

  const wanted = new Set(handled.map(({ name }) => name));
  const showsWanted = (sequence: EventSequence) =>
    sequence.deliveries.some(({ sent }) => wanted.has(sent.name));
  const own = await configuredScenarios();
  const chosen =
    names === undefined
      ? await scenariosThatShow(handled, [...own, ...scenarios], play)
      : (await withScenarios({ scenario: names, scenarios: own })).scenario.map((each) =>
          typeof each === 'string' ? findScenario(each) : each,
        );
  const all: EventSequence[] = [];
  for (const scenario of chosen) {
    all.push(await play(scenario));
    for (const [branch, outcome] of outcomesIn(scenario)) all.push(await play(scenario, branch, outcome));
  }
  return { all, main: cover(all.filter(showsWanted), wanted) };
}

/** Returns all branch outcomes of the sequence's scenario. */
export function outcomesOf({ plan }: EventSequence): readonly string[] {
  const scenario = plan.scenario as PlatformScenario;
  return outcomesIn(scenario).map(([branch, outcome]) => `${scenario.name} ${branch}=${outcome}`);
}

/** Finds scenarios that send the events. Tries each event's own domain first: playing all scenarios takes seconds. */
async function scenariosThatShow(
  handled: readonly CatalogueEvent[],
  candidates: readonly PlatformScenario[],
  play: (scenario: PlatformScenario, branch?: string, outcome?: string) => Promise<EventSequence>,
): Promise<PlatformScenario[]> {
  const missing = new Map(handled.map(({ name, domain }) => [name, domain]));
  const found = new Set<PlatformScenario>();
  const first = new Map<EventSequence, PlatformScenario>();
  for (const scenario of candidates) first.set(await play(scenario), scenario);
  for (const sequence of cover([...first.keys()], new Set(missing.keys()))) {
    found.add(first.get(sequence) as PlatformScenario);
    for (const { sent } of sequence.deliveries) missing.delete(sent.name);
  }
  for (const [sequence, scenario] of first) {
    const domains = new Set(sequence.deliveries.map(({ sent }) => sent.name.split('.')[0]));
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
function cover(sequences: readonly EventSequence[], wanted: ReadonlySet<string>): EventSequence[] {
  const missing = new Set(wanted);
  const shown = new Map(sequences.map((sequence) => [sequence, new Set(namesIn(sequence))]));
  const chosen: EventSequence[] = [];
  for (;;) {
    let best: EventSequence | undefined;
    let most = 0;
    for (const [sequence, names] of shown) {
      const news = [...names].filter((name) => missing.has(name)).length;
      if (news > most) [best, most] = [sequence, news];
    }
    if (best === undefined) return chosen;
    chosen.push(best);
    for (const name of namesIn(best)) missing.delete(name);
  }
}

function namesIn({ deliveries }: EventSequence): string[] {
  return deliveries.map(({ sent }) => sent.name);
}
