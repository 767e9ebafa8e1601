import { exploreScenario } from '../../../emulator/scenarios/explore.js';
import { scenarios } from '../../../emulator/scenarios/index.js';

/** A scenario that sends an event. */
export interface Sending {
  readonly scenario: string;
  readonly title: string;
  /** Usual milliseconds from the start of the scenario to the event. */
  readonly after: number;
  /** Outcomes with which the scenario sends it, by branch. Empty if it always does. */
  readonly when: Readonly<Record<string, readonly string[]>>;
}

/** Plays every scenario and returns the scenarios that send each event, by catalogue name. */
export function sendingsByEvent(): ReadonlyMap<string, readonly Sending[]> {
  const sendings = new Map<string, Sending[]>();
  for (const scenario of scenarios) {
    for (const { type, versions, after, when } of exploreScenario(scenario)) {
      const sending = { scenario: scenario.name, title: scenario.title, after, when };
      for (const version of versions) {
        const name = `${type}-${version}`;
        sendings.set(name, [...(sendings.get(name) ?? []), sending]);
      }
    }
  }
  return sendings;
}
