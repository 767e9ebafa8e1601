import { pairsIn } from '../../checks/occurrences.js';
import { type Experiment, version } from '../experiment.js';
import type { ServiceCheck } from './check.js';

/** Requires an occurrence in two versions to count once. */
export const occurrencesCheck: ServiceCheck = {
  name: 'occurrences',
  parts: ({ world }) => {
    const experiments = new Map<string, Experiment>();
    for (const deliveries of world.households.values()) {
      for (const pair of pairsIn(deliveries.filter(({ sent }) => world.handles(sent.name)))) {
        const about = pair.map(({ sent }) => sent.name).join(' and ');
        const marked = deliveries.map((each) =>
          pair.includes(each) ? { ...each, faults: [version] } : each,
        );
        const label = 'as one occurrence';
        experiments.set(about, { label, about, deliveries: marked, wrongIf: 'counted twice' });
      }
    }
    return [{ sharing: 'alone', diagnosis: 'counts-versions-twice', experiments: [...experiments.values()] }];
  },
};
