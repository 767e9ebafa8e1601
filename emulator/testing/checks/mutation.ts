import { checkOfSamples } from './check.js';
import { listed } from './judge.js';

/** Requires handlers to leave payloads unchanged for middleware, logs and other handlers. */
export const mutationCheck = checkOfSamples(
  { name: 'mutation', title: 'payloads are not changed' },
  ({ mutated }) => {
    const [places] = mutated.values();
    return places && `The handler changes the payload at ${listed(places)}.`;
  },
);
