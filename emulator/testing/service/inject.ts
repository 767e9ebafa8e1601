import { grouped } from 'busbar/base';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Experiment,
  expired,
  later,
  type ServiceFault,
  target,
  type WorkPoint,
} from '../checks/experiment.js';
import type { Delivery } from '../verify/delivery.js';
import { type Copy, type Instance, membersOf } from './copies.js';
import { consumedAll, hasConsumedAll, progressOf } from './quiet.js';

/** A fault that a service cannot meet. The message is the reason. */
export class Unplayable extends Error {}

/** Sends the records, and injects the fault. Returns whether the service met the fault. @throws Restless */
export async function play(copy: Copy, experiment: Experiment): Promise<boolean> {
  const isMet = await inject(copy, experiment);
  await consumedAll(copy);
  return isMet;
}

async function inject(copy: Copy, { deliveries, fault }: Experiment): Promise<boolean> {
  const [half, all] = [Math.floor(deliveries.length / 2), deliveries.length];
  const send = (from = 0, to = all) => copy.send(deliveries.slice(from, to));
  if (fault === undefined) {
    send();
    return true;
  }
  if ('kill' in fault) return killAtCommit(copy, fault.kill, deliveries);
  if ('signal' in fault) return signalAtWork(copy, fault, deliveries);
  if ('killAfterCommits' in fault) {
    send();
    return killAfterCommits(copy, fault.killAfterCommits);
  }
  if ('restart' in fault) {
    const at = firstMarked(deliveries, later);
    send(0, at);
    await consumedAll(copy);
    await restart(copy, 'SIGTERM');
    send(at);
    return true;
  }
  if ('truncate' in fault) return truncate(copy, deliveries);
  if ('member' in fault) return changeMembers(copy, fault.member, deliveries);
  if ('rule' in fault) {
    const id = copy.broker.faults.add(fault.rule);
    if (fault.rejoins === true && fault.rule.group !== undefined)
      copy.broker.rebalance({ group: fault.rule.group });
    send();
    const applied = () => copy.broker.faults.list().find((each) => each.id === id)?.applied ?? 0;
    const isMet = await holds(() => applied() >= (fault.rule.times ?? 1), ruleMs);
    copy.broker.faults.remove(id);
    return isMet;
  }
  send(0, half);
  const { rest } = copy;
  const { requests } = rest;
  const proxy = 'proxy' in fault ? copy.proxies.get(fault.proxy) : undefined;
  if ('rest' in fault) rest.fault = fault.rest;
  else proxy?.begin(fault.does);
  send(half);
  const isHit = () => 'proxy' in fault || rest.requests > requests;
  // Without a request, nothing needs the outage.
  await holds(() => isHit() || hasConsumedAll(copy), copy.setup.learned.handlerTimeout);
  await sleep(isHit() ? outageMs : copy.setup.learned.lag);
  if (proxy !== undefined) proxy.fault = undefined;
  rest.fault = undefined;
  return isHit();
}

/** Longer than a heartbeat interval of 3 s. */
const ruleMs = 5_000;
/** Longer than a service needs to meet an outage. */
const outageMs = 300;

async function holds(condition: () => boolean, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  while (performance.now() < until) {
    if (condition()) return true;
    await sleep(5);
  }
  return condition();
}

async function killAtCommit(
  copy: Copy,
  at: 'before its commit' | 'after its commit',
  deliveries: readonly Delivery[],
): Promise<boolean> {
  const { group } = copy.setup.contract;
  const covers = copy.positionsOf(deliveries)[firstMarked(deliveries, target)];
  if (group === null || covers === undefined) {
    copy.send(deliveries);
    return false;
  }
  const where = at === 'before its commit' ? 'request' : 'answer';
  const hold = copy.broker.faults.hold({ on: 'OffsetCommit', group, covers, at: where });
  copy.send(deliveries);
  const isMet = await holds(() => hold.state === 'reached', copy.setup.learned.handlerTimeout);
  const ended = isMet ? kill(copy) : undefined;
  hold.release({ answer: isMet ? 'drop' : 'send' });
  await ended;
  if (isMet) await start(copy);
  return isMet;
}

/** Sends a part of the records for each point, and a signal at the point. Returns whether the service was at work then. */
async function signalAtWork(
  copy: Copy,
  { signal, at }: Extract<ServiceFault, { readonly signal: string }>,
  deliveries: readonly Delivery[],
): Promise<boolean> {
  let isMet = false;
  const startOf = (nth: number) => Math.floor((nth * deliveries.length) / at.length);
  for (const [nth, point] of at.entries()) {
    // A service that commits rarely would handle all records again after each signal.
    await consumedAll(copy);
    copy.send(deliveries.slice(startOf(nth), startOf(nth + 1)));
    await reach(copy, point);
    isMet ||= !hasConsumedAll(copy);
    await restart(copy, signal);
  }
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
    await holds(isOver, handlerTimeout);
    end();
  } else if (point.commit === undefined) {
    const before = progressOf(copy);
    await holds(() => progressOf(copy) !== before || hasConsumedAll(copy), handlerTimeout);
    await sleep(point.afterMs);
  } else {
    copy.afterCommit = () => {
      if (isStopped || !hasBegun()) return;
      // A handler takes less than a timer.
      const until = performance.now() + point.afterMs;
      while (performance.now() < until);
      stop();
    };
    await holds(isOver, handlerTimeout);
    copy.afterCommit = () => undefined;
  }
}

async function killAfterCommits(copy: Copy, skips: readonly number[]): Promise<boolean> {
  const { group } = copy.setup.contract;
  if (group === null) return false;
  for (const [nth, skip] of skips.entries()) {
    const hold = copy.broker.faults.hold({ on: 'OffsetCommit', group, skip, at: 'answer' });
    const isDone = () => hold.state === 'reached' || hasConsumedAll(copy);
    await holds(isDone, copy.setup.learned.handlerTimeout);
    const isMet = hold.state === 'reached';
    const ended = isMet ? kill(copy) : undefined;
    hold.release({ answer: isMet ? 'drop' : 'send' });
    await ended;
    if (!isMet) return nth > 0;
    await start(copy);
  }
  return true;
}

async function kill(copy: Copy): Promise<void> {
  await Promise.all(copy.instances.map((instance) => copy.end(instance, 'SIGKILL')));
}

async function start(copy: Copy): Promise<void> {
  await Promise.all(copy.instances.map((instance) => copy.restart(instance)));
}

async function restart(copy: Copy, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const { signal: own = 'SIGTERM' } = copy.setup.contract.stop ?? {};
  await Promise.all(
    copy.instances.map((instance) => copy.end(instance, signal === 'SIGTERM' ? own : signal)),
  );
  await start(copy);
}

/** Cuts the log while the service is stopped: records with the fault `expired` are gone. */
async function truncate(copy: Copy, deliveries: readonly Delivery[]): Promise<boolean> {
  const gone = deliveries.filter(({ faults }) => faults.includes(expired));
  const before = firstMarked(deliveries, expired);
  copy.send(deliveries.slice(0, before));
  await consumedAll(copy);
  await kill(copy);
  const positions = copy.send(gone);
  for (const { offset, ...of } of positions) copy.broker.truncate({ ...of, before: offset + 1 });
  copy.send(deliveries.slice(before).filter((each) => !gone.includes(each)));
  await start(copy);
  return positions.length > 0;
}

/** A second process joins, and leaves, is killed, or freezes until its session has expired. */
async function changeMembers(
  copy: Copy,
  then: 'leaves' | 'is killed' | 'freezes',
  deliveries: readonly Delivery[],
): Promise<boolean> {
  const { group } = copy.setup.contract;
  if (group === null) return false;
  const [first, second, third] = thirds(deliveries);
  copy.send(first);
  const before = membersOf(copy.broker, group);
  const joined: Instance = await copy.startInstance().catch((error: unknown) => {
    throw new Unplayable(`A second process does not start. ${(error as Error).message}`);
  });
  const added = membersOf(copy.broker, group).filter((id) => !before.includes(id));
  const evict = () => {
    for (const member of added)
      if (membersOf(copy.broker, group).includes(member)) copy.broker.evict({ group, member });
  };
  copy.send(second);
  if (then === 'freezes') joined.process.kill('SIGSTOP');
  else await copy.end(joined, then === 'leaves' ? 'SIGTERM' : 'SIGKILL');
  // A static member stays in its group when its process ends.
  evict();
  if (then === 'freezes') {
    await consumedAll(copy);
    joined.process.kill('SIGCONT');
  }
  copy.send(third);
  await consumedAll(copy);
  if (then === 'freezes') return true;
  evict();
  copy.instances.splice(copy.instances.indexOf(joined), 1);
  return true;
}

/** Returns the first, second and last third of each household's records. */
function thirds(deliveries: readonly Delivery[]): readonly [Delivery[], Delivery[], Delivery[]] {
  const parts: [Delivery[], Delivery[], Delivery[]] = [[], [], []];
  for (const own of grouped(deliveries, ({ sent }) => sent.cell).values()) {
    for (const [index, each] of own.entries()) parts[Math.floor((3 * index) / own.length)]?.push(each);
  }
  return parts;
}

/** Index of the first delivery with a mark; the number of deliveries if there is none. */
function firstMarked(deliveries: readonly Delivery[], mark: string): number {
  const index = deliveries.findIndex(({ faults }) => faults.includes(mark));
  return index === -1 ? deliveries.length : index;
}
