import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { quoted } from 'busbar/base';
import { explainLag, lagOf } from '../../broker/consumer-lag.js';
import type { Observed } from '../verify/households.js';
import { type Copy, membersOf } from './copies.js';
import { Unresponsive } from './observe/index.js';
import { explainExit } from './process.js';

/** A service that does not become quiet. */
export class Restless extends Error {
  /** `stalled`: no commit while records are left. `endless`: its state keeps changing. */
  readonly kind: 'stalled' | 'endless' | 'unobservable';
  /** Whether its process runs, and its group has no members. */
  readonly isAbsent: boolean;

  constructor(
    kind: Restless['kind'],
    message: string,
    { isAbsent = false, ...options }: ErrorOptions & { readonly isAbsent?: boolean } = {},
  ) {
    super(message, options);
    this.isAbsent = isAbsent;
    this.kind = kind;
  }
}

const stepMs = 4;
const minLagMs = 5;
/** Longest time in which observations fail alike before the first that succeeds. */
const maxFailingMs = 3_000;

/**
 * Resolves when the service has committed the end of every partition, those of its retry topics included.
 * @throws Restless `stalled`; BudgetSpent
 */
export async function consumedAll(copy: Copy): Promise<void> {
  const { handlerTimeout } = copy.setup.learned;
  let progress = '';
  let since = performance.now();
  // The first nudge may come while the client still joins.
  let nudgeMs = handlerTimeout / 20;
  while (!hasConsumedAll(copy)) {
    copy.setup.budget.require();
    const now = copy.progress;
    if (now !== progress) [progress, since] = [now, performance.now()];
    if (copy.isGivenUp) throw new Restless('stalled', explainExits(copy, 'It'));
    const lasted = performance.now() - since;
    if (lasted > copy.patience) {
      const { learned, budget } = copy.setup;
      const others = isConsumed(copy) && budget.deadline === Infinity ? othersBehind(copy) : [];
      for (const { id } of others) learned.otherGroups.set(id, false);
      if (others.length > 0) continue;
      const how = `${explainStall(copy)} That lasted ${Math.round(lasted)} ms.`;
      if (isAbsent(copy)) throw new Restless('stalled', how, { isAbsent: true });
      throw new Restless('stalled', `${how} Raise "handlerTimeout" for a slower service.`);
    }
    if (lasted > nudgeMs) {
      nudgeMs *= 4;
      copy.nudge();
    }
    await sleep(stepMs);
  }
}

/**
 * Resolves with the state when the service is quiet: it has consumed everything, no request to the REST API or a proxy is
 * under way, and two observations one lag apart agree.
 * @param leastMs Least time without a change that ends the wait.
 * @param isTeaching Whether the wait teaches the lag: three times the longest time from the last commit to a change.
 * @throws Restless, BudgetSpent
 */
export async function quiet(copy: Copy, leastMs = minLagMs, isTeaching = false): Promise<Observed> {
  const { learned, contract } = copy.setup;
  const { ready = {} } = contract;
  const begun = performance.now();
  let consumed = begun;
  let last: Observed | undefined;
  let changed = begun;
  let failed: Error | undefined;
  let failedFrom = begun;
  for (;;) {
    copy.setup.budget.require();
    if (!hasConsumedAll(copy)) {
      await consumedAll(copy);
      consumed = performance.now();
    }
    const now = await copy.observe().catch((error: unknown) => {
      if ((error as Error).message !== failed?.message) failedFrom = performance.now();
      failed = error as Error;
      return undefined;
    });
    const at = performance.now();
    learned.hasObserved ||= now !== undefined;
    // Unless a request has shown that it is ready, an address may respond later than the service fetches.
    const isSure = ready.http !== undefined || !(failed?.cause instanceof Unresponsive);
    const isWrong = isSure && now === undefined && !learned.hasObserved && at - failedFrom > maxFailingMs;
    const isSame = last !== undefined && isDeepStrictEqual(now, last);
    // A failed observation shows no change.
    if (!isSame && now !== undefined) {
      // The first observation may be long after the change.
      if (isTeaching && last !== undefined)
        learned.lag = Math.max(learned.lag, 3 * (at - (copy.commits.last || consumed)));
      changed = at;
      last = now;
    }
    const lag = Math.max(learned.lag, leastMs);
    const isBusy = copy.rest.open > 0 || [...copy.proxies.values()].some(({ isAwaited }) => isAwaited);
    if (isSame && now !== undefined && at - changed >= lag && !isBusy && hasConsumedAll(copy)) return now;
    if (isWrong || at - consumed > Math.max(copy.patience, lag) + lag) {
      if (now !== undefined) throw new Restless('endless', 'Its state keeps changing after its last commit.');
      throw new Restless('unobservable', failed?.message ?? '', { cause: failed });
    }
    await sleep(Math.min(lag, 50));
  }
}

export function hasConsumedAll(copy: Copy): boolean {
  return isConsumed(copy) && othersBehind(copy).length === 0;
}

/**
 * Returns the service's other groups that have records left in topics that only they consume, e.g. retry topics. A run
 * without faults teaches which groups there are.
 */
function othersBehind({ broker, setup }: Copy) {
  const { contract, learned, budget } = setup;
  const state = broker.inspect();
  return state.groups.flatMap(({ id, members }) => {
    const assigned = new Set(members.flatMap(({ assignment }) => Object.keys(assignment)));
    const topics = [...assigned].filter((name) => !contract.topics.includes(name));
    if (topics.length === 0) return [];
    if (budget.deadline === Infinity && !learned.otherGroups.has(id)) learned.otherGroups.set(id, true);
    const isWaitedFor = learned.otherGroups.get(id) === true;
    return isWaitedFor && lagOf(state, id, topics).length > 0 ? [{ id, topics }] : [];
  });
}

function isConsumed(copy: Copy): boolean {
  const { contract } = copy.setup;
  const state = copy.broker.inspect();
  if (contract.group === null) {
    const topics = state.topics.filter(({ name }) => contract.topics.includes(name));
    return topics.every(({ partitions }) =>
      partitions.every((each) => each.lastFetchOffset >= each.endOffset),
    );
  }
  const group = state.groups.find(({ id }) => id === contract.group);
  const isStable = group?.state === 'Stable' && copy.instances.some(({ process }) => process.isRunning);
  return isStable && copy.lag().length === 0;
}

function isAbsent({ broker, setup, instances }: Copy): boolean {
  const { group } = setup.contract;
  const isRunning = instances.some(({ process }) => process.isRunning);
  return isRunning && group !== null && membersOf(broker, group).length === 0;
}

function explainStall(copy: Copy): string {
  const { broker, setup } = copy;
  const { group, topics } = setup.contract;
  const ended = explainExits(copy, ' The service');
  const [other] = isConsumed(copy) ? othersBehind(copy) : [];
  const behind = other ?? { id: group, topics };
  if (behind.id === null) return `It has not fetched the end of every partition.${ended}`;
  const lag = explainLag(broker.inspect(), behind.id, behind.topics);
  return `Group ${quoted(behind.id)} has not committed everything. ${lag}${ended}`;
}

function explainExits({ exits }: Copy, service: string): string {
  const last = exits.at(-1);
  const times = exits.length > 1 ? ` ${exits.length} times` : '';
  return last === undefined ? '' : `${service} ${explainExit(last)}${times}.`;
}
