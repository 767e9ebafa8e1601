import { perEvent, type ServiceCheck } from './check.js';

/** Requires a service to wait for the platform's REST API when it is out of order. */
export const platformCheck: ServiceCheck = {
  name: 'platform',
  parts: (input) =>
    ([503, 429, 'cut', 'slow'] as const).map((rest) => ({
      sharing: 'waves',
      diagnosis: 'ignores-outage',
      ifStalled: 'stalled',
      experiments: perEvent(input, 2, ({ deliveries }) => ({
        label: `while the REST API is out of order (${rest})`,
        deliveries,
        fault: { rest },
      })),
    })),
};
