import { checkOfSamples } from './check.js';
import { listed } from '../differences.js';

/** Requires handlers to leave payloads unchanged for middleware, logs and other handlers. */
export const mutationCheck = checkOfSamples(
  { name: 'mutation', title: 'payloads are not changed' },
  ({ mutated }) => {
    const [changed] = mutated;
    if (changed === undefined) return undefined;
    const [about, pointers] = changed;
    const reason = `The handler changes the payload at ${listed(pointers)}.`;
    return { diagnosis: 'changes-payload', about, reason };
  },
  { comparesPayloads: true },
);
