import type { RunObserver } from '../../../src/running/observer.js';
import type { Subject } from '../verify/subject.js';
import { type Check, found } from './check.js';
import { disagreementWith } from './judge.js';

/** A platform that cannot answer just now must not make a consumer lose what the event said. */
export const platformErrorsCheck: Check = {
  name: 'platform-errors',
  title: 'errors of the REST API are tried again',
  comparesStates: true,
  async *run(subject) {
    for (const course of subject.mainCourses) {
      const before = subject.rest.requests;
      const calm = await subject.exercise(course.deliveries, { plan: course.plan });
      if (subject.rest.requests === before) continue;
      const done = await subject.exercise(course.deliveries, {
        plan: course.plan,
        observer: outage(subject),
      });
      // What is set aside is not lost: a consumer may be configured to try no second time.
      const isSetAside = done.outcomes.some(({ outcome }) => outcome === 'dead-lettered');
      const reason = isSetAside ? undefined : disagreementWith(calm, done, subject);
      yield found(course.name, reason && `While the REST API answers 503 to first attempts, ${reason}`);
    }
  },
};

/** The API is down during first attempts. */
function outage({ rest }: Subject): RunObserver {
  return {
    around(_event, { attempt }, run) {
      rest.isDown = attempt === 1;
      return run();
    },
  };
}
