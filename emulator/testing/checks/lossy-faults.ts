import { BusbarError, quoted } from 'busbar/base';
import type { Course } from '../verify/course.js';
import type { Subject } from '../verify/subject.js';
import { type Check, type Exhibit, found } from './check.js';
import { troubleIn } from './judge.js';

/** Damaged or lost events cannot be handled. The consumer must continue, report them, and handle other keys. */
export const lossyFaultsCheck: Check = {
  name: 'lossy-faults',
  title: 'damaged events end nothing, are reported, and leave other keys alone',
  async *run(subject) {
    for (const course of subject.mainCourses) {
      const exhibit = await damaged(subject, course);
      yield found(course.name, await wrong(subject, exhibit), exhibit);
    }
  },
  wrongWith: wrong,
};

const faults = 'drop=10%,corrupt=15%,invalid=15%';

/** Plays two households, with faults in the first only. */
async function damaged(subject: Subject, { name, plan }: Course): Promise<Exhibit> {
  const pair = { ...plan, instances: 2 };
  const calm = await subject.play(name, pair);
  const hit = await subject.play(name, { ...pair, faults });
  const first = calm.deliveries[0]?.sent.cell;
  const deliveries = [
    ...hit.deliveries.filter(({ sent }) => sent.cell === first),
    ...calm.deliveries.filter(({ sent }) => sent.cell !== first),
  ];
  return { plan: pair, deliveries: deliveries.sort((one, other) => one.sent.at - other.sent.at) };
}

async function wrong(subject: Subject, { plan, deliveries }: Exhibit): Promise<string | undefined> {
  const calm = await subject.calm({ plan, deliveries });
  if (calm.failure !== undefined) return undefined;
  const done = await subject.exercise(deliveries, { plan });
  const broken = deliveries.filter((each) => each.faults.length > 0);
  // A policy may stop the consumer at an unreadable record. Nothing is lost.
  if (done.failure !== undefined) return isPolicy(done.failure) ? undefined : troubleIn(done);
  const brokenIds = new Set(broken.map(({ sent }) => sent.id));
  const taken = done.outcomes.find(({ id = '', outcome }) => brokenIds.has(id) && outcome === 'handled');
  if (taken !== undefined) {
    return `A damaged ${quoted(taken.type ?? 'event')} counts as handled, so the damage goes unreported.`;
  }
  const hit = new Set(broken.map(({ sent }) => sent.cell));
  const cellOf = new Map(deliveries.map(({ sent }) => [sent.id, sent.cell]));
  const fine = new Set(calm.outcomes.flatMap(({ id, outcome }) => (outcome === 'handled' ? [id] : [])));
  const trouble = troubleIn(done, (id) => fine.has(id) && !hit.has(cellOf.get(id) ?? -1));
  return trouble && `While another household has damaged events, ${trouble}`;
}

function isPolicy(failure: Error): boolean {
  const codes = ['undecodable-record', 'invalid-event', 'unknown-record'];
  return failure instanceof BusbarError && codes.includes(failure.code);
}
