import type { Check, Verdict } from './check.js';
import { causeId, type Finding, ofConsumer, type Problem, runs } from '../verify/causes.js';
import type { Delivery } from '../verify/delivery.js';
import type { PlayedEvents } from '../verify/event-sequence.js';
import { readRepro, type SavedFailure, worldOfFailure, writeRepro } from '../verify/repro.js';
import { shrink } from '../verify/shrink.js';
import type { Subject } from '../verify/subject.js';

/** Delivers a saved failure from a clean state and returns the problem, if it shows again. */
export async function replay(
  check: Check,
  subject: Subject,
  failure: SavedFailure,
): Promise<Problem | undefined> {
  const plan = await worldOfFailure(failure);
  const problem = await check.wrongWith?.(subject, { plan, deliveries: failure.deliveries });
  return problem && named(problem);
}

function named(problem: Problem): Problem {
  return ofConsumer.has(problem.diagnosis) ? { ...problem, about: 'consumer' } : problem;
}

/**
 * Shrinks the deliveries of a problem and replays them, as they are saved. What does not show again is `unconfirmed`.
 * @param known Ids of causes that have a confirmed finding, and need no second short reproduction.
 */
export async function confirm(
  check: Check,
  subject: Subject,
  verdict: Verdict & { readonly problem: Problem },
  known: ReadonlySet<string>,
): Promise<Finding | undefined> {
  const { subject: about, counterexample, isWarning = false, isIndivisible = false } = verdict;
  let problem: Problem | undefined = named(verdict.problem);
  const isKnown = known.has(causeId(problem));
  // A job in the background may have worked before one of the states was read, and not before the other.
  if (!isKnown && counterexample !== undefined && problem.fields !== undefined) {
    problem = await subject.whenStill(async () => check.wrongWith?.(subject, counterexample));
    if (problem === undefined) return undefined;
    problem = named(problem);
  }
  const finding = { check: check.name, subject: about };
  const status = isWarning && !subject.options.strict ? 'warned' : 'failed';
  if (counterexample === undefined || status === 'warned') return { ...finding, ...problem, status };
  const { plan, deliveries } = counterexample;
  const fewest = isKnown
    ? deliveries
    : await shrunk(check, subject, { ...counterexample, isIndivisible }, problem);
  for (const each of fewest === deliveries ? [deliveries] : [fewest, deliveries]) {
    const late = subject.floats !== false && { lingers: true };
    const saved = { check: check.name, subject: about, ...late, plan, deliveries: each };
    const again = readRepro('', writeRepro(saved, problem).content);
    for (let of = runs.needed; of <= runs.most; of++) {
      const last = await replay(check, subject, again);
      if (last === undefined) continue;
      const rate = { shown: runs.needed, of };
      return { ...finding, ...last, status, rate, repro: writeRepro({ ...saved, rate }, last) };
    }
  }
  return { ...finding, ...problem, status: 'unconfirmed' };
}

async function shrunk(
  { wrongWith, maxQuestions }: Check,
  subject: Subject,
  { plan, deliveries, isIndivisible }: PlayedEvents & { readonly isIndivisible: boolean },
  { diagnosis }: Problem,
): Promise<readonly Delivery[]> {
  const reproduces = async (each: readonly Delivery[]) => {
    const problem = await wrongWith?.(subject, { plan, deliveries: each });
    // Few deliveries may explain what many did not.
    return problem !== undefined && (diagnosis === 'diverged' || problem.diagnosis === diagnosis);
  };
  // Each try with a hanging handler takes its whole timeout.
  const hanging = deliveries.find(({ sent }) => subject.hanging.has(sent.name));
  if (hanging !== undefined) return (await reproduces([hanging])) ? [hanging] : deliveries;
  return shrink(deliveries, reproduces, { maxQuestions, onlyFaults: isIndivisible });
}
