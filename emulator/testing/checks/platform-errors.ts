import type { RunObserver } from 'busbar';
import type { Subject } from '../verify/subject.js';
import { type Check, type Exhibit, found } from './check.js';
import { disagreementWith } from './judge.js';

/** An outage of the REST API must not lose events. */
export const platformErrorsCheck: Check = {
  name: 'platform-errors',
  title: 'errors of the REST API are tried again',
  comparesStates: true,
  async *run(subject) {
    for (const { name, plan, deliveries } of subject.mainCourses) {
      const exhibit = { plan, deliveries: deliveries.map((each) => ({ ...each, faults: [outage] })) };
      const { requests } = await subject.calm(exhibit);
      if (requests > 0) yield found(name, await lossIn(subject, exhibit), exhibit);
    }
  },
  wrongWith: lossIn,
};

/** Fault: the API is down during the first attempt. */
const outage = 'REST API answers 503';

async function lossIn(subject: Subject, exhibit: Exhibit): Promise<string | undefined> {
  const { plan, deliveries } = exhibit;
  const hit = deliveries.filter(({ faults }) => faults.includes(outage));
  const observer = down(subject, new Set(hit.map(({ sent }) => sent.id)));
  const done = await subject.exercise(deliveries, { plan, observer });
  // A dead-lettered event isn't lost: a consumer may be configured without retries.
  if (done.outcomes.some(({ outcome }) => outcome === 'dead-lettered')) return undefined;
  const reason = disagreementWith(await subject.calm(exhibit), done, subject);
  return reason && `While the REST API responds with 503 to first attempts, ${reason}`;
}

function down({ rest }: Subject, ids: ReadonlySet<string>): RunObserver {
  return {
    around({ id = '' }, { attempt }, run) {
      rest.isDown = attempt === 1 && ids.has(id);
      return run();
    },
  };
}
