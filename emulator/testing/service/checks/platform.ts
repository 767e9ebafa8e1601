import { perEvent, type ServiceCheck } from './check.js';

const faults = [503, 429, 'cut', 'slow'] as const;

/** Requires a service to wait for the platform's REST API when it is out of order. */
export const platformCheck: ServiceCheck = {
  name: 'platform',
  parts: (input) => [
    {
      sharing: 'waves',
      diagnosis: 'ignores-outage',
      ifStalled: 'stalled',
      experiments: perEvent(input, [...faults, ...faults], ({ deliveries }, rest) => ({
        label: `while the REST API is out of order (${rest})`,
        deliveries,
        fault: { rest },
      })),
    },
  ],
};
