import { interleaved, marked, perEvent } from '../service/experiment.js';
import { grouped } from 'busbar/base';
import { day, second } from '../../engine/time.js';
import { type RandomStream, randomStream } from '../../engine/random.js';
import type { Problem } from '../verify/causes.js';
import { type Delivery, lastOf } from '../verify/delivery.js';
import type { PlayedEvents } from '../verify/event-sequence.js';
import type { Subject } from '../verify/subject.js';
import { type Check, trying } from './check.js';
import { differenceFromBaseline, type Fault } from '../verify/judge.js';

/**
 * Only events of one key stay in order. Events of different keys arrive in any order, and a key may arrive days after
 * the others, because its partition stalled.
 */
export const orderCheck: Check = {
  name: 'order',
  title: 'late events and any order across keys are tolerated',
  ...trying(async function* (subject) {
    for (const sequence of subject.mainSequences) {
      const { name, plan, deliveries } = sequence;
      const random = randomStream(subject.seed, 'verify', 'order', name);
      const candidates = [...orders([...grouped(deliveries, ({ sent }) => sent.key).values()], random)];
      const households = await subject.householdsOf(sequence);
      yield {
        subject: name,
        candidates: [...candidates.map((each) => ({ plan, deliveries: each })), atOneTime(households)],
      };
    }
  }, wrong),
  overTheWire: {
    parts: (input) => [
      {
        sharing: 'together',
        diagnosis: 'order-across-keys',
        ifStalled: 'order-across-keys',
        experiments: perEvent(input, [1, 2], ({ deliveries, delivery }) => ({
          label: 'after the events of other keys',
          deliveries: withKeyLast(deliveries, delivery.sent.key),
        })).filter(({ deliveries }) => new Set(deliveries.map(({ sent }) => sent.key)).size > 1),
      },
    ],
  },
};

async function wrong(subject: Subject, counterexample: PlayedEvents): Promise<Problem | undefined> {
  const done = await subject.exercise(counterexample);
  const problemBy = (fault: Fault) => differenceFromBaseline(subject, counterexample, fault, done);
  const problem = await problemBy(orderFault);
  return problem?.diagnosis === 'order-across-keys' && (await isRace(subject, counterexample))
    ? problemBy(raceFault)
    : problem;
}

/** Whether the same order changes nothing when each event waits for the end of the one before. */
export async function isRace(subject: Subject, { plan, deliveries }: PlayedEvents): Promise<boolean> {
  let last = 0;
  const apart = deliveries.map((each) => moved(each, (last = Math.max(each.sent.at, last + second))));
  return (await differenceFromBaseline(subject, { plan, deliveries: apart }, orderFault)) === undefined;
}

export const orderFault: Fault = {
  when: 'When other keys arrive first',
  diagnosis: 'order-across-keys',
  isLater: true,
};
const raceFault: Fault = {
  ...orderFault,
  when: 'When other keys arrive at the same time',
  diagnosis: 'races',
};

/** Returns the same events of all households at the same time: they may change a row that all share. */
function atOneTime({ plan, deliveries }: PlayedEvents): PlayedEvents {
  const end = lastOf(deliveries);
  return { plan, deliveries: interleaved(deliveries).map((each) => moved(each, end)) };
}

/** Number of random orders, next to those with each key first and last. */
const randomOrders = 3;

function* orders(keys: readonly (readonly Delivery[])[], random: RandomStream): Generator<Delivery[]> {
  const all = keys.flat();
  if (keys.length < 2) return;
  const end = lastOf(all);
  // All at the same time, the last key first, so that retries follow the other events.
  yield keys.toReversed().flatMap((key) => key.map((each) => moved(each, end)));
  for (let round = 0; round < randomOrders; round++) yield shuffled(keys, random, end);
  for (const late of keys.slice(0, maxLateKeys)) {
    const others = all
      .filter((each) => !late.includes(each))
      .sort((one, other) => one.sent.at - other.sent.at);
    yield [...others, ...late.map((each) => moved(each, end + 3 * day))];
  }
}

/** Number of keys to delay, one at a time. */
const maxLateKeys = 5;

function shuffled(keys: readonly (readonly Delivery[])[], random: RandomStream, at: number): Delivery[] {
  const left = keys.map((key) => [...key]);
  const mixed: Delivery[] = [];
  for (;;) {
    const open = left.filter((key) => key.length > 0);
    const next = open[random.integer(0, Math.max(0, open.length - 1))]?.shift();
    if (next === undefined) return mixed;
    mixed.push(moved(next, at));
  }
}

function moved({ sent, origin }: Delivery, at: number): Delivery {
  return { sent: { ...sent, at }, origin, faults: ['reorder'] };
}

/** Returns the deliveries with those of a key at the end, in their order. */
function withKeyLast(deliveries: readonly Delivery[], key: string | null): Delivery[] {
  const isLate = ({ sent }: Delivery) => sent.key === key;
  const late = deliveries.filter(isLate).map((each) => marked(each, 'late'));
  return [...deliveries.filter((each) => !isLate(each)), ...late];
}
