import { differences } from '../differences.js';
import type { Exercise } from '../verify/exercise.js';
import type { Subject } from '../verify/subject.js';
import { type Check, type Exhibit, found } from './check.js';
import { listed, troubleIn } from './judge.js';

/** The platform's own sequences, through every branch: all is handled, and the projection is the truth. */
export const scenariosCheck: Check = {
  name: 'scenarios',
  title: "the platform's sequences are handled, and the projection is the truth",
  async *run(subject) {
    for (const course of subject.courses) {
      const done = await subject.ofCourse(course);
      yield found(course.name, troubleIn(done) ?? (await untruth(subject, course, done)), course);
    }
  },
  async wrongWith(subject, exhibit) {
    const done = await subject.exercise(exhibit.deliveries, { plan: exhibit.plan });
    const trouble = troubleIn(done);
    if (trouble !== undefined) return trouble;
    // A part of a course has no truth of its own to be held against: such a failure stays as long as the course.
    return (await subject.isWhole(exhibit)) ? untruth(subject, exhibit, done) : undefined;
  },
};

async function untruth(
  subject: Subject,
  exhibit: Exhibit,
  { projected }: Exercise,
): Promise<string | undefined> {
  const { projection, expected } = subject.options;
  if (projection === undefined || expected === undefined) return undefined;
  const places = differences(projected, structuredClone(await expected(subject.worldAfter(exhibit))));
  return places.length === 0 ? undefined : `The projection is not the truth at ${listed(places)}.`;
}
