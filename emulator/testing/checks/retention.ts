import { asUnknownEvent, type Delivery } from '../verify/delivery.js';
import { expired, perEvent } from './experiment.js';
import type { Check } from './check.js';

/** Requires a service to continue with the oldest record when its position has left the log. */
export const retentionCheck: Check = {
  name: 'retention',
  title: 'a position that has left the log loses no later event',
  overTheWire: {
    parts: (input) => [
      {
        sharing: 'together',
        experiments: perEvent(input, [1], ({ deliveries, delivery }) => ({
          label: 'after its position was deleted from the log',
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
