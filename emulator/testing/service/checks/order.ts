import type { Delivery } from '../../verify/delivery.js';
import { marked } from '../experiment.js';
import { perEvent, type ServiceCheck } from './check.js';

/** Requires events of one key to be independent of those of other keys, which may come much later. */
export const orderCheck: ServiceCheck = {
  name: 'order',
  parts: (input) => [
    {
      sharing: 'together',
      diagnosis: 'order-across-keys',
      ifStalled: 'order-across-keys',
      experiments: perEvent(input, [1, 2], ({ deliveries, delivery }) => ({
        label: 'after the events of other keys',
        deliveries: withKeyLast(deliveries, delivery.sent.key),
      })).filter(({ deliveries }) => new Set(deliveries.map(({ sent }) => sent.key)).size > 1),
    },
  ],
};

/** Returns the deliveries with those of a key at the end, in their order. */
function withKeyLast(deliveries: readonly Delivery[], key: string | null): Delivery[] {
  const isLate = ({ sent }: Delivery) => sent.key === key;
  const late = deliveries.filter(isLate).map((each) => marked(each, 'late'));
  return [...deliveries.filter((each) => !isLate(each)), ...late];
}
