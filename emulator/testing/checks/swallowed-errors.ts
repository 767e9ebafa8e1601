import { quoted } from 'busbar/base';
import type { Delivery } from '../verify/delivery.js';
import type { Exercise } from '../verify/exercise.js';
import type { FailurePoint } from '../verify/failure-points.js';
import type { Subject } from '../verify/subject.js';
import { type Check, type Exhibit, type Finding, found } from './check.js';
import { disagreementWith } from './judge.js';

/**
 * Finds handlers that catch an error and return, so that their event is never retried. At the first attempt, each field
 * that a handler reads and each call of `mayFail` throws, one at a time. The retry must reach the usual state.
 */
export const swallowedErrorsCheck: Check = {
  name: 'swallowed-errors',
  title: 'an error within a handler does not count as success',
  comparesStates: true,
  async *run(subject) {
    const { handled, mainCourses, seed } = subject;
    for (const event of handled) {
      const { name } = event;
      const course = mainCourses.find(({ deliveries }) => deliveries.some(({ sent }) => sent.name === name));
      const exhibit = course ?? { plan: { seed }, deliveries: subject.knownSamplesOf(event).slice(0, 3) };
      yield await swallowedBy(subject, name, exhibit);
    }
  },
  wrongWith: async (subject, exhibit) => {
    return swallowed(subject, exhibit, await subject.calm(exhibit));
  },
};

async function swallowedBy(subject: Subject, name: string, { plan, deliveries }: Exhibit): Promise<Finding> {
  const index = deliveries.findIndex(({ sent }) => sent.name === name);
  const target = deliveries[index];
  if (target === undefined) return found(name, undefined);
  const points = new Set<FailurePoint>();
  const observer = subject.failures.listen(
    ({ id }) => id === target.sent.id,
    (point) => void points.add(point),
  );
  const calm = await subject.exercise(deliveries, { plan, observer });
  for (const point of points) {
    const faults = [`${errorAt}${point}`];
    const exhibit = { plan, deliveries: deliveries.with(index, { ...target, faults }) };
    const reason = await swallowed(subject, exhibit, calm);
    if (reason !== undefined) return found(name, reason, exhibit);
  }
  return found(name, undefined);
}

const errorAt = 'error at ';

/** Returns the delivery that an error is injected into, and the failure point. */
function targetOf(deliveries: readonly Delivery[]) {
  for (const { sent, faults } of deliveries) {
    const fault = faults.find((each) => each.startsWith(errorAt));
    if (fault !== undefined) return { sent, point: fault.slice(errorAt.length) };
  }
  return undefined;
}

async function swallowed(
  subject: Subject,
  { plan, deliveries }: Exhibit,
  calm: Exercise,
): Promise<string | undefined> {
  const target = targetOf(deliveries);
  if (target === undefined) return undefined;
  const { sent, point } = target;
  let thrown = 0;
  const observer = subject.failures.listen(
    ({ id }, { attempt }) => id === sent.id && attempt === 1,
    (each) => {
      if (each !== point) return;
      thrown++;
      throw new InjectedError(point);
    },
  );
  const done = await subject.exercise(deliveries, { plan, observer });
  const outcome = done.outcomes.find(({ id }) => id === sent.id);
  if (thrown === 0 || outcome?.outcome !== 'handled' || outcome.attempts > 1) return undefined;
  const stray = done.strayErrors.length > 0 ? ' The rejected promise was not awaited.' : '';
  const reason = disagreementWith(calm, done, subject);
  return reason && `An error at ${point} of ${quoted(sent.name)} counts as success, though ${reason}${stray}`;
}

class InjectedError extends Error {
  override name = 'InjectedError';
  constructor(point: FailurePoint) {
    super(`The verification fails the handler at ${point}.`);
  }
}
