import type { Delivery } from '../verify/delivery.js';
import type { Subject } from '../verify/subject.js';
import { differences } from '../differences.js';
import { type Check, type Exhibit, found } from './check.js';
import { disagreement, listed } from './judge.js';

/**
 * A stopped consumer resumes from its last settled record: unsettled records are redelivered. Work that continues after
 * its record is settled is lost when the process ends.
 */
export const shutdownCheck: Check = {
  name: 'shutdown',
  title: 'a shutdown in the middle loses nothing',
  comparesStates: true,
  async *run(subject) {
    for (const exhibit of exhibits(subject)) {
      const stopped = { ...exhibit, deliveries: exhibit.deliveries.map(interrupted) };
      yield found(exhibit.name, await wrong(subject, stopped), stopped);
      for (const part of endings(subject, exhibit)) {
        const reason = await unfinished(subject, part);
        if (reason !== undefined) yield found(part.name, reason, part);
      }
    }
  },
  wrongWith: async (subject, exhibit) =>
    exhibit.deliveries.some(({ faults }) => faults.includes('restart'))
      ? await wrong(subject, exhibit)
      : await unfinished(subject, exhibit),
};

interface Named extends Exhibit {
  readonly name: string;
}

/** Returns the sequences, and samples of events that no sequence has. */
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

/** Returns the sequence up to each of its events: work after the last event is the easiest to see. */
function endings(subject: Subject, { plan, deliveries }: Exhibit): Named[] {
  return subject.handled.flatMap(({ name }) => {
    const end = deliveries.findIndex(({ sent }) => sent.name === name);
    return end === -1 ? [] : [{ name, plan, deliveries: deliveries.slice(0, end + 1) }];
  });
}

function wrong(subject: Subject, exhibit: Exhibit): Promise<string | undefined> {
  return disagreement(subject, exhibit, 'When the consumer restarts while a handler runs');
}

async function unfinished(subject: Subject, { plan, deliveries }: Exhibit): Promise<string | undefined> {
  const { state, lateState } = await subject.exercise(deliveries, { plan, linger: true });
  const places = differences(state, lateState);
  if (places.length === 0) return undefined;
  return `Work continues after its event is settled, and a shutdown would lose it: the state changes later at ${listed(places)}.`;
}

/** Restarts at some deliveries only: a restart at each would never leave two handlers running. */
function interrupted(delivery: Delivery, index: number): Delivery {
  return index % 2 === 0 ? { ...delivery, faults: ['restart'] } : delivery;
}
