import { getJson, useLoaded } from '../requests.js';
import { isLost } from '../stream/main-feed.js';

/** A scenario that a user can start. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Path of a user's scenario. */
  readonly file?: string;
  readonly branches: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** Returns the scenarios; empty until loaded. */
export function useScenarios(): readonly Scenario[] {
  const load = () =>
    isLost.value ? Promise.resolve(undefined) : getJson<readonly Scenario[]>('/dashboard/scenarios');
  return useLoaded(load, [isLost.value]) ?? [];
}
