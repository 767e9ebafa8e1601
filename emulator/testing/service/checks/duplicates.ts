import { later, marked } from '../experiment.js';
import { perEvent, type ServiceCheck } from './check.js';

const repeated = { diagnosis: 'not-idempotent', ifStalled: 'fails-when-repeated' } as const;

/** Requires redelivered events to change nothing: at once, at the end, and after a restart. */
export const duplicatesCheck: ServiceCheck = {
  name: 'duplicates',
  parts: (input) => [
    {
      sharing: 'together',
      ...repeated,
      experiments: perEvent(input, 2, ({ deliveries, index, delivery }) => ({
        label: 'delivered twice',
        deliveries: deliveries.toSpliced(index + 1, 0, marked(delivery, 'duplicate')),
      })),
    },
    {
      sharing: 'together',
      ...repeated,
      experiments: perEvent(input, 2, ({ deliveries, delivery }) => ({
        label: 'delivered again at the end',
        deliveries: [...deliveries, marked(delivery, 'duplicate')],
      })),
    },
    {
      sharing: 'waves',
      ifStalled: 'fails-when-repeated',
      experiments: perEvent(input, 1, ({ deliveries, delivery }) => ({
        label: 'delivered again after a restart',
        deliveries: [...deliveries, marked(delivery, 'duplicate', later)],
        fault: { restart: true },
      })),
    },
  ],
};
