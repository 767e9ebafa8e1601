import type { PlatformScenario } from '../../../emulator/scenarios/define.js';
import type { Mutation } from './mutations.js';

/** A stream of a scenario, and what makes it one that could never be. */
export interface Broken {
  readonly invariant: string;
  readonly how: string;
  readonly scenario: string | readonly string[];
  readonly branches?: Readonly<Record<PlatformScenario['name'], string>>;
  readonly seed?: number;
  readonly instances?: number;
  readonly mutate: Mutation;
}
