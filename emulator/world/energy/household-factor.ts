import type { Traits } from '../traits.js';

/** Returns the energy of a household in millionths of the average, by people and dwelling. */
export function householdFactor({ persons, flat }: Traits): number {
  return (byPersons[persons - 1] as number) * (flat ? 850 : 1050);
}

/** For one to six people, per mille. */
const byPersons = [740, 980, 1120, 1240, 1340, 1430];
