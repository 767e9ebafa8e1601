import { differences } from '../differences.js';
import type { Course } from '../verify/course.js';
import type { Subject } from '../verify/subject.js';
import { type Check, found } from './check.js';
import { listed, troubleIn } from './judge.js';

/** The platform's own sequences, through every branch: all is handled, and the projection is the truth. */
export const scenariosCheck: Check = {
  name: 'scenarios',
  title: "the platform's sequences are handled, and the projection is the truth",
  async *run(subject) {
    for (const course of subject.courses) {
      yield found(course.name, await wrong(subject, course));
    }
  },
};

async function wrong(subject: Subject, course: Course): Promise<string | undefined> {
  const done = await subject.ofCourse(course);
  const trouble = troubleIn(done);
  if (trouble !== undefined) return trouble;
  const { projection, expected } = subject.options;
  if (projection === undefined || expected === undefined) return undefined;
  const truth = await expected(subject.worldAfter(course));
  const places = differences(done.projected, truth);
  return places.length === 0 ? undefined : `The projection is not the truth at ${listed(places)}.`;
}
