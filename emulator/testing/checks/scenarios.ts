import type { Exercise } from '../verify/exercise.js';
import type { Subject } from '../verify/subject.js';
import { type Check, type Exhibit, found } from './check.js';
import { troubleIn, untruth } from './judge.js';

/** Requires all events of all branches to be handled, and the projection to match the ground truth. */
export const scenariosCheck: Check = {
  name: 'scenarios',
  title: "the platform's sequences are handled, and the projection matches the ground truth",
  async *run(subject) {
    for (const course of subject.courses) {
      const done = await subject.calm(course);
      const isIndivisible = troubleIn(done) === undefined;
      yield found(course.name, await wrong(subject, course, done), { ...course, isIndivisible });
    }
  },
  wrongWith: async (subject, exhibit) => {
    const { plan, deliveries } = exhibit;
    return wrong(subject, exhibit, await subject.exercise(deliveries, { plan }));
  },
};

async function wrong(subject: Subject, exhibit: Exhibit, done: Exercise): Promise<string | undefined> {
  const trouble = troubleIn(done);
  if (trouble !== undefined) return trouble;
  const untrue = await untruth(subject, exhibit, done);
  return untrue && `The ${untrue}`;
}
