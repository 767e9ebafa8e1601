import { randomStream } from '../../engine/random.js';
import type { Course } from '../verify/course.js';
import type { Exercise } from '../verify/exercise.js';
import { disturbed, drawFaultPlan } from '../verify/fault-plan.js';
import type { Subject } from '../verify/subject.js';
import { type Check, type Exhibit, type Finding, found } from './check.js';
import { disagreementWith, untruth } from './judge.js';

/**
 * Random plans of faults that a right consumer survives: it ends where it would have ended without them, and its
 * projection is the truth. The latter does not follow from the former, as `observe` need not see the projection.
 */
export const faultsCheck: Check = {
  name: 'faults',
  title: 'random faults that lose nothing change nothing',
  comparesStates: true,
  async *run(subject) {
    const { runs = 50 } = subject.options;
    const courses = subject.mainCourses;
    const begun = performance.now();
    const failed = new Map<string, Finding>();
    for (let run = 0; run < runs && courses.length > 0; run++) {
      const course = courses[run % courses.length] as Course;
      if (failed.has(course.name)) continue;
      const { plan, deliveries } = await attempt(subject, course, run);
      const reason = await wrong(subject, { plan, deliveries });
      subject.search.runs++;
      if (reason !== undefined) failed.set(course.name, found(course.name, reason, { plan, deliveries }));
    }
    subject.search.duration = performance.now() - begun;
    for (const { name } of courses.slice(0, runs)) yield failed.get(name) ?? found(name, undefined);
  },
  wrongWith: wrong,
};

async function wrong(subject: Subject, exhibit: Exhibit): Promise<string | undefined> {
  const { plan, deliveries } = exhibit;
  const calm = await subject.calm(exhibit);
  const done = await subject.exercise(deliveries, { plan });
  const reason =
    disagreementWith(calm, done, subject) ?? (await madeUntrue(subject, exhibit, { calm, done }));
  if (reason === undefined) return undefined;
  const faults = [...new Set(exhibit.deliveries.flatMap((each) => each.faults))];
  return `With ${faults.length === 0 ? 'no fault' : faults.join(', ')}, ${reason}`;
}

/** A projection that is not the truth without any fault either is for the scenarios to tell. */
async function madeUntrue(
  subject: Subject,
  exhibit: Exhibit,
  { calm, done }: Readonly<Record<'calm' | 'done', Exercise>>,
): Promise<string | undefined> {
  if (calm.failure !== undefined) return undefined;
  const untrue = await untruth(subject, exhibit, done);
  if (untrue === undefined || (await untruth(subject, exhibit, calm)) !== undefined) return undefined;
  return `the ${untrue}`;
}

/** The course in another household, with its own faults. */
async function attempt(subject: Subject, { name, plan }: Course, run: number): Promise<Course> {
  const { seed, options } = subject;
  const drawn = drawFaultPlan(randomStream(seed, 'verify', 'faults', run), options.faults);
  const own = { ...plan, seed: (plan.seed ?? seed) + run };
  const faulty = { ...own, ...(drawn.faults !== undefined && { faults: drawn.faults }) };
  const course = await subject.play(name, faulty);
  return { ...course, plan: own, deliveries: disturbed(course, drawn, seed + run) };
}
