import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type EmbeddedBroker, startEmbeddedBroker } from '../../emulator/broker/start.js';
import { silentLogger } from '../../src/base/logger.js';
import type { Measured } from '../measure.js';

const partitions = 12;
const events = 16_000;
/** Events a second while the group changes. */
const load = 1_000;

/**
 * Measures a consumer group of 1, 2 and 4 processes on 12 partitions of the embedded broker. Then replaces 4 processes
 * under load one after the other, and kills one of 4. Each handler waits 20 ms.
 */
export async function* measureScale(): AsyncGenerator<Measured> {
  const rates = new Map<number, number>();
  for (const size of [1, 2, 4]) rates.set(size, await withGroup((group) => rateOf(group, size)));
  const [alone = Number.NaN] = rates.values();
  for (const [size, rate] of rates) {
    const name = size === 1 ? '1 process' : `${size} processes`;
    yield { case: `events a second of ${name}`, ratio: rate, unit: '/s' };
    if (size > 1) yield { case: `${name}, of 1`, ratio: rate / alone };
  }
  for (const [what, change] of [
    ['deployment', deploy],
    ['crash', crash],
  ] as const) {
    const { sent, count, handled, longestPause } = await withGroup((group) => underLoad(group, change));
    yield { case: `events during a ${what}`, ratio: sent, unit: 'events' };
    yield { case: `lost during a ${what}`, ratio: sent - handled.size, target: 0, unit: 'events' };
    yield { case: `handled twice during a ${what}`, ratio: count - handled.size, unit: 'events' };
    yield { case: `longest silence during a ${what}`, ratio: longestPause / 1_000, unit: 's' };
  }
}

/** A topic with a group of processes. */
class Group {
  readonly #broker: EmbeddedBroker;
  readonly #members = new Set<ChildProcess>();
  readonly handled = new Set<number>();
  sent = 0;
  count = 0;
  longestPause = 0;
  #last = performance.now();

  constructor(broker: EmbeddedBroker) {
    this.#broker = broker;
  }

  /** Starts a process, and waits until the whole group has partitions. */
  async join(): Promise<ChildProcess> {
    const args = [`127.0.0.1:${this.#broker.port}`, 'scale'];
    const options = { execArgv: ['--import', 'tsx'] };
    const member = fork(new URL('./member.ts', import.meta.url), args, options);
    this.#members.add(member);
    member.on('message', (number: number) => this.#handle(number));
    const isStable = () => {
      const [group] = this.#broker.inspect().groups;
      return group?.state === 'Stable' && group.members.length === this.#members.size;
    };
    while (!isStable()) await pause(10);
    return member;
  }

  /** Ends a process as a deployment does, or at once. */
  async leave(member: ChildProcess, how: 'drained' | 'killed' = 'drained'): Promise<void> {
    const ended = once(member, 'exit');
    if (how === 'drained') member.send('stop');
    else member.kill('SIGKILL');
    await ended;
    this.#members.delete(member);
  }

  send(count: number): void {
    const records = Array.from({ length: count }, () => recordAt(this.sent++));
    this.#broker.append('events', records);
  }

  /** Resolves when each event has been handled. */
  async finish(): Promise<void> {
    while (this.handled.size < this.sent) await pause(10);
  }

  async end(): Promise<void> {
    await Promise.all([...this.#members].map((member) => this.leave(member)));
  }

  #handle(number: number): void {
    const now = performance.now();
    this.longestPause = Math.max(this.longestPause, now - this.#last);
    this.#last = now;
    this.count++;
    this.handled.add(number);
  }

  /** Forgets what happened so far, except for the events. */
  begin(): void {
    this.#last = performance.now();
    this.longestPause = 0;
  }
}

async function withGroup<Result>(measure: (group: Group) => Promise<Result>): Promise<Result> {
  const broker = await startEmbeddedBroker({
    port: 0,
    logger: silentLogger,
    topics: ['events', 'events.dead-letter'].map((name) => ({ name, partitions })),
  });
  const group = new Group(broker);
  try {
    return await measure(group);
  } finally {
    await group.end();
    await broker.stop();
  }
}

/** Returns the events a second of a group with so many processes. */
async function rateOf(group: Group, size: number): Promise<number> {
  for (let index = 0; index < size; index++) await group.join();
  const start = performance.now();
  group.send(events);
  await group.finish();
  return (events / (performance.now() - start)) * 1_000;
}

/** Changes a group of 4 processes while events arrive, and waits until all are handled. */
async function underLoad(
  group: Group,
  change: (group: Group, members: readonly ChildProcess[]) => Promise<void>,
): Promise<Group> {
  const members = [];
  for (let index = 0; index < 4; index++) members.push(await group.join());
  group.begin();
  const timer = setInterval(() => group.send(load / 50), 20);
  await pause(2_000);
  await change(group, members);
  await pause(2_000);
  clearInterval(timer);
  await group.finish();
  return group;
}

/** Replaces each process: its successor joins, then it leaves. */
async function deploy(group: Group, members: readonly ChildProcess[]): Promise<void> {
  for (const member of members) {
    await group.join();
    await group.leave(member);
  }
}

/** Kills a process, and starts another one. */
async function crash(group: Group, members: readonly ChildProcess[]): Promise<void> {
  await group.leave(members[0]!, 'killed');
  await group.join();
}

/** The record of an event, whose id ends in its number. A thousand accounts share the events. */
function recordAt(number: number) {
  const id = `018f3c2e-0000-7000-8000-${String(number).padStart(12, '0')}`;
  const account = `A-${String(number % 1_000).padStart(8, '0')}`;
  const payload = { account_number: account, account_user_emails: [] };
  const event = { id, event_type: 'account.created', version: 'v1', occurred_at: '2026-03-01T00:00:00.000Z' };
  return {
    partition: (number % 1_000) % partitions,
    key: Buffer.from(account),
    value: Buffer.from(JSON.stringify({ ...event, payload })),
    headers: { 'event-type': 'account.created', 'event-version': 'v1' },
  };
}
