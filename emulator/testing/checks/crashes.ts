import { differences } from '../differences.js';
import type { DiagnosisName, Problem } from '../verify/causes.js';
import { type Delivery, withoutFaults } from '../verify/delivery.js';
import type { Subject } from '../verify/subject.js';
import { type Check, type Counterexample, found } from './check.js';
import { differenceFrom } from './judge.js';

/** Restarts the consumer while handlers run. What was not settled is redelivered; memory is lost. */
export const crashesCheck: Check = {
  name: 'crashes',
  title: 'a restart in the middle loses nothing',
  comparesStates: true,
  async *run(subject) {
    for (const { name, plan, deliveries } of await subject.stories()) {
      const counterexample = { plan, deliveries: deliveries.map(interrupted) };
      yield found(name, await wrong(subject, counterexample), counterexample);
    }
  },
  wrongWith: wrong,
};

async function wrong(subject: Subject, counterexample: Counterexample): Promise<Problem | undefined> {
  const { plan, deliveries } = counterexample;
  const done = await subject.exercise(deliveries, { plan });
  const when = 'When the consumer restarts while a handler runs';
  const problem = differenceFrom(await subject.baseline(counterexample), done, {
    subject,
    deliveries,
    fault: { when, diagnosis: 'diverged', failing: 'handler-fails' },
  });
  if (problem?.diagnosis !== 'diverged' || deliveries.length > maxCounterfactuals) return problem;
  return { ...problem, diagnosis: (await meaningOf(subject, counterexample, done.state)) ?? 'diverged' };
}

/** Most deliveries for which the meaning of a state is searched: shrunk ones. */
const maxCounterfactuals = 5;

/** Compares the wrong state with those without one of the events, and with one of them twice. */
async function meaningOf(
  subject: Subject,
  { plan, deliveries }: Counterexample,
  state: unknown,
): Promise<DiagnosisName | undefined> {
  const events = withoutFaults(deliveries);
  const isLike = async (others: readonly Delivery[]) =>
    differences((await subject.exercise(others, { plan })).state, state).length === 0;
  for (const each of events) {
    if (await isLike(events.filter((other) => other !== each))) return 'committed-before-work';
    if (await isLike(events.flatMap((other) => (other === each ? [each, each] : [other])))) {
      return 'not-idempotent';
    }
  }
  return undefined;
}

/** Restarts at some deliveries only: a restart at each would never leave two handlers running. */
function interrupted(delivery: Delivery, index: number): Delivery {
  return index % 2 === 0 ? { ...delivery, faults: ['restart'] } : delivery;
}
