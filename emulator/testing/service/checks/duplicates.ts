import { later, marked } from '../experiment.js';
import { perEvent, type ServiceCheck } from './check.js';

/** Requires redelivered events to change nothing: at once, at the end, and after a restart. */
export const duplicatesCheck: ServiceCheck = {
  name: 'duplicates',
  parts: (input) => [
    {
      sharing: 'together',
      diagnosis: 'not-idempotent',
      ifStalled: 'fails-when-repeated',
      experiments: perEvent(
        input,
        ['delivered twice', 'delivered again at the end', 'delivered twice', 'delivered again at the end'],
        ({ deliveries, index, delivery }, label) => {
          const at = label === 'delivered twice' ? index + 1 : deliveries.length;
          return { label, deliveries: deliveries.toSpliced(at, 0, marked(delivery, 'duplicate')) };
        },
      ),
    },
    {
      sharing: 'waves',
      ifStalled: 'fails-when-repeated',
      experiments: perEvent(
        input,
        ['delivered again after a restart'],
        ({ deliveries, delivery }, label) => ({
          label,
          deliveries: [...deliveries, marked(delivery, 'duplicate', later)],
          fault: { restart: true },
        }),
      ),
    },
  ],
};
