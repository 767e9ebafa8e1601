import { type Delivery } from '../verify/delivery.js';
import type { Subject } from '../verify/subject.js';
import { type Check, type Exhibit, found } from './check.js';
import { disagreement } from './judge.js';

/**
 * At least once means twice now and then: at once, as a producer repeats itself, or all over again from some event on,
 * as after a lost commit.
 */
export const duplicatesCheck: Check = {
  name: 'duplicates',
  title: 'duplicates change nothing',
  comparesStates: true,
  async *run(subject) {
    const { seed } = subject;
    for (const event of subject.handled) {
      const deliveries = twice(subject.knownSamplesOf(event));
      yield found(event.name, await wrong(subject, { plan: { seed }, deliveries }), {
        plan: { seed },
        deliveries,
      });
    }
    for (const { name, plan, deliveries } of subject.mainCourses) {
      const exhibit = { plan, deliveries: twice(deliveries) };
      yield found(name, await wrong(subject, exhibit), exhibit);
    }
  },
  wrongWith: wrong,
};

async function wrong(subject: Subject, exhibit: Exhibit): Promise<string | undefined> {
  const reason = await disagreement(subject, exhibit);
  return reason && `When events come twice, ${reason}`;
}

function twice(deliveries: readonly Delivery[]): Delivery[] {
  const last = deliveries.at(-1)?.sent.at ?? 0;
  const again = deliveries.map(({ sent, origin }) => ({ sent, origin, faults: ['duplicate'] }));
  const later = again.map((each) => ({ ...each, sent: { ...each.sent, at: last + 1000 } }));
  return [...deliveries.flatMap((each, index) => [each, again[index] ?? each]), ...later];
}
