import { afterEach, beforeEach } from 'vitest';
import { Broker } from '../../../emulator/broker/broker.js';
import type { BrokerOptions } from '../../../emulator/broker/options.js';
import { LogRecorder } from './log-recorder.js';
import { ManualClock, settle } from './manual-clock.js';
import { type AnyResponse, WireClient } from './wire-client.js';

const OFFSET_COMMIT = 8;
const JOIN = 11;
const HEARTBEAT = 12;
const LEAVE = 13;
const SYNC = 14;

export const SESSION_MS = 10_000;
export const REBALANCE_MS = 60_000;

/** Replaced before each test. */
export let clock: ManualClock;
export let broker: Broker;

/** Gives each test of a file a broker and a clock of its own. */
export function useBroker(options: BrokerOptions = {}): void {
  beforeEach(() => {
    clock = new ManualClock();
    broker = new Broker({
      topics: [{ name: 'events', partitions: 2 }],
      clock,
      logger: new LogRecorder(),
      ...options,
    });
  });
  afterEach(() => broker.stop());
}

export interface JoinOptions {
  readonly version?: number;
  readonly memberId?: string;
  readonly sessionMs?: number;
  readonly rebalanceMs?: number;
  readonly protocols?: readonly string[];
  readonly metadata?: string | Buffer;
  readonly protocolType?: string;
  readonly group?: string;
}

/** A group member with its own connection. */
export class Member {
  readonly client = WireClient.to(broker);
  readonly name: string;
  readonly group: string;
  readonly #instance: string | null;
  readonly #protocols: readonly string[];
  id = '';
  generation = -1;
  leader = false;
  errorCode = 0;
  protocol = '';
  members: { memberId: string }[] = [];

  constructor(
    name: string,
    options: { group?: string; instance?: string; protocols?: readonly string[] } = {},
  ) {
    this.name = name;
    this.group = options.group ?? 'group';
    this.#instance = options.instance ?? null;
    this.#protocols = options.protocols ?? ['range'];
  }

  tryJoin(options: JoinOptions = {}): Promise<AnyResponse> {
    const protocols = (options.protocols ?? this.#protocols).map((name) => ({
      name,
      metadata: Buffer.from(options.metadata ?? `topics of ${this.name}`),
    }));
    return this.client.request(
      JOIN,
      options.version ?? 7,
      {
        groupId: options.group ?? this.group,
        sessionTimeoutMs: options.sessionMs ?? SESSION_MS,
        rebalanceTimeoutMs: options.rebalanceMs ?? REBALANCE_MS,
        memberId: options.memberId ?? this.id,
        groupInstanceId: this.#instance,
        protocolType: options.protocolType ?? 'consumer',
        protocols,
      },
      this.name,
    );
  }

  /** Joins as a client does: for an id first, where the version has them, then with it. */
  async join(options: JoinOptions = {}): Promise<void> {
    let response = await this.tryJoin(options);
    if (response?.errorCode === 79)
      response = await this.tryJoin({ ...options, memberId: response.memberId });
    if (!response) return;
    this.errorCode = response.errorCode;
    this.id = response.memberId;
    this.generation = response.generationId;
    this.leader = response.leader === response.memberId;
    this.protocol = response.protocolName;
    this.members = response.members;
  }

  sync(assignments: Record<string, string> = {}): Promise<AnyResponse> {
    return this.client.request(SYNC, 5, {
      ...this.#self(),
      protocolType: 'consumer',
      protocolName: this.protocol,
      assignments: Object.entries(assignments).map(([memberId, text]) => ({
        memberId,
        assignment: Buffer.from(text),
      })),
    });
  }

  async heartbeat(): Promise<number> {
    return (await this.client.request(HEARTBEAT, 4, this.#self())).errorCode as number;
  }

  async leave(): Promise<number> {
    return (await this.client.request(LEAVE, 2, this.#self())).errorCode as number;
  }

  async commit(
    committedOffset: number,
    options: {
      version?: number;
      partition?: number;
      memberId?: string;
      generation?: number;
      metadata?: string;
    } = {},
  ): Promise<number> {
    const {
      version = 7,
      partition = 0,
      memberId = this.id,
      generation = this.generation,
      metadata = '',
    } = options;
    const partitions = [{ partition, committedOffset, committedMetadata: metadata }];
    const topics = [{ name: 'events', partitions }];
    const body = { ...this.#self(), memberId, generationId: generation, topics };
    const response = await this.client.request(OFFSET_COMMIT, version, body);
    return response.topics[0].partitions[0].errorCode as number;
  }

  #self() {
    return {
      groupId: this.group,
      memberId: this.id,
      generationId: this.generation,
      groupInstanceId: this.#instance,
    };
  }
}

/** Returns the members of a stable group, the leader first. */
export async function stable(one: string): Promise<[Member]>;
export async function stable(one: string, two: string): Promise<[Member, Member]>;
export async function stable(...names: string[]): Promise<Member[]> {
  const members: Member[] = [];
  for (const name of names) {
    members.push(new Member(name));
    await rebalance(members);
  }
  return members;
}

export async function rebalance(
  members: readonly Member[],
  assignments: Record<string, string> = {},
): Promise<void> {
  const newest = members.at(-1)!;
  const joining = newest.join();
  await settle();
  await Promise.all([...members.slice(0, -1).map((member) => member.join()), joining]);
  const leader = members.find((member) => member.leader)!;
  const plan = Object.fromEntries(members.map(({ id, name }) => [id, assignments[name] ?? `of ${name}`]));
  await Promise.all(members.map((member) => member.sync(member === leader ? plan : {})));
}

/** Returns the state of the one group. */
export function state(): string | undefined {
  return broker.inspect().groups[0]?.state;
}
