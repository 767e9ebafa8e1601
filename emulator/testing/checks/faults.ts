import { randomStream } from '../../engine/random.js';
import type { Course } from '../verify/course.js';
import type { Exercise } from '../verify/exercise.js';
import { disturbed, drawFaultPlan } from '../verify/fault-plan.js';
import type { Subject } from '../verify/subject.js';
import { type Check, type Exhibit, type Finding, found } from './check.js';
import { disagreementWith, untruth } from './judge.js';

/**
 * Random plans of faults that a correct consumer survives: its final state is the same as without them, and its
 * projection matches the ground truth. Both are compared, because `observe` may not include the projection.
 */
export const faultsCheck: Check = {
  name: 'faults',
  title: 'random faults that lose nothing change nothing',
  comparesStates: true,
  async *run(subject) {
    const { runs } = subject.options;
    const courses = subject.mainCourses;
    const begun = performance.now();
    const failed = new Map<string, Finding>();
    for (let run = 0; run < runs && courses.length > 0; run++) {
      const course = courses[run % courses.length] as Course;
      if (failed.has(course.name)) continue;
      const { plan, deliveries } = await attempt(subject, course, run);
      const exhibit = { plan, deliveries };
      const wrong = await wrongIn(subject, exhibit);
      subject.search.runs++;
      if (wrong === undefined) continue;
      const { reason, isIndivisible } = wrong;
      failed.set(course.name, found(course.name, reason, { ...exhibit, isIndivisible }));
    }
    subject.search.duration = performance.now() - begun;
    for (const { name } of courses.slice(0, runs)) yield failed.get(name) ?? found(name, undefined);
  },
  wrongWith: async (subject, exhibit) => (await wrongIn(subject, exhibit))?.reason,
};

async function wrongIn(
  subject: Subject,
  exhibit: Exhibit,
): Promise<{ readonly reason: string; readonly isIndivisible: boolean } | undefined> {
  const { plan, deliveries } = exhibit;
  const calm = await subject.calm(exhibit);
  const done = await subject.exercise(deliveries, { plan });
  const apart = disagreementWith(calm, done, subject);
  const reason = apart ?? (await madeUntrue(subject, exhibit, { calm, done }));
  if (reason === undefined) return undefined;
  const faults = [...new Set(deliveries.flatMap((each) => each.faults))];
  const cause = faults.length === 0 ? 'no fault' : faults.join(', ');
  return { reason: `With ${cause}, ${reason}`, isIndivisible: apart === undefined };
}

/** Compares the projection with the ground truth. The check `scenarios` reports differences without faults. */
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

/** Plays the sequence in another household, with its own faults. */
async function attempt(subject: Subject, { name, plan }: Course, run: number): Promise<Course> {
  const { seed, options } = subject;
  const drawn = drawFaultPlan(randomStream(seed, 'verify', 'faults', run), options.faults);
  const own = { ...plan, seed: (plan.seed ?? seed) + run };
  const faulty = { ...own, ...(drawn.faults !== undefined && { faults: drawn.faults }) };
  const course = await subject.play(name, faulty);
  return { ...course, plan: own, deliveries: disturbed(course, drawn, seed + run) };
}
