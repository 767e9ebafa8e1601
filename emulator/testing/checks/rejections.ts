import type { Exercise } from '../verify/exercise.js';
import { type Check, found } from './check.js';
import { kindOf } from './judge.js';

/** Node ends a process on an error that nobody catches. */
export const rejectionsCheck: Check = {
  name: 'rejections',
  title: 'no error is left uncaught',
  async *run(subject) {
    for (const event of subject.handled) {
      const exhibit = { plan: { seed: subject.seed }, deliveries: subject.samplesOf(event) };
      yield found(event.name, uncaughtIn(await subject.ofSamples(event)), exhibit);
    }
  },
  // An error that comes a little after its event must not be taken for one of the next question.
  wrongWith: async (subject, { plan, deliveries }) =>
    uncaughtIn(await subject.exercise(deliveries, { plan, linger: true })),
};

function uncaughtIn({ strayErrors }: Exercise): string | undefined {
  return strayErrors.length === 0 ? undefined : `Nobody catches ${kindOf(strayErrors[0])}.`;
}
