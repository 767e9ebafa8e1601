import { randomStream } from '../../engine/random.js';
import type { Problem } from '../verify/causes.js';
import type { Delivery } from '../verify/delivery.js';
import type { EventSequence, PlayedEvents } from '../verify/event-sequence.js';
import type { Exercise } from '../verify/exercise.js';
import { withFaultPlan, drawFaultPlan } from '../verify/fault-plan.js';
import type { Subject } from '../verify/subject.js';
import { type Check, found, type Verdict } from './check.js';
import { isForgetful } from './crashes.js';
import { atOnce, rediagnosed } from './duplicates.js';
import { differenceFromBaseline, type Fault, groundTruthMismatch } from '../verify/judge.js';
import { isRace, orderFault } from './order.js';

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
    const sequences = subject.mainSequences;
    const begun = performance.now();
    const failed = new Map<string, Verdict>();
    const households = new Map<EventSequence, EventSequence>();
    for (let run = 0; run < runs && sequences.length > 0; run++) {
      const sequence = sequences[run % sequences.length] as EventSequence;
      if (failed.has(sequence.name)) continue;
      const round = Math.floor(run / sequences.length);
      const known = round % plansPerHousehold === 0 ? undefined : households.get(sequence);
      const other = { ...sequence.plan, seed: (sequence.plan.seed ?? subject.seed) + run };
      const household = known ?? (await subject.play(sequence.name, other));
      households.set(sequence, household);
      const deliveries = await withRandomFaults(subject, household, run);
      const counterexample = { plan: household.plan, deliveries };
      const { problem, isIndivisible } = await wrongIn(subject, counterexample);
      subject.search.runs++;
      if (problem === undefined) continue;
      failed.set(sequence.name, { ...found(sequence.name, problem, counterexample), isIndivisible });
    }
    subject.search.duration = performance.now() - begun;
    for (const { name } of sequences.slice(0, runs)) yield failed.get(name) ?? found(name, undefined);
  },
  wrongWith: async (subject, counterexample) => (await wrongIn(subject, counterexample)).problem,
};

async function wrongIn(
  subject: Subject,
  counterexample: PlayedEvents,
): Promise<{ readonly problem: Problem | undefined; readonly isIndivisible: boolean }> {
  const baseline = await subject.baseline(counterexample);
  const done = await subject.exercise(counterexample);
  const fault = faultIn(counterexample.deliveries);
  const problem = await differenceFromBaseline(subject, counterexample, fault, done);
  if (problem !== undefined)
    return { problem: await renamed(subject, counterexample, problem), isIndivisible: false };
  return { problem: await madeUntrue(subject, counterexample, { baseline, done }), isIndivisible: true };
}

/** Tells apart what one kind of fault can mean. */
async function renamed(subject: Subject, counterexample: PlayedEvents, problem: Problem): Promise<Problem> {
  const { diagnosis } = problem;
  if (diagnosis === 'not-idempotent' || diagnosis === 'fails-when-repeated')
    return rediagnosed(subject, counterexample, problem);
  if (diagnosis === 'order-across-keys' && (await isRace(subject, counterexample)))
    return { ...problem, diagnosis: 'races' };
  const faults = faultsIn(counterexample.deliveries);
  if (diagnosis !== 'diverged' || !isOnly(faults, 'duplicate', 'restart')) return problem;
  if (!faults.has('duplicate'))
    return (await isForgetful(subject, counterexample))
      ? { ...problem, diagnosis: 'forgets-at-restart' }
      : problem;
  const named = await rediagnosed(subject, counterexample, problem);
  return named.diagnosis === 'forgets-too-soon' ? problem : named;
}

function faultsIn(deliveries: readonly Delivery[]): ReadonlySet<string> {
  return new Set(deliveries.flatMap((each) => each.faults));
}

function isOnly(faults: ReadonlySet<string>, ...kinds: readonly string[]): boolean {
  return [...faults].every((fault) => kinds.includes(fault));
}

/** Returns the meaning of the faults: one kind of fault alone is a diagnosis. */
function faultIn(deliveries: readonly Delivery[]): Fault {
  const faults = faultsIn(deliveries);
  // Deliveries without a fault differ by their order.
  if (faults.size === 0) return orderFault;
  const when = `With ${[...faults].join(', ')}`;
  if (isOnly(faults, 'duplicate')) return { ...atOnce, when };
  if (isOnly(faults, 'delay', 'reorder', 'burst')) return { ...orderFault, when };
  return { when, diagnosis: 'diverged', isLater: true };
}

/** Compares the projection with the ground truth. The check `baseline` reports differences without faults. */
async function madeUntrue(
  subject: Subject,
  counterexample: PlayedEvents,
  { baseline, done }: Readonly<Record<'baseline' | 'done', Exercise>>,
): Promise<Problem | undefined> {
  if (baseline.failure !== undefined) return undefined;
  const untrue = await groundTruthMismatch(subject, counterexample, done);
  if (untrue === undefined || (await groundTruthMismatch(subject, counterexample, baseline)) !== undefined)
    return undefined;
  const { when, diagnosis } = faultIn(counterexample.deliveries);
  return { ...untrue, diagnosis, reason: `${when}: ${untrue.reason}` };
}

/** Fault plans for each household: one run without faults is the baseline of all. */
const plansPerHousehold = 2;

async function withRandomFaults(
  subject: Subject,
  sequence: EventSequence,
  run: number,
): Promise<readonly Delivery[]> {
  const { seed, options } = subject;
  const drawn = drawFaultPlan(randomStream(seed, 'verify', 'faults', run), options.faults);
  const { faults } = drawn;
  const deliveries = faults === undefined ? sequence.deliveries : await subject.withFaults(sequence, faults);
  return withFaultPlan({ ...sequence, deliveries }, drawn, seed + run);
}
