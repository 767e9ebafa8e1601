import type { Delivery } from '../verify/delivery.js';
import type { Subject } from '../verify/subject.js';
import { differences } from '../differences.js';
import { type Check, type Exhibit, found } from './check.js';
import { disagreement, listed } from './judge.js';

/**
 * A consumer that is stopped at work goes on where it was: what is not settled comes again, and what is settled was
 * done by then. Work that goes on after that is lost when the process ends.
 */
export const shutdownCheck: Check = {
  name: 'shutdown',
  title: 'a shutdown in the middle loses nothing',
  comparesStates: true,
  async *run(subject) {
    for (const exhibit of exhibits(subject)) {
      const deliveries = exhibit.deliveries.map(interrupted);
      const stopped = { ...exhibit, deliveries };
      const reason = (await wrong(subject, stopped)) ?? (await unfinished(subject, exhibit));
      yield found(exhibit.name, reason, stopped);
    }
  },
  wrongWith: async (subject, exhibit) =>
    (await wrong(subject, exhibit)) ?? (await unfinished(subject, exhibit)),
};

interface Named extends Exhibit {
  readonly name: string;
}

/** Courses, and what no course shows. */
function exhibits(subject: Subject): Named[] {
  const { mainCourses, handled, seed } = subject;
  const shown = new Set(mainCourses.flatMap(({ deliveries }) => deliveries.map(({ sent }) => sent.name)));
  const others = handled.filter(({ name }) => !shown.has(name));
  return [
    ...mainCourses,
    ...others.map((event) => ({
      name: event.name,
      plan: { seed },
      deliveries: subject.knownSamplesOf(event),
    })),
  ];
}

async function wrong(subject: Subject, exhibit: Exhibit): Promise<string | undefined> {
  const reason = await disagreement(subject, exhibit);
  return reason && `When the consumer is stopped at work and started again, ${reason}`;
}

/** How long work is waited for that goes on though its event is settled, in milliseconds. */
const linger = 30;

async function unfinished(subject: Subject, { plan, deliveries }: Exhibit): Promise<string | undefined> {
  const { state, lateState } = await subject.exercise(deliveries, { plan, linger });
  const places = differences(state, lateState);
  if (places.length === 0) return undefined;
  return `Work goes on after its event is settled, and would be lost with the process: the state changes later at ${listed(places)}.`;
}

/** Not every one: what is stopped each time never has two at work. */
function interrupted(delivery: Delivery, index: number): Delivery {
  return index % 2 === 0 ? { ...delivery, faults: ['restart'] } : delivery;
}
