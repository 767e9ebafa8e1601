import { type Delivery } from '../verify/delivery.js';
import type { Subject } from '../verify/subject.js';
import { type Check, type Exhibit, found } from './check.js';
import { disagreement } from './judge.js';

/**
 * Delivers events twice, as at-least-once delivery does: immediately, as after a producer's retry, or again from some
 * event, as after a lost commit.
 */
export const duplicatesCheck: Check = {
  name: 'duplicates',
  title: 'duplicates change nothing',
  comparesStates: true,
  async *run(subject) {
    const { seed } = subject;
    for (const event of subject.handled) {
      const exhibit = { plan: { seed }, deliveries: twice(subject.knownSamplesOf(event)) };
      yield found(event.name, await wrong(subject, exhibit), exhibit);
    }
    for (const { name, plan, deliveries } of subject.mainCourses) {
      const exhibit = { plan, deliveries: twice(deliveries) };
      yield found(name, await wrong(subject, exhibit), exhibit);
    }
  },
  wrongWith: wrong,
};

function wrong(subject: Subject, exhibit: Exhibit): Promise<string | undefined> {
  return disagreement(subject, exhibit, 'When events are delivered twice');
}

function twice(deliveries: readonly Delivery[]): Delivery[] {
  const last = deliveries.at(-1)?.sent.at ?? 0;
  const again = deliveries.map(({ sent, origin }) => ({ sent, origin, faults: ['duplicate'] }));
  const later = again.map((each) => ({ ...each, sent: { ...each.sent, at: last + 1000 } }));
  return [...deliveries.flatMap((each, index) => [each, again[index] ?? each]), ...later];
}
