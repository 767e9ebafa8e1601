import type { Exercise } from '../verify/exercise.js';
import { type Check, found } from './check.js';
import { listed } from './judge.js';

/** What middleware, logs and other handlers see of an event must be what came. */
export const mutationCheck: Check = {
  name: 'mutation',
  title: 'payloads are not changed',
  async *run(subject) {
    for (const event of subject.handled) {
      const exhibit = { plan: { seed: subject.seed }, deliveries: subject.samplesOf(event) };
      yield found(event.name, changeIn(await subject.ofSamples(event)), exhibit);
    }
  },
  wrongWith: async (subject, { plan, deliveries }) => changeIn(await subject.exercise(deliveries, { plan })),
};

function changeIn({ mutated }: Exercise): string | undefined {
  const [places] = mutated.values();
  return places && `The handler changes the payload at ${listed(places)}.`;
}
