import { useQuery } from '../query.js';

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
  return useQuery<readonly Scenario[]>('/dashboard/scenarios', { period: 'once' }).value ?? [];
}
