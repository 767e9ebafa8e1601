import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Broker, createBroker } from '../../../emulator/broker/index.js';
import { LogRecorder } from './log-recorder.js';
import { ManualClock, settle } from './manual-clock.js';
import { type Answer, WireClient } from './wire-client.js';

const FETCH = 1;
const OFFSET_COMMIT = 8;
const OFFSET_FETCH = 9;
const JOIN = 11;
const HEARTBEAT = 12;
const LEAVE = 13;
const SYNC = 14;
const DESCRIBE = 15;
const DELETE = 42;

const SESSION_MS = 10_000;
const REBALANCE_MS = 60_000;

let clock: ManualClock;
let broker: Broker;

beforeEach(() => {
  clock = new ManualClock();
  broker = createBroker({ topics: [{ name: 'events', partitions: 2 }], clock, logger: new LogRecorder() });
});
afterEach(() => broker.stop());

describe('joining', () => {
  it('gives out a member id first from version 4 on, and lets older clients in directly', async () => {
    const modern = new Member('modern');
    expect(await modern.tryJoin({ version: 4 })).toMatchObject({
      errorCode: 79,
      memberId: expect.stringMatching(/^modern-/),
    });
    expect(broker.inspect().groups[0]).toMatchObject({ state: 'Empty', members: [] });
    const old = new Member('old', { group: 'other' });
    expect(await old.tryJoin({ version: 3 })).toMatchObject({ errorCode: 0, generationId: 1 });
  });

  it('forms a group of one at once: there is no initial delay', async () => {
    const one = new Member('one');
    await one.join();
    expect(one).toMatchObject({ generation: 1, leader: true, errorCode: 0 });
    expect(await one.sync({ [one.id]: 'all' })).toMatchObject({
      errorCode: 0,
      assignment: Buffer.from('all'),
    });
    expect(state()).toBe('Stable');
  });

  it.each([
    ['without a group id', { group: '' }, 24],
    ['with a session timeout below the range', { sessionMs: 5999 }, 26],
    ['with a session timeout above the range', { sessionMs: 1_800_001 }, 26],
    ['with an id that nobody gave out', { memberId: 'invented' }, 25],
    ['without a protocol', { protocols: [] }, 23],
  ])('is refused %s', async (_, options, errorCode) => {
    expect(await new Member('x').tryJoin(options)).toMatchObject({ errorCode });
  });

  it('is refused without a protocol in common with the members', async () => {
    await stable('one');
    expect(await new Member('x').tryJoin({ protocols: ['other'] })).toMatchObject({ errorCode: 23 });
    expect(state()).toBe('Stable');
  });

  it('forgets an id that was given out and not used within the session timeout', async () => {
    const slow = new Member('slow');
    const { memberId } = await slow.tryJoin();
    await clock.advance(SESSION_MS);
    expect(await slow.tryJoin({ memberId })).toMatchObject({ errorCode: 25 });
  });
});

describe('a rebalance', () => {
  it('brings all members into the next generation, and the leader learns of all of them', async () => {
    const [one] = await stable('one');
    const two = new Member('two');
    const joining = two.join();
    await settle();
    expect(await one.heartbeat()).toBe(27);
    await Promise.all([one.join(), joining]);
    expect([one.generation, two.generation]).toEqual([2, 2]);
    expect([one.leader, two.leader]).toEqual([true, false]);
    expect(one.members.map(({ memberId }) => memberId).sort()).toEqual([one.id, two.id].sort());
    expect(two.members).toEqual([]);

    const waiting = two.sync();
    const [first, second] = await Promise.all([one.sync({ [one.id]: 'a', [two.id]: 'b' }), waiting]);
    expect([String(first.assignment), String(second.assignment)]).toEqual(['a', 'b']);
    expect(state()).toBe('Stable');
    expect(await one.heartbeat()).toBe(0);
  });

  it('goes on without a member that does not join again within the rebalance timeout', async () => {
    const [one, two] = await stable('one', 'two');
    const three = new Member('three');
    const joins = Promise.all([one.join(), three.join()]);
    // It stays alive, and yet does not join.
    for (let waited = 0; waited < REBALANCE_MS; waited += 5000) {
      await clock.advance(5000);
      if (waited < REBALANCE_MS - 5000) expect(await two.heartbeat()).toBe(27);
    }
    await joins;
    expect(
      broker
        .inspect()
        .groups[0]?.members.map(({ id }) => id)
        .sort(),
    ).toEqual([one.id, three.id].sort());
    expect(await two.heartbeat()).toBe(25);
  });

  it('removes a member whose session ends, and the others take over', async () => {
    const [one, two] = await stable('one', 'two');
    await clock.advance(SESSION_MS - 1000);
    expect(await one.heartbeat()).toBe(0);
    await clock.advance(1000);
    expect(await one.heartbeat()).toBe(27);
    await one.join();
    expect(one.members.map(({ memberId }) => memberId)).toEqual([one.id]);
    expect(await two.heartbeat()).toBe(25);
  });

  it('chooses another leader when the leader leaves', async () => {
    const [one, two] = await stable('one', 'two');
    expect(one.leader).toBe(true);
    expect(await one.leave()).toBe(0);
    await two.join();
    expect(two.leader).toBe(true);
  });

  it('chooses the protocol that most members prefer among those that all know', async () => {
    const one = new Member('one', { protocols: ['range', 'roundrobin'] });
    await one.join();
    const two = new Member('two', { protocols: ['roundrobin', 'range'] });
    const three = new Member('three', { protocols: ['roundrobin', 'sticky', 'range'] });
    const joins = Promise.all([two.join(), three.join()]);
    await settle();
    await Promise.all([one.join(), joins]);
    expect(one.protocol).toBe('roundrobin');
  });

  it('starts anew when a member subscribes to something else, and not when it merely asks again', async () => {
    const [one, two] = await stable('one', 'two');
    expect(await two.tryJoin({ memberId: two.id })).toMatchObject({
      errorCode: 0,
      generationId: one.generation,
    });
    expect(state()).toBe('Stable');
    void two.tryJoin({ memberId: two.id, metadata: 'other topics' });
    await settle();
    expect(state()).toBe('PreparingRebalance');
  });

  it('removes members that join and then never ask for their assignment', async () => {
    const [one, two] = await stable('one', 'two');
    const again = one.join({ metadata: 'new' });
    await settle();
    await Promise.all([again, two.join()]);
    const syncing = one.sync({ [one.id]: 'a' });
    expect(await syncing).toMatchObject({ errorCode: 0 });
    for (let waited = 0; waited < REBALANCE_MS; waited += 5000) {
      await two.heartbeat();
      await one.heartbeat();
      await clock.advance(5000);
    }
    expect(broker.inspect().groups[0]?.members.map(({ id }) => id)).toEqual([one.id]);
  });

  it('answers an assignment that still waits with REBALANCE_IN_PROGRESS when it starts again', async () => {
    const [one, two] = await stable('one', 'two');
    const joining = one.join({ metadata: 'new' });
    // A follower that asked first would be told of the generation that there is, and not be waited for again.
    await settle();
    await Promise.all([joining, two.join()]);
    const waiting = two.sync();
    await settle();
    void new Member('three').join();
    expect((await waiting).errorCode).toBe(27);
  });

  it('ends the long poll of a member, also on another connection of the same client', async () => {
    const [one] = await stable('one');
    const poller = WireClient.to(broker);
    let ended = false;
    const topics = [
      { topic: 'events', partitions: [{ partition: 0, fetchOffset: 0, partitionMaxBytes: 1000 }] },
    ];
    const body = { replicaId: -1, maxWaitMs: 60_000, minBytes: 1, topics };
    const polling = poller.request(FETCH, 11, body, 'one').then(() => (ended = true));
    await settle();
    expect(ended).toBe(false);
    void new Member('two').join();
    await polling;
    // Until it has joined again its polls are short, since it beats only between them.
    const next = poller.request(FETCH, 11, body, 'one');
    await clock.advance(100);
    await next;
    expect(one.errorCode).toBe(0);
  });
});

describe('static members (KIP-345)', () => {
  it('come back under their instance id without a rebalance, with their old assignment', async () => {
    const [one] = await stable('one');
    const fixed = new Member('fixed', { instance: 'node-1' });
    await rebalance([one, fixed], { fixed: 'mine' });
    const generation = fixed.generation;
    const restarted = new Member('fixed', { instance: 'node-1' });
    await restarted.join();
    expect(restarted).toMatchObject({ errorCode: 0, generation, leader: false });
    expect(restarted.id).not.toBe(fixed.id);
    expect(String((await restarted.sync()).assignment)).toBe('mine');
    expect(state()).toBe('Stable');
    expect(await fixed.heartbeat()).toBe(82);
    expect(await restarted.heartbeat()).toBe(0);
  });

  it('keep their place through a rebalance that they miss, until their session ends', async () => {
    const [one] = await stable('one');
    const fixed = new Member('fixed', { instance: 'node-1' });
    await rebalance([one, fixed], { fixed: 'mine' });
    await clock.advance(SESSION_MS - 1000);
    await one.heartbeat();
    await clock.advance(1000);
    expect(broker.inspect().groups[0]?.members).toHaveLength(1);
  });

  it('keep their place in a rebalance that they miss, but do not lead it', async () => {
    const fixed = new Member('fixed', { instance: 'node-1' });
    await fixed.join();
    await fixed.sync({ [fixed.id]: 'mine' });
    const two = new Member('two');
    const joining = two.join();
    for (let waited = 0; waited < REBALANCE_MS; waited += 5000) {
      await clock.advance(5000);
      await fixed.heartbeat();
    }
    await joining;
    expect(two.leader).toBe(true);
    expect(two.members.map(({ memberId }) => memberId).sort()).toEqual([fixed.id, two.id].sort());
  });

  it('lead again without assigning anew when their client can be told so (version 9)', async () => {
    const fixed = new Member('fixed', { instance: 'node-1' });
    await fixed.join();
    await fixed.sync({ [fixed.id]: 'mine' });
    const restarted = new Member('fixed', { instance: 'node-1' });
    expect(await restarted.tryJoin({ version: 9 })).toMatchObject({ errorCode: 0, skipAssignment: true });
    const older = new Member('fixed', { instance: 'node-1' });
    const answer = await older.tryJoin({ version: 7 });
    expect(answer).toMatchObject({ errorCode: 0, members: [] });
    expect(answer.leader).not.toBe(answer.memberId);
  });

  it('are removed by an admin client that knows the instance id alone', async () => {
    const fixed = new Member('fixed', { instance: 'node-1' });
    await fixed.join();
    await fixed.sync({ [fixed.id]: 'mine' });
    const answer = await WireClient.to(broker).request(LEAVE, 4, {
      groupId: 'group',
      members: [
        { memberId: '', groupInstanceId: 'node-1' },
        { memberId: '', groupInstanceId: 'node-2' },
      ],
    });
    expect(answer.members).toMatchObject([{ errorCode: 0 }, { errorCode: 25 }]);
    expect(state()).toBe('Empty');
  });
});

describe('what is told of a group', () => {
  const lastDeparture = () => broker.inspect().groups[0]?.lastDeparture;

  it('is how the last member went', async () => {
    const [one, two] = await stable('one', 'two');
    expect(lastDeparture()).toBeUndefined();
    await two.leave();
    expect(lastDeparture()).toEqual({ clientId: 'two', reason: 'left' });
    await rebalance([one]);
    await clock.advance(SESSION_MS);
    expect(broker.inspect().groups[0]).toMatchObject({
      state: 'Empty',
      lastDeparture: { clientId: 'one', reason: 'session expired' },
    });
  });

  it('is that a member did not join again in time', async () => {
    const [one, two] = await stable('one', 'two');
    const joining = one.join({ metadata: 'other topics' });
    for (let waited = 0; waited < REBALANCE_MS; waited += 5000) {
      await two.heartbeat();
      await clock.advance(5000);
    }
    await joining;
    expect(lastDeparture()).toEqual({ clientId: 'two', reason: 'did not join again in time' });
  });

  it('is how long ago each member asked for records', async () => {
    const [one] = await stable('one', 'two');
    const body = { replicaId: -1, maxWaitMs: 0, minBytes: 0, topics: [] };
    await one.client.request(FETCH, 11, body, 'one');
    await clock.advance(700);
    expect(
      broker.inspect().groups[0]?.members.map(({ clientId, sinceFetchMs }) => [clientId, sinceFetchMs]),
    ).toEqual([
      ['one', 700],
      ['two', undefined],
    ]);
  });

  it('is each commit, as it happens, until nobody listens any more', async () => {
    const [one] = await stable('one');
    const seen: (number | undefined)[] = [];
    const end = broker.onCommit((groupId) =>
      seen.push(broker.inspect().groups.find(({ id }) => id === groupId)?.offsets[0]?.committed),
    );
    await one.commit(1);
    await one.commit(7, { generation: 99 });
    await one.commit(2);
    end();
    await one.commit(3);
    expect(seen).toEqual([1, 2]);
  });
});

describe('commits', () => {
  it('are kept with their metadata, and -1 stands for what was never committed', async () => {
    const [one] = await stable('one');
    expect(await one.commit(5, { metadata: 'note' })).toBe(0);
    for (const version of [1, 2, 5, 7]) {
      const body = { groupId: 'group', topics: [{ name: 'events', partitions: [0, 1] }] };
      const answer = await one.client.request(OFFSET_FETCH, version, body);
      expect(answer.topics[0].partitions).toMatchObject([
        { partition: 0, committedOffset: 5, metadata: 'note', errorCode: 0 },
        { partition: 1, committedOffset: -1, metadata: '', errorCode: 0 },
      ]);
    }
    const body = {
      groups: [
        { groupId: 'group', topics: null },
        { groupId: 'nobody', topics: null },
      ],
    };
    const several = await one.client.request(OFFSET_FETCH, 8, body);
    expect(several.groups[0].topics[0].partitions).toMatchObject([{ partition: 0, committedOffset: 5 }]);
    expect(several.groups[1]).toMatchObject({ groupId: 'nobody', topics: [], errorCode: 0 });
  });

  it('of all versions are understood', async () => {
    const [one] = await stable('one');
    for (const version of [1, 2, 3, 4, 5, 6, 7, 8, 9]) expect(await one.commit(version, { version })).toBe(0);
    expect(broker.inspect().groups[0]?.offsets).toMatchObject([
      { topic: 'events', partition: 0, committed: 9 },
    ]);
  });

  it('are taken while a rebalance is prepared, and not while it completes', async () => {
    const [one] = await stable('one');
    const joining = new Member('two').join();
    await settle();
    expect(state()).toBe('PreparingRebalance');
    expect(await one.commit(1)).toBe(0);
    await Promise.all([one.join(), joining]);
    expect(state()).toBe('CompletingRebalance');
    expect(await one.commit(2)).toBe(27);
    expect(broker.inspect().groups[0]?.offsets[0]?.committed).toBe(1);
  });

  it('are refused to strangers and of other generations', async () => {
    const [one] = await stable('one');
    expect(await one.commit(1, { generation: 7 })).toBe(22);
    expect(await one.commit(1, { memberId: 'stranger' })).toBe(25);
    expect(await one.commit(1, { memberId: '', generation: -1 })).toBe(25);
    expect(await new Member('x', { group: 'none' }).commit(1, { generation: 3 })).toBe(22);
  });

  it('are taken from a client without a group protocol while the group has no members', async () => {
    const alone = new Member('alone', { group: 'manual' });
    expect(await alone.commit(3, { memberId: '', generation: -1 })).toBe(0);
    expect(broker.inspect().groups[0]).toMatchObject({ id: 'manual', state: 'Empty' });
  });

  it('name unknown partitions and too long metadata', async () => {
    const [one] = await stable('one');
    expect(await one.commit(1, { partition: 9 })).toBe(3);
    expect(await one.commit(1, { metadata: 'x'.repeat(4097) })).toBe(12);
  });

  it('go when the topic is deleted', async () => {
    const [one] = await stable('one');
    await one.commit(1);
    await one.client.request(20, 3, { topicNames: ['events'], timeoutMs: 0 });
    expect(broker.inspect().groups[0]?.offsets).toEqual([]);
  });
});

describe('deleting and describing', () => {
  it('deletes only groups without members', async () => {
    const [one] = await stable('one');
    const remove = async (...groupNames: string[]) => {
      const { results } = await one.client.request(DELETE, 2, { groupNames });
      return (results as { errorCode: number }[]).map(({ errorCode }) => errorCode);
    };
    expect(await remove('group', 'none', '')).toEqual([68, 69, 69]);
    await one.leave();
    expect(await remove('group')).toEqual([0]);
    expect(broker.inspect().groups).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('describes members with their assignment, and an unknown group as Dead', async () => {
    const [one] = await stable('one');
    const { groups } = await one.client.request(DESCRIBE, 5, { groups: ['group', 'none'] });
    expect(groups).toMatchObject([
      {
        errorCode: 0,
        groupState: 'Stable',
        protocolType: 'consumer',
        protocolData: 'range',
        members: [
          {
            memberId: one.id,
            clientId: 'one',
            clientHost: '/test',
            memberAssignment: Buffer.from('of one'),
          },
        ],
      },
      { errorCode: 0, groupId: 'none', groupState: 'Dead', members: [] },
    ]);
  });

  it('leaves no timer behind when the broker stops', async () => {
    await stable('one', 'two');
    void new Member('three').join();
    await settle();
    await broker.stop();
    expect(clock.pending).toBe(0);
  });
});

interface JoinOptions {
  readonly version?: number;
  readonly memberId?: string;
  readonly sessionMs?: number;
  readonly protocols?: readonly string[];
  readonly metadata?: string;
  readonly group?: string;
}

/** A member as a client keeps it; each has a connection of its own. */
class Member {
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

  tryJoin(options: JoinOptions = {}): Promise<Answer> {
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
        rebalanceTimeoutMs: REBALANCE_MS,
        memberId: options.memberId ?? this.id,
        groupInstanceId: this.#instance,
        protocolType: 'consumer',
        protocols,
      },
      this.name,
    );
  }

  /** Joins as a client does: first for an id where one is given out, then with it. */
  async join(options: JoinOptions = {}): Promise<void> {
    let answer = await this.tryJoin(options);
    if (answer?.errorCode === 79) answer = await this.tryJoin({ ...options, memberId: answer.memberId });
    if (!answer) return;
    this.errorCode = answer.errorCode;
    this.id = answer.memberId;
    this.generation = answer.generationId;
    this.leader = answer.leader === answer.memberId;
    this.protocol = answer.protocolName;
    this.members = answer.members;
  }

  sync(assignments: Record<string, string> = {}): Promise<Answer> {
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
    const answer = await this.client.request(OFFSET_COMMIT, version, body);
    return answer.topics[0].partitions[0].errorCode as number;
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

/** Members of a group that has settled, the first one being the leader. */
async function stable(one: string): Promise<[Member]>;
async function stable(one: string, two: string): Promise<[Member, Member]>;
async function stable(...names: string[]): Promise<Member[]> {
  const members: Member[] = [];
  for (const name of names) {
    members.push(new Member(name));
    await rebalance(members);
  }
  return members;
}

async function rebalance(
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

function state(): string | undefined {
  return broker.inspect().groups[0]?.state;
}
