import { second } from '../../engine/time.js';
import type { Problem } from '../verify/causes.js';
import type { Delivery } from '../verify/delivery.js';
import type { Subject } from '../verify/subject.js';
import { type Check, type Counterexample, found } from './check.js';
import { differenceFromBaseline, type Fault } from './judge.js';

/**
 * Delivers events again, as at-least-once delivery does: at once, after a restart, and when `redelivery` ends. Later
 * events of the same keys are delivered again, too, as after a lost commit.
 */
export const duplicatesCheck: Check = {
  name: 'duplicates',
  title: 'redelivered events change nothing',
  comparesStates: true,
  async *run(subject) {
    for (const { name, plan, deliveries } of await subject.stories()) {
      let counterexample: Counterexample = { plan, deliveries };
      let problem;
      for (const redelivered of redeliveries(subject.handledOf(deliveries), subject.redelivery)) {
        counterexample = { plan, deliveries: redelivered };
        problem = await wrong(subject, counterexample);
        if (problem !== undefined) break;
      }
      yield found(name, problem, counterexample);
    }
  },
  wrongWith: wrong,
};

const afterRestart = 'after a restart';
/** The meaning of a redelivery. */
export const atOnce: Fault = {
  when: 'When events are delivered twice',
  diagnosis: 'not-idempotent',
  failing: 'fails-when-repeated',
};

async function wrong(subject: Subject, counterexample: Counterexample): Promise<Problem | undefined> {
  const problem = await differenceFromBaseline(subject, counterexample, atOnce);
  return problem && rediagnosed(subject, counterexample, problem);
}

/** Names what a consumer has forgotten if it ignores the same redeliveries at once. */
export async function rediagnosed(
  subject: Subject,
  { plan, deliveries }: Counterexample,
  problem: Problem,
): Promise<Problem> {
  const copies = deliveries.filter(isCopy);
  const originals = deliveries.filter((each) => !isCopy(each));
  const prompt = originals.flatMap((each) => [
    each,
    ...copies.filter(({ origin }) => origin?.nth === each.origin?.nth).map(() => again(each, each.sent.at)),
  ]);
  const anyway = await differenceFromBaseline(subject, { plan, deliveries: prompt }, atOnce);
  if (anyway !== undefined) return { ...problem, diagnosis: anyway.diagnosis };
  const isForgotten = copies.every(({ faults }) => faults.includes(afterRestart));
  return { ...problem, diagnosis: isForgotten ? 'forgets-at-restart' : 'forgets-too-soon' };
}

function isCopy({ faults }: Delivery): boolean {
  return faults.includes('duplicate');
}

/** Returns the deliveries with redeliveries of each kind. */
function* redeliveries(deliveries: readonly Delivery[], redelivery: number): Generator<Delivery[]> {
  const end = deliveries.at(-1)?.sent.at ?? 0;
  yield deliveries.flatMap((each) => [each, again(each, each.sent.at)]);
  yield deliveries.flatMap((each) => [each, again(each, each.sent.at, [afterRestart])]);
  yield redeliveredAt(end + second);
  // Each event of another name, when it is as old as a redelivered event can be.
  const names = new Set<string>();
  for (const { sent } of deliveries) {
    if (names.has(sent.name)) continue;
    names.add(sent.name);
    yield redeliveredAt(sent.at + redelivery - second);
  }

  function redeliveredAt(at: number): Delivery[] {
    const before = deliveries.filter(({ sent }) => sent.at <= at);
    const repeated = before.filter(({ sent }) => sent.at > at - redelivery);
    const later = deliveries.filter(({ sent }) => sent.at > at);
    return [...before, ...repeated.map((each) => again(each, at)), ...later];
  }
}

function again({ sent, origin }: Delivery, at: number, labels: readonly string[] = []): Delivery {
  return { sent: { ...sent, at }, origin, faults: ['duplicate', ...labels] };
}
