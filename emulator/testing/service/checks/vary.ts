import { quoted } from 'busbar/base';
import { ofPayloads, variedly } from '../../checks/vary.js';
import { perEvent, type ServiceCheck } from './check.js';

/** Requires a service to handle other legal readings of the specification. Each seed writes a field in another way. */
export const varyCheck: ServiceCheck = {
  name: 'vary',
  parts: (input) => [
    {
      sharing: 'together',
      diagnosis: 'one-reading',
      ifStalled: 'one-reading',
      experiments: perEvent(
        input,
        [1, 2].flatMap((seed) => ofPayloads.map((variation) => ({ variation, seed }))),
        ({ deliveries, index, delivery }, { variation, seed }) => {
          const varied = variedly(input.world.documents, delivery, variation, seed);
          if (varied === delivery) return undefined;
          const label = `in another legal form of ${quoted(variation)}`;
          return { label, deliveries: deliveries.with(index, varied), wrongIf: 'without effect' };
        },
      ),
    },
  ],
};
