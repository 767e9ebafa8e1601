import type { Mutation } from './mutations.js';

/** A stream of scenarios, and what makes it one that could never be. */
export interface Broken {
  readonly scenario: string | readonly string[];
  readonly branches: Readonly<Record<string, string>>;
  readonly mutate: Mutation;
  readonly instances: number;
}

export function on(
  scenario: Broken['scenario'],
  branches: Broken['branches'],
  mutate: Mutation,
  instances = 2,
): Broken {
  return { scenario, branches, mutate, instances };
}

/** Returns cases by their names: the invariant, what breaks it, and the rest. */
export function named<Case>(cases: Readonly<Record<string, Case>>) {
  return Object.entries(cases).map(([name, each]) => {
    const [invariant = '', how = ''] = name.split(': ');
    return [invariant, how, each] as const;
  });
}
