import { asUnknownEvent, type Delivery } from '../verify/delivery.js';
import { expired, perEvent } from '../service/experiment.js';
import type { Check } from './check.js';

/** Requires a service to continue with the oldest record when its offset has expired. */
export const retentionCheck: Check = {
  name: 'retention',
  title: 'an expired offset loses no later event',
  comparesStates: true,
  overTheWire: {
    parts: (input) => [
      {
        sharing: 'together',
        experiments: perEvent(input, [1], ({ deliveries, delivery }) => ({
          label: 'after its offset has expired',
          deliveries: deliveries.toSpliced(1, 0, expiredOf(delivery)),
          fault: { truncate: true },
        })),
      },
    ],
  },
};

/** Returns a record that is deleted before the service reads it: no other record depends on it. */
function expiredOf({ sent }: Delivery): Delivery {
  return { sent: asUnknownEvent(sent), faults: [expired], origin: undefined };
}
