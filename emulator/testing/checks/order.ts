import { grouped } from 'busbar/base';
import { day } from '../../engine/time.js';
import { type RandomStream, randomStream } from '../../engine/random.js';
import type { Problem } from '../verify/causes.js';
import type { Delivery } from '../verify/delivery.js';
import type { Subject } from '../verify/subject.js';
import { type Check, type Counterexample, found } from './check.js';
import { differenceFromBaseline, type Fault } from './judge.js';

/**
 * Only events of one key stay in order. Events of different keys arrive in any order, and a key may arrive days after
 * the others, because its partition stalled.
 */
export const orderCheck: Check = {
  name: 'order',
  title: 'late events, and any order across keys, are survived',
  async *run(subject) {
    for (const { name, plan, deliveries } of subject.mainSequences) {
      const random = randomStream(subject.seed, 'verify', 'order', name);
      let problem: Problem | undefined;
      let counterexample = { plan, deliveries };
      for (const order of orders([...grouped(deliveries, ({ sent }) => sent.key).values()], random)) {
        counterexample = { plan, deliveries: order };
        problem = await wrong(subject, counterexample);
        if (problem !== undefined) break;
      }
      yield found(name, problem, counterexample);
    }
  },
  wrongWith: wrong,
};

function wrong(subject: Subject, counterexample: Counterexample): Promise<Problem | undefined> {
  return differenceFromBaseline(subject, counterexample, orderFault);
}

export const orderFault: Fault = { when: 'When other keys arrive first', diagnosis: 'order-across-keys' };

/** Number of random orders, next to those with each key first and last. */
const randomOrders = 3;

function* orders(keys: readonly (readonly Delivery[])[], random: RandomStream): Generator<Delivery[]> {
  const all = keys.flat();
  if (keys.length < 2) return;
  const end = all.reduce((last, { sent }) => Math.max(last, sent.at), 0);
  // All at the same time, the last key first, so that retries follow the other events.
  yield keys.toReversed().flatMap((key) => key.map((each) => moved(each, end)));
  for (let round = 0; round < randomOrders; round++) yield interleaved(keys, random, end);
  for (const late of keys.slice(0, maxLateKeys)) {
    const others = all
      .filter((each) => !late.includes(each))
      .sort((one, other) => one.sent.at - other.sent.at);
    yield [...others, ...late.map((each) => moved(each, end + 3 * day))];
  }
}

/** Number of keys to delay, one at a time. */
const maxLateKeys = 5;

function interleaved(keys: readonly (readonly Delivery[])[], random: RandomStream, at: number): Delivery[] {
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
