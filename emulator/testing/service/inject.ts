import { grouped } from 'busbar/base';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Experiment,
  expired,
  later,
  type ServiceFaults,
  outageStart,
  target,
  unanswered,
  type WorkPoint,
} from './experiment.js';
import type { Hold } from '../../broker/faults/hold.js';
import type { Delivery } from '../verify/delivery.js';
import { BudgetSpent } from './budget.js';
import { type Copy, type Instance, membersOf } from './copies.js';
import { consumedAll, hasConsumedAll, quiet } from './quiet.js';

/** A fault that a service cannot meet. The message is the reason. */
export class Unplayable extends Error {}

/** Sends the records, and injects the fault. Returns whether the service met the fault. @throws Restless, BudgetSpent */
export async function play(copy: Copy, { deliveries, fault = {} }: Experiment): Promise<boolean> {
  const [named] = Object.entries(fault);
  if (named === undefined) {
    copy.send(deliveries);
    return true;
  }
  const [name, own] = named;
  return (injections[name as keyof ServiceFaults] as Inject<typeof own>)(copy, own, deliveries);
}

type Inject<Fault> = (copy: Copy, fault: Fault, deliveries: readonly Delivery[]) => Promise<boolean>;

const injections: { readonly [Name in keyof ServiceFaults]: Inject<ServiceFaults[Name]> } = {
  async kill(copy, when, deliveries) {
    const { group } = copy.setup.contract;
    const covers = copy.positionsOf(deliveries)[firstMarked(deliveries, target)];
    if (group === null || covers === undefined) {
      copy.send(deliveries);
      return false;
    }
    const at = when === 'before its commit' ? 'request' : 'answer';
    const hold = copy.broker.faults.hold({ on: 'OffsetCommit', group, covers, at });
    copy.send(deliveries);
    return killAt(hold, copy);
  },
  async atWork(copy, { signal, at }, deliveries) {
    let isMet = false;
    const startOf = (nth: number) => Math.floor((nth * deliveries.length) / at.length);
    for (const [nth, point] of at.entries()) {
      // A service that commits early may still work, and one that commits rarely would handle all records again.
      await quiet(copy);
      copy.settle();
      copy.send(deliveries.slice(startOf(nth), startOf(nth + 1)));
      await reach(copy, point);
      isMet ||= !hasConsumedAll(copy);
      await restart(copy, signal);
    }
    return isMet;
  },
  async killAfterCommits(copy, skips, deliveries) {
    const { group } = copy.setup.contract;
    copy.send(deliveries);
    if (group === null) return false;
    // A quick service would rarely hold records when a timer commits.
    copy.rest.fault = 'slow';
    let kills = 0;
    for (const skip of skips) {
      const hold = copy.broker.faults.hold({ on: 'OffsetCommit', group, skip, at: 'answer' });
      if (!(await killAt(hold, copy, () => hasConsumedAll(copy)))) break;
      kills += 1;
    }
    copy.rest.fault = undefined;
    return kills > 0;
  },
  async restart(copy, _fault, deliveries) {
    const at = firstMarked(deliveries, later);
    copy.send(deliveries.slice(0, at));
    await consumedAll(copy);
    await restart(copy, 'SIGTERM');
    copy.send(deliveries.slice(at));
    return true;
  },
  timeZone: (copy, _zone, deliveries) => {
    copy.send(deliveries);
    return Promise.resolve(true);
  },
  async truncate(copy, _fault, deliveries) {
    const gone = deliveries.filter(({ faults }) => faults.includes(expired));
    const before = firstMarked(deliveries, expired);
    copy.send(deliveries.slice(0, before));
    await consumedAll(copy);
    await end(copy, 'SIGKILL');
    const positions = copy.send(gone);
    for (const { offset, ...of } of positions) copy.broker.truncate({ ...of, before: offset + 1 });
    copy.send(deliveries.slice(before).filter((each) => !gone.includes(each)));
    await start(copy);
    return positions.length > 0;
  },
  async member(copy, then, deliveries) {
    const { group } = copy.setup.contract;
    if (group === null) return false;
    const [first, second, third, last] = quarters(deliveries);
    copy.send(first);
    const before = membersOf(copy.broker, group);
    const joined: Instance = await copy.startInstance().catch((error: unknown) => {
      if (error instanceof BudgetSpent) throw error;
      throw new Unplayable(`A second process does not start. ${(error as Error).message}`);
    });
    const added = membersOf(copy.broker, group).filter((id) => !before.includes(id));
    const evict = () => {
      for (const member of added)
        if (membersOf(copy.broker, group).includes(member)) copy.broker.evict({ group, member });
    };
    // What a process remembers of a partition is out of date when another has handled some of it.
    copy.send(second);
    await consumedAll(copy);
    const isIdle = then === 'leaves idle';
    if (isIdle) await quiet(copy);
    else copy.send(third);
    if (then === 'freezes') joined.process.kill('SIGSTOP');
    else await copy.end(joined, then === 'is killed' ? 'SIGKILL' : 'SIGTERM');
    // A static member stays in its group when its process ends.
    evict();
    if (then === 'freezes') {
      await consumedAll(copy);
      joined.process.kill('SIGCONT');
    }
    copy.send(isIdle ? [...third, ...last] : last);
    await consumedAll(copy);
    if (then === 'freezes') return true;
    evict();
    copy.instances.splice(copy.instances.indexOf(joined), 1);
    return true;
  },
  async broker(copy, { rule, rejoins }, deliveries) {
    const { faults } = copy.broker;
    const id = faults.add(rule);
    if (rejoins && rule.group !== undefined) copy.broker.rebalance({ group: rule.group });
    copy.send(deliveries);
    const applied = () => faults.list().find((each) => each.id === id)?.applied ?? 0;
    const isMet = await holds(copy, () => applied() >= (rule.times ?? 1), ruleMs);
    faults.remove(id);
    return isMet;
  },
  async response(copy, { proxy: name, nth }, deliveries) {
    const at = firstMarked(deliveries, unanswered);
    const hit = deliveries.slice(at, at + 1);
    const proxy = copy.proxies.get(name);
    copy.send(deliveries.slice(0, at));
    await consumedAll(copy);
    if (proxy === undefined) return false;
    let responses = 0;
    proxy.onResponse = () => {
      responses += 1;
      if (responses === nth) proxy.cut();
    };
    copy.send(hit);
    await consumedAll(copy);
    proxy.onResponse = () => undefined;
    if (responses > nth) for (const { sent } of hit) copy.retried.add(sent.id);
    copy.send(deliveries.slice(at + 1));
    return responses >= nth;
  },
  rest: (copy, rest, deliveries) => outage(copy, deliveries, { rest }),
  proxy: (copy, proxy, deliveries) => outage(copy, deliveries, { proxy }),
};

/** Longer than a heartbeat interval of 3 s. */
const ruleMs = 5_000;
/** Longer than a service needs to meet an outage. */
const outageMs = 300;
/** Longest outage, for a service whose attempts are {@link areQuick}. */
const longOutageMs = 2_400;

async function holds({ setup }: Copy, condition: () => boolean, withinMs: number): Promise<boolean> {
  const until = Math.min(performance.now() + withinMs, setup.budget.deadline);
  while (performance.now() < until) {
    if (condition()) return true;
    await sleep(5);
  }
  return condition();
}

/** Kills the service at a held request, and starts it again. Returns whether there was one, in time and before `isOver`. */
async function killAt(hold: Hold, copy: Copy, isOver = () => false): Promise<boolean> {
  await holds(copy, () => hold.state === 'reached' || isOver(), copy.setup.learned.handlerTimeout);
  const isMet = hold.state === 'reached';
  const ended = isMet ? end(copy, 'SIGKILL') : undefined;
  hold.release({ answer: isMet ? 'drop' : 'send' });
  await ended;
  if (isMet) await start(copy);
  return isMet;
}

/** Resolves at a point of the work, where the service is stopped, or when everything is consumed. */
async function reach(copy: Copy, point: WorkPoint): Promise<void> {
  const { handlerTimeout } = copy.setup.learned;
  const wanted = copy.commits.count + (point.commit ?? 0);
  const hasBegun = () => copy.commits.count >= wanted;
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    for (const { process } of copy.instances) process.kill('SIGSTOP');
  };
  const isOver = () => isStopped || hasConsumedAll(copy);
  if ('afterSteps' in point) {
    let left = point.afterSteps;
    const end = copy.onStep(() => {
      if (hasBegun() && --left === 0) stop();
    });
    await holds(copy, isOver, handlerTimeout);
    end();
  } else if (point.commit === undefined) {
    const before = copy.progress;
    await holds(copy, () => copy.progress !== before || hasConsumedAll(copy), handlerTimeout);
    await sleep(point.afterMs);
  } else {
    copy.afterCommit = () => {
      if (isStopped || !hasBegun()) return;
      // A handler takes less than a timer.
      const until = performance.now() + point.afterMs;
      while (performance.now() < until);
      stop();
    };
    await holds(copy, isOver, handlerTimeout);
    copy.afterCommit = () => undefined;
  }
}

async function end(copy: Copy, signal: NodeJS.Signals): Promise<void> {
  await Promise.all(copy.instances.map((instance) => copy.end(instance, signal)));
}

async function start(copy: Copy): Promise<void> {
  await Promise.all(copy.instances.map((instance) => copy.restart(instance)));
}

async function restart(copy: Copy, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const { signal: own = 'SIGTERM' } = copy.setup.contract.stop ?? {};
  await end(copy, signal === 'SIGTERM' ? own : signal);
  await start(copy);
}

/** An outage from the middle of the records on. Returns whether something needed what is out of order. */
async function outage(
  copy: Copy,
  deliveries: readonly Delivery[],
  { rest: status, proxy: fault }: Partial<Pick<ServiceFaults, 'rest' | 'proxy'>>,
): Promise<boolean> {
  const half = outageStart(deliveries);
  const { rest } = copy;
  const { requests } = rest;
  const proxy = copy.proxies.get(fault?.name ?? '');
  copy.send(deliveries.slice(0, half));
  rest.fault = status;
  if (fault !== undefined) proxy?.begin(fault.does);
  copy.send(deliveries.slice(half));
  const isHit = () => fault !== undefined || rest.requests > requests;
  // Without a request, nothing needs the outage.
  await holds(copy, () => isHit() || hasConsumedAll(copy), copy.setup.learned.handlerTimeout);
  const begun = performance.now();
  await sleep(isHit() ? outageMs : copy.setup.learned.lag);
  const attempts = () => proxy?.refused ?? rest.requests - requests;
  const isOver = () => hasConsumedAll(copy) || !areQuick(attempts(), performance.now() - begun);
  if ((status ?? fault?.does) !== 'slow') await holds(copy, isOver, longOutageMs);
  if (proxy !== undefined) proxy.fault = undefined;
  rest.fault = undefined;
  return isHit();
}

/**
 * Whether failed attempts follow each other without a pause. Unless configured otherwise, Spring Kafka makes ten of them, about
 * 120 ms apart, and then skips the record; some HTTP clients send each request twice.
 */
function areQuick(attempts: number, inMs: number): boolean {
  return attempts < 24 && attempts * 150 > inMs;
}

/** Returns the four quarters of each household's records. */
function quarters(
  deliveries: readonly Delivery[],
): readonly [Delivery[], Delivery[], Delivery[], Delivery[]] {
  const parts: [Delivery[], Delivery[], Delivery[], Delivery[]] = [[], [], [], []];
  for (const own of grouped(deliveries, ({ sent }) => sent.cell).values()) {
    for (const [index, each] of own.entries()) parts[Math.floor((4 * index) / own.length)]?.push(each);
  }
  return parts;
}

/** Index of the first delivery with a mark; the number of deliveries if there is none. */
function firstMarked(deliveries: readonly Delivery[], mark: string): number {
  const index = deliveries.findIndex(({ faults }) => faults.includes(mark));
  return index === -1 ? deliveries.length : index;
}
