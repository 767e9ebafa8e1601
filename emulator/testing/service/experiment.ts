import { grouped } from 'busbar/base';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultRule } from '../../broker/faults/rules.js';
import { type Delivery, withoutFaults } from '../verify/delivery.js';
import { type Copy, type Instance, membersOf, type RestFault } from './copies.js';
import type { ProxyFault } from './proxy.js';
import { consumedAll, hasConsumedAll, progressOf } from './quiet.js';

/**
 * A fault around the handling of records. `kill` is for the record that is marked {@link target}, `restart` comes before the
 * first one that is marked {@link later}, and `truncate` deletes those that are marked {@link expired}. `signal` is sent
 * repeatedly, at points of the work. `killAfterCommits` kills after so many commits, each time
 * before the service hears of the last one.
 */
export type ServiceFault =
  | { readonly kill: 'before its commit' | 'after its commit' }
  | { readonly signal: 'SIGKILL' | 'SIGTERM'; readonly at: readonly WorkPoint[] }
  | { readonly killAfterCommits: readonly number[] }
  | { readonly restart: true }
  | { readonly member: 'leaves' | 'is killed' | 'freezes' }
  | { readonly truncate: true }
  | { readonly rule: FaultRule; readonly rejoins?: boolean }
  | { readonly rest: RestFault }
  | { readonly proxy: string; readonly does: ProxyFault };

/** A fault that a service cannot meet. The message is the reason. */
export class Unplayable extends Error {}

/** A point of the work: so long after a commit, or after the first fetch of a service that commits rarely. */
export interface WorkPoint {
  /** Number of the commit since the last start; undefined for the first fetch. */
  readonly commit?: number;
  readonly afterMs: number;
}

export const target = 'killed here';
export const later = 'after a restart';
export const expired = 'expired';
export const version = 'one occurrence';

/** Returns the delivery with one more mark. */
export function marked(delivery: Delivery, ...marks: readonly string[]): Delivery {
  return { ...delivery, faults: [...delivery.faults, ...marks] };
}

/** Index of the first delivery with a mark; the number of deliveries if there is none. */
function firstMarked(deliveries: readonly Delivery[], mark: string): number {
  const index = deliveries.findIndex(({ faults }) => faults.includes(mark));
  return index === -1 ? deliveries.length : index;
}

/** Records of one or more households, and what goes wrong around them. */
export interface Experiment {
  /** Names what is tried, e.g. `killed before its commit`. */
  readonly label: string;
  /** The event that the fault is about, or the name of the fault. */
  readonly about: string;
  readonly deliveries: readonly Delivery[];
  readonly fault?: ServiceFault;
  /**
   * What is wrong: another state than without the fault (default), a state as if the changed events had not come, or one
   * that counts both records with the mark {@link version}.
   */
  readonly wrongIf?: 'without effect' | 'counted twice';
}

/** Returns the experiment with more signals at the points that ended the work on these households, if there are any. */
export function focusedOn(
  experiment: Experiment,
  cells: ReadonlySet<unknown>,
  inHand: Copy['inHand'],
): Experiment | undefined {
  const { fault } = experiment;
  if (fault === undefined || !('signal' in fault)) return undefined;
  const points = fault.at.filter((_, nth) => inHand[nth]?.some(({ sent }) => cells.has(sent.cell)));
  if (points.length === 0) return undefined;
  const at = Array.from({ length: focusedSignals }, (_, nth) => points[nth % points.length] as WorkPoint);
  return { ...experiment, fault: { ...fault, at } };
}

const focusedSignals = 16;

/** Returns the records that a run without faults receives instead. */
export function controlOf({ deliveries }: Experiment): readonly Delivery[] {
  return withoutFaults(deliveries.filter(({ faults }) => !faults.includes(expired)));
}

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
  if ('signal' in fault) {
    send();
    return signalAtWork(copy, fault.signal, fault.at);
  }
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
  const { total } = copy.requests;
  const proxy = 'proxy' in fault ? copy.proxies.get(fault.proxy) : undefined;
  if ('rest' in fault) copy.restFault = fault.rest;
  else proxy?.begin(fault.does);
  send(half);
  await sleep(outageMs);
  if (proxy !== undefined) proxy.fault = undefined;
  copy.restFault = undefined;
  return 'proxy' in fault || copy.requests.total > total;
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

/** Returns whether the service was at work at the first signal. */
async function signalAtWork(
  copy: Copy,
  signal: 'SIGKILL' | 'SIGTERM',
  points: readonly WorkPoint[],
): Promise<boolean> {
  for (const [nth, { commit, afterMs }] of points.entries()) {
    if (commit === undefined) {
      const before = progressOf(copy);
      await holds(() => progressOf(copy) !== before, copy.setup.learned.handlerTimeout);
      await sleep(afterMs);
    } else await commitAndSpin(copy, commit, afterMs);
    if (hasConsumedAll(copy)) return nth > 0;
    await restart(copy, signal);
  }
  return true;
}

/** Resolves so long after a commit, or when everything is consumed. A handler takes less than a timer. */
async function commitAndSpin(copy: Copy, commit: number, afterMs: number): Promise<void> {
  const wanted = copy.commits.count + commit;
  let isReached = false;
  copy.afterCommit = () => {
    if (isReached || copy.commits.count < wanted) return;
    const until = performance.now() + afterMs;
    while (performance.now() < until);
    isReached = true;
    for (const { process } of copy.instances) process.kill('SIGSTOP');
  };
  await holds(() => isReached || hasConsumedAll(copy), copy.setup.learned.handlerTimeout);
  copy.afterCommit = () => undefined;
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
  const inTime = await Promise.all(
    copy.instances.map((instance) => copy.end(instance, signal === 'SIGTERM' ? own : signal)),
  );
  copy.ignoresSignal ||= inTime.includes(false);
  await start(copy);
}

/** Cuts the log while the service is stopped: records with the fault `expired` are gone. */
async function truncate(copy: Copy, deliveries: readonly Delivery[]): Promise<boolean> {
  const gone = deliveries.filter(({ faults }) => faults.includes(expired));
  const before = firstMarked(deliveries, expired);
  copy.send(deliveries.slice(0, before));
  await consumedAll(copy);
  await kill(copy);
  const last = copy.send(gone).at(-1);
  if (last !== undefined) {
    const { topic, partition, offset } = last;
    copy.broker.truncate({ topic, partition, before: offset + 1 });
  }
  copy.send(deliveries.slice(before).filter((each) => !gone.includes(each)));
  await start(copy);
  return last !== undefined;
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
  if (then === 'leaves') {
    copy.send(second);
    await copy.end(joined, 'SIGTERM');
  } else if (then === 'is killed') {
    copy.send(second);
    await copy.end(joined, 'SIGKILL');
    evict();
  } else {
    copy.send(second);
    joined.process.kill('SIGSTOP');
    evict();
    await consumedAll(copy);
    joined.process.kill('SIGCONT');
  }
  copy.send(third);
  await consumedAll(copy);
  if (then === 'freezes') await copy.end(joined, 'SIGTERM');
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

/** Returns a line for each fault and delivery of a reproduction. */
export function describeFault(fault: ServiceFault | undefined): string[] {
  if (fault === undefined) return [];
  if ('kill' in fault) return [`SIGKILL ${fault.kill}`];
  if ('signal' in fault) return [`${fault.signal} at work, ${fault.at.length} times`];
  if ('killAfterCommits' in fault) return [`SIGKILL after a commit, ${fault.killAfterCommits.length} times`];
  if ('restart' in fault) return ['the service is restarted'];
  if ('truncate' in fault) return ['the log is cut while the service is stopped'];
  if ('member' in fault) return [`a second process joins and ${fault.member}`];
  if ('rule' in fault) return [`broker: ${JSON.stringify(fault.rule)}`];
  if ('rest' in fault) return [`REST API: ${fault.rest}`];
  return [`proxy ${JSON.stringify(fault.proxy)}: ${fault.does}`];
}
