import { type Check, found } from './check.js';
import { listed } from './judge.js';

/** What middleware, logs and other handlers see of an event must be what came. */
export const mutationCheck: Check = {
  name: 'mutation',
  title: 'payloads are not changed',
  async *run(subject) {
    for (const event of subject.handled) {
      const { mutated } = await subject.ofSamples(event);
      const places = mutated.get(event.name);
      yield found(event.name, places && `The handler changes the payload at ${listed(places)}.`);
    }
  },
};
