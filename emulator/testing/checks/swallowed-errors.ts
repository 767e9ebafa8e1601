import type { AnyEvent } from '../../../src/event.js';
import type { RunObserver } from '../../../src/running/observer.js';

import { type Delivery, describeDelivery } from '../verify/delivery.js';
import type { Subject } from '../verify/subject.js';
import { type Check, found } from './check.js';
import { disagreementWith } from './judge.js';

/**
 * A handler that catches an error, logs it and returns has its event counted as handled, and nobody tries again. Here
 * each field that it reads throws once, at the first attempt: whatever it would have done with it is then undone, until
 * the event is tried again.
 */
export const swallowedErrorsCheck: Check = {
  name: 'swallowed-errors',
  title: 'an error within a handler is not taken for success',
  comparesStates: true,
  async *run(subject) {
    for (const { name } of subject.handled) {
      const course = subject.mainCourses.find(({ deliveries }) =>
        deliveries.some(({ sent }) => sent.name === name),
      );
      const event = subject.handled.find((each) => each.name === name);
      const deliveries = course?.deliveries ?? (event ? subject.knownSamplesOf(event).slice(0, 3) : []);
      const plan = course?.plan ?? { seed: subject.seed };
      yield found(name, await swallowedBy(subject, name, { plan, deliveries }));
    }
  },
};

async function swallowedBy(
  subject: Subject,
  name: string,
  { plan, deliveries }: { readonly plan: object; readonly deliveries: readonly Delivery[] },
): Promise<string | undefined> {
  const target = deliveries.find(({ sent }) => sent.name === name);
  if (target === undefined) return undefined;
  const reads = new Set<string>();
  const isTarget = ({ id }: AnyEvent) => id === target.sent.id;
  const calm = await subject.exercise(deliveries, {
    plan,
    observer: overPayload(isTarget, (field) => void reads.add(field)),
  });
  for (const field of reads) {
    let thrown = 0;
    const observer = overPayload(
      (event, attempt) => isTarget(event) && attempt === 1,
      (read) => {
        if (read !== field) return;
        thrown++;
        throw new InjectedError(field);
      },
    );
    const done = await subject.exercise(deliveries, { plan, observer });
    const outcome = done.outcomes.find(({ id }) => id === target.sent.id);
    if (thrown === 0 || outcome?.outcome !== 'handled' || outcome.attempts > 1) continue;
    const stray = done.strayErrors.length > 0 ? ' It was not awaited: nobody has caught the error.' : '';
    const reason = disagreementWith(calm, done, subject);
    if (reason === undefined) continue;
    return `An error at "${field}" of ${describeDelivery(target)} ends as success, though ${reason}${stray}`;
  }
  return undefined;
}

/** Hears of each field at the top of the payload that the handler reads. */
function overPayload(
  isWanted: (event: AnyEvent, attempt: number) => boolean,
  heard: (field: string) => void,
): RunObserver {
  return {
    around(event, { attempt }, run) {
      const { payload } = event;
      if (!isWanted(event, attempt) || typeof payload !== 'object' || payload === null) return run();
      const own = { ...payload } as Record<string, unknown>;
      for (const field of Object.keys(own)) {
        Object.defineProperty(payload, field, {
          configurable: true,
          enumerable: true,
          get() {
            heard(field);
            return own[field];
          },
          set(value: unknown) {
            own[field] = value;
          },
        });
      }
      return run();
    },
  };
}

class InjectedError extends Error {
  override name = 'InjectedError';
  constructor(field: string) {
    super(`The verification lets the field "${field}" fail.`);
  }
}
