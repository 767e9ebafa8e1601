import { quoted } from 'busbar/base';
import { ofPayloads, variedly } from '../../checks/vary.js';
import type { Experiment } from '../experiment.js';
import { type CheckInput, chooser, type ServiceCheck } from './check.js';

/** Requires a service to handle other legal readings of the specification. */
export const varyCheck: ServiceCheck = {
  name: 'vary',
  parts: (input) => [
    {
      sharing: 'together',
      diagnosis: 'one-reading',
      ifStalled: 'one-reading',
      experiments: experimentsOf(input),
    },
  ],
};

/** Seeds per variation: each writes a field in another way. */
const draws = [1, 2];

function experimentsOf(input: CheckInput): Experiment[] {
  const choose = chooser(input);
  const { exercised, documents } = input.world;
  const cases = draws.flatMap((seed) =>
    ofPayloads.flatMap((variation) => exercised.map((about) => ({ about, variation, seed }))),
  );
  return cases.flatMap(({ about, variation, seed }): Experiment[] => {
    const chosen = choose(about);
    if (chosen === undefined) return [];
    const { deliveries, index, delivery } = chosen;
    const varied = variedly(documents, delivery, variation, seed);
    if (varied === delivery) return [];
    const label = `in another legal form of ${quoted(variation)}`;
    return [{ label, about, deliveries: deliveries.with(index, varied), wrongIf: 'without effect' }];
  });
}
