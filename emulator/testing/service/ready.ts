import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:net';
import { BusbarError, quoted, readDuration } from 'busbar/base';
import type { MemberDescription } from '../../broker/inspect.js';
import type { EmbeddedBroker } from '../../broker/start.js';
import type { Budget } from './budget.js';
import type { ReadServiceContract, ServiceContract } from './contract.js';
import { explainExit, type ServiceProcess } from './process.js';
import { fill, type Values } from './placeholders.js';

/**
 * Resolves when a process is ready, and its group fetches: a service that begins at the end of a topic would miss what is
 * sent before.
 * @param members Members that the group has without the process.
 * @throws BusbarError `invalid-option` for a process that ends first, or is not ready in time
 * @throws BudgetSpent
 */
export async function isReady(
  broker: EmbeddedBroker,
  contract: ReadServiceContract,
  { process, values }: { readonly process: ServiceProcess; readonly values: Values },
  { members, budget }: { readonly members: number; readonly budget: Budget },
): Promise<void> {
  const { ready = {}, group } = contract;
  const timeout = readDuration(ready.timeout ?? '30s') ?? 0;
  const notFetching = `group ${quoted(group ?? '')} has members that have not fetched`;
  const [topic = ''] = contract.topics;
  const pattern = ready.log === undefined ? undefined : new RegExp(ready.log);
  let hasLogged = pattern === undefined;
  process.onLine = (line) => (hasLogged ||= pattern?.test(line) === true);
  const until = performance.now() + timeout;
  let missing = '';
  let contradictedFrom: number | undefined;
  try {
    while ((missing = contradiction() || (await whatIsMissing())) !== '') {
      budget.require();
      if (!process.isRunning) {
        const exit = await process.exited;
        const advice = exit.code === 0 ? ' It must stay in the foreground.' : '';
        throw objection(`The service ${explainExit(exit)} before it was ready.${advice}`, process.lastLines);
      }
      if (performance.now() > until) {
        const error = objection(
          `The service is not ready after ${timeout} ms: ${missing}. Raise "ready.timeout" for a slower service.`,
          process.lastLines,
        );
        throw missing === notFetching ? new NotFetching(error.code, error.message) : error;
      }
      await sleep(10);
    }
  } finally {
    process.onLine = () => undefined;
  }

  async function whatIsMissing(): Promise<string> {
    const { http, tcp } = ready;
    if (!hasLogged) return 'no line of output matches "ready.log"';
    if (http !== undefined && !(await respondsOk(fill(http, values))))
      return `${quoted(fill(http, values))} returns no status below 400`;
    if (tcp !== undefined && !(await accepts(fill(tcp, values))))
      return `${quoted(fill(tcp, values))} accepts no connection`;
    const { topics, groups } = broker.inspect();
    if (group === null) return consumedBy(broker, group).length > 0 ? '' : 'it has not fetched';
    const state = groups.find(({ id }) => id === group);
    if (state === undefined || state.members.length <= members)
      return `group ${quoted(group)} has ${members === 0 ? 'no' : 'no more'} members`;
    const count = topics.find(({ name }) => name === topic)?.partitions.length;
    const owned = state.members.flatMap(({ assignment }) => assignment[topic] ?? []);
    // A member without a partition never fetches, if none is left for it.
    const isFetching = ({ assignment, sinceFetchMs }: MemberDescription) =>
      sinceFetchMs !== undefined || (owned.length === count && (assignment[topic] ?? []).length === 0);
    const areFetching = state.state === 'Stable' && state.members.every(isFetching);
    return areFetching ? '' : notFetching;
  }

  /** Returns how the service differs from its contract. @throws BusbarError `invalid-option` if it stays so */
  function contradiction(): string {
    const consumed = consumedBy(broker, group);
    const [member, problem] = consumed.includes(topic) ? [] : (otherTopic(consumed) ?? otherGroup() ?? []);
    if (problem === undefined) {
      contradictedFrom = undefined;
      return '';
    }
    contradictedFrom ??= performance.now();
    if (performance.now() - contradictedFrom < certainMs) return problem;
    throw new BusbarError('invalid-option', `The service is not ready: ${problem}. Correct "${member}".`);
  }

  function otherTopic([other]: readonly string[]) {
    return other && ['topics', `it consumes ${quoted(other)}, and events go to ${quoted(topic)}`];
  }

  function otherGroup() {
    const other = broker.inspect().groups.find(({ id }) => consumedBy(broker, id).includes(topic));
    return other && ['group', `it consumes in group ${quoted(other.id)}, not in ${quoted(group ?? '')}`];
  }
}

/** A process that has joined its group, and does not fetch. */
export class NotFetching extends BusbarError {}

/** Longest time in which a service consumes another topic than the contract names, or in another group. */
const certainMs = 3_000;

/** Returns the topics of a group's assignments, or those that were fetched. */
function consumedBy(broker: EmbeddedBroker, group: string | null): string[] {
  const { topics, groups } = broker.inspect();
  if (group === null)
    return topics
      .filter(({ partitions }) => partitions.some(({ lastFetchOffset }) => lastFetchOffset >= 0))
      .map(({ name }) => name);
  const { members = [] } = groups.find(({ id }) => id === group) ?? {};
  return members.flatMap(({ assignment }) =>
    Object.keys(assignment).filter((name) => (assignment[name] ?? []).length > 0),
  );
}

/** @throws BusbarError `invalid-option` if another program already serves the address of `ready` */
export async function requireFree({ ready = {} }: ServiceContract, values: Values): Promise<void> {
  const { http, tcp } = ready;
  const address = http === undefined ? tcp && fill(tcp, values) : addressOf(fill(http, values));
  if (address === undefined || !(await accepts(address))) return;
  const message = `Another program listens on ${quoted(address)} of "ready". Stop it, or use {port}.`;
  throw new BusbarError('invalid-option', message);
}

function addressOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return `${host}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

async function respondsOk(url: string): Promise<boolean> {
  // A refused request costs ten times as much as a refused connection, and a service takes long to start.
  if (!(await accepts(addressOf(url)))) return false;
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  await response?.body?.cancel();
  return response !== undefined && response.status < 400;
}

function accepts(address: string): Promise<boolean> {
  const [host = '', port = ''] = address.split(/:(?=\d+$)/);
  return new Promise((resolve) => {
    const socket = connect(Number(port), host);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Returns an error with the last lines that a service has written. */
export function objection(message: string, lines: readonly string[]): BusbarError {
  const hint = endOf(lines) || ' Start it by hand to see why.';
  return new BusbarError('invalid-option', `${message}${hint}`);
}

/** Returns the last lines that a service has written as a sentence, or nothing. Frames of a stack are left out. */
export function endOf(lines: readonly string[]): string {
  const messages = new Set(lines.filter((line) => /^(?!#\d)\S/.test(line)));
  return messages.size === 0 ? '' : ` Its output ends with: ${[...messages].slice(-4).join(' | ')}`;
}
