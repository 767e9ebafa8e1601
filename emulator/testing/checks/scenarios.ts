import type { Exercise } from '../verify/exercise.js';
import type { Subject } from '../verify/subject.js';
import { type Check, type Exhibit, found } from './check.js';
import { troubleIn, untruth } from './judge.js';

/** The platform's own sequences, through every branch: all is handled, and the projection is the truth. */
export const scenariosCheck: Check = {
  name: 'scenarios',
  title: "the platform's sequences are handled, and the projection is the truth",
  async *run(subject) {
    for (const course of subject.courses) {
      yield found(course.name, await wrong(subject, course, await subject.calm(course)), course);
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
