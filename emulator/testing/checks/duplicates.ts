import { type CheckInput, later, marked, perEvent } from '../service/experiment.js';
import { grouped } from 'busbar/base';
import { second } from '../../engine/time.js';
import type { Problem } from '../verify/causes.js';
import type { Delivery } from '../verify/delivery.js';
import type { PlayedEvents } from '../verify/event-sequence.js';
import type { Subject } from '../verify/subject.js';
import { type Check, trying } from './check.js';
import { differenceFromBaseline, type Fault } from '../verify/judge.js';

/**
 * Delivers events again, as at-least-once delivery does: at once, after a restart, and when `redelivery` ends. Later
 * events of the same keys are delivered again, too, as after a lost commit.
 */
export const duplicatesCheck: Check = {
  name: 'duplicates',
  title: 'redelivered events change nothing',
  comparesStates: true,
  ...trying(async function* (subject) {
    for (const { name, plan, deliveries } of await subject.stories()) {
      const candidates = [...redeliveries(subject.handledOf(deliveries), subject.redelivery)];
      yield { subject: name, candidates: candidates.map((each) => ({ plan, deliveries: each })) };
    }
  }, wrong),
  overTheWire: {
    parts: (input) => [
      {
        sharing: 'together',
        diagnosis: 'not-idempotent',
        ifStalled: 'fails-when-repeated',
        experiments: perEvent(
          input,
          ['delivered twice', 'delivered again at the end', 'delivered twice', 'delivered again at the end'],
          ({ deliveries, index, delivery }, label) => ({
            label,
            deliveries:
              label === 'delivered twice'
                ? deliveries.toSpliced(index + 1, 0, marked(delivery, 'duplicate'))
                : [...deliveries, ...againFrom(input, deliveries, index, 'duplicate')],
          }),
        ),
      },
      {
        sharing: 'together',
        ifStalled: 'fails-when-repeated',
        experiments: perEvent(input, ['delivered again after a restart'], ({ deliveries, index }, label) => ({
          label,
          deliveries: [...deliveries, ...againFrom(input, deliveries, index, 'duplicate', later)],
          fault: { restart: true },
        })),
      },
    ],
  },
};

/** Returns a delivery and the later handled ones of its key, marked: a lost offset brings all of them again. */
function againFrom(
  { world }: CheckInput,
  deliveries: readonly Delivery[],
  from: number,
  ...marks: readonly string[]
): Delivery[] {
  const key = deliveries[from]?.sent.key;
  const again = deliveries.slice(from).filter(({ sent }) => sent.key === key && world.handles(sent.name));
  return again.map((each) => marked(each, ...marks));
}

/** The meaning of a redelivery. */
export const atOnce: Fault = {
  when: 'When events are delivered twice',
  diagnosis: 'not-idempotent',
  failing: 'fails-when-repeated',
  isLater: true,
};

async function wrong(subject: Subject, counterexample: PlayedEvents): Promise<Problem | undefined> {
  const problem = await differenceFromBaseline(subject, counterexample, atOnce);
  return problem && rediagnosed(subject, counterexample, problem);
}

/** Names what a consumer has forgotten if it ignores the same redeliveries at once. */
export async function rediagnosed(
  subject: Subject,
  { plan, deliveries }: PlayedEvents,
  problem: Problem,
): Promise<Problem> {
  const copies = deliveries.filter(isCopy);
  const originals = deliveries.filter((each) => !isCopy(each));
  const ifRepeated = (...labels: readonly string[]) => {
    const repeated = originals.flatMap(({ sent, origin }) => [
      { sent, origin, faults: [] },
      ...copies
        .filter((each) => each.origin?.nth === origin?.nth)
        .map(() => again({ sent, origin, faults: [] }, sent.at, labels)),
    ]);
    return differenceFromBaseline(subject, { plan, deliveries: repeated }, atOnce);
  };
  const anyway = await ifRepeated();
  if (anyway !== undefined) return { ...problem, diagnosis: anyway.diagnosis };
  const isForgotten =
    copies.every(({ faults }) => faults.includes(later)) ||
    (deliveries.some(({ faults }) => faults.includes('restart')) && (await ifRepeated(later)) !== undefined);
  return { ...problem, diagnosis: isForgotten ? 'forgets-at-restart' : 'forgets-too-soon' };
}

function isCopy({ faults }: Delivery): boolean {
  return faults.includes('duplicate');
}

/** Returns the deliveries with redeliveries of each kind. */
function* redeliveries(deliveries: readonly Delivery[], redelivery: number): Generator<Delivery[]> {
  const end = deliveries.at(-1)?.sent.at ?? 0;
  yield deliveries.flatMap((each) => [each, again(each, each.sent.at)]);
  yield deliveries.flatMap((each) => [each, again(each, each.sent.at, [later])]);
  yield redeliveredAt(end + second);
  // Each event of another name, when it is as old as a redelivered event can be.
  for (const [first] of grouped(deliveries, ({ sent }) => sent.name).values())
    yield redeliveredAt((first as Delivery).sent.at + redelivery - second);

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
