import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRequire } from 'node:module';
import { apis } from '../../../emulator/broker/apis/all.js';
import { Broker } from '../../../emulator/broker/broker.js';
import { errorsOf, kafkaErrors, codeOf } from '../../../emulator/broker/faults/known-errors.js';
import type { FaultRule, HoldPoint } from '../../../emulator/broker/index.js';
import { smallestMessage } from './arbitrary-messages.js';
import { batchOf } from './batches.js';
import { LogRecorder } from './log-recorder.js';
import { ManualClock, settle } from './manual-clock.js';
import { type AnyResponse, WireClient } from './wire-client.js';

const PRODUCE = 0;
const FETCH = 1;
const METADATA = 3;
const OFFSET_COMMIT = 8;
const OFFSET_FETCH = 9;
const FIND_COORDINATOR = 10;

const { errorCodes: kafkajsErrors } = createRequire(import.meta.url)('kafkajs/src/protocol/error') as {
  readonly errorCodes: readonly { readonly type: string; readonly code: number }[];
};

let broker: Broker;
let client: WireClient;
let clock: ManualClock;

beforeEach(() => {
  clock = new ManualClock();
  broker = brokerOf(1);
  client = WireClient.to(broker);
});
afterEach(() => broker.stop());

function brokerOf(seed: number): Broker {
  const topics = [
    { name: 'orders', partitions: 3 },
    { name: 'bills', partitions: 1 },
  ];
  return new Broker({ topics, clock, seed, logger: new LogRecorder() });
}

describe('faults.add()', () => {
  it('returns an error, without carrying the request out, until the rule is removed', async () => {
    const id = broker.faults.add({ on: 'Produce', error: 'NOT_LEADER_OR_FOLLOWER' });
    expect(await produced()).toEqual([6]);
    expect(end('bills')).toBe(0);
    broker.faults.remove(id);
    expect(await produced()).toEqual([0]);
    expect(end('bills')).toBe(1);
  });

  it.each(
    [...apis.values()].map(({ key, name, maxVersion, request }) => ({ key, name, maxVersion, request })),
  )('returns an error to every API: $name', async ({ key, name, maxVersion, request }) => {
    broker.faults.add({ on: name, error: 'NOT_CONTROLLER', unlikely: true });
    const message = smallestMessage(request);
    const response = await client.request(
      key,
      maxVersion,
      key === PRODUCE ? { ...message, acks: 1 } : message,
    );
    expect(JSON.stringify(response)).toContain('"errorCode":41');
  });

  it.each([
    ['NOT_LEADER_OR_FOLLOWER', 0, 6],
    ['FETCH_SESSION_ID_NOT_FOUND', 70, 70],
  ] as const)('returns %s to a fetch as %i, and to its partitions as %i', async (error, whole, partition) => {
    broker.faults.add({ on: 'Fetch', error });
    const { errorCode, topics } = await fetched(11, 'bills', [0]);
    expect([errorCode, topics[0].partitions[0].errorCode]).toEqual([whole, partition]);
  });

  it('closes the connection of a producer that expects no response', async () => {
    broker.faults.add({ on: 'Produce', error: 'KAFKA_STORAGE_ERROR' });
    expect(await client.request(PRODUCE, 7, produceRequest('bills', [0], 0))).toBeUndefined();
    expect(end('bills')).toBe(0);
  });

  it('delays a request by the broker’s clock', async () => {
    broker.faults.add({ on: 'Produce', delay: '1s' });
    void produced();
    await clock.advance(999);
    expect(end('bills')).toBe(0);
    await clock.advance(1);
    expect(end('bills')).toBe(1);
  });

  it.each([
    ['before', 0],
    ['answer', 1],
  ] as const)('cuts the connection: %s', async (cut, appended) => {
    broker.faults.add({ on: 'Produce', cut });
    expect(await client.request(PRODUCE, 7, produceRequest('bills', [0]))).toBeUndefined();
    expect(end('bills')).toBe(appended);
  });

  it('reports a throttle time', async () => {
    broker.faults.add({ on: 'Produce', throttle: '2s' });
    expect(await client.request(PRODUCE, 7, produceRequest('bills', [0]))).toMatchObject({
      throttleTimeMs: 2000,
    });
    expect(end('bills')).toBe(1);
  });

  it('carries another leader epoch in metadata, offsets and batches', async () => {
    broker.append('bills', [{ value: 'a' }]);
    broker.append('bills', [{ value: 'b' }]);
    for (const on of ['Metadata', 'Fetch', 'ListOffsets']) broker.faults.add({ on, epoch: 3 });
    expect((await metadata(7, ['bills'])).topics[0].partitions).toMatchObject([{ leaderEpoch: 3 }]);
    const { partitions } = (await fetched(11, 'bills', [0], { currentLeaderEpoch: 3 })).topics[0];
    const records: Buffer = partitions[0].records;
    const second = 12 + records.readInt32BE(8);
    expect([partitions[0].errorCode, records.readInt32BE(12), records.readInt32BE(second + 12)]).toEqual([
      0, 3, 3,
    ]);
    broker.faults.clear();
    const unchanged: Buffer = (await fetched(11, 'bills', [0])).topics[0].partitions[0].records;
    expect(unchanged.readInt32BE(12)).toBe(0);
    expect(
      (await fetched(11, 'bills', [0], { currentLeaderEpoch: 3 })).topics[0].partitions[0].errorCode,
    ).toBe(75);
  });

  it('asks rules in the order in which they were added, and applies the first', async () => {
    broker.faults.add({ on: 'Produce', error: 'NOT_ENOUGH_REPLICAS', times: 2 });
    broker.faults.add({ on: 'Produce', error: 'REQUEST_TIMED_OUT', times: 2 });
    expect([...(await produced()), ...(await produced()), ...(await produced())]).toEqual([19, 19, 7]);
    expect(broker.faults.list().map(({ applied }) => applied)).toEqual([2, 1]);
  });

  it('leaves the first requests alone and faults some', async () => {
    broker.faults.add({ on: 'Produce', error: 'NOT_ENOUGH_REPLICAS', skip: 1, times: 2 });
    const codes = [];
    for (let request = 0; request < 5; request += 1) codes.push(...(await produced()));
    expect(codes).toEqual([0, 19, 19, 0, 0]);
  });

  it('records what it did to whom', async () => {
    const id = broker.faults.add({ on: 'Produce', topic: 'orders', error: 'NOT_ENOUGH_REPLICAS' });
    await produced('orders', [2]);
    await produced('orders', [2]);
    await produced('orders', [0, 1]);
    const common = {
      rule: id,
      at: clock.now(),
      api: 'Produce',
      clientId: 'wire',
      did: 'error NOT_ENOUGH_REPLICAS',
    };
    const all = [
      { number: 1, partition: 'orders/2', nth: 1, ...common },
      { number: 2, partition: 'orders/2', nth: 2, ...common },
      { number: 3, partition: null, nth: 1, ...common },
    ];
    expect(broker.faults.applied()).toEqual(all);
    expect(broker.faults.applied(2)).toEqual(all.slice(2));
  });
});

describe('filters of a rule', () => {
  it('select a client', async () => {
    broker.faults.add({ on: 'Produce', client: 'other', error: 'NOT_ENOUGH_REPLICAS' });
    expect(await produced()).toEqual([0]);
    const response = await client.request(PRODUCE, 7, produceRequest('bills', [0]), 'other');
    expect(response.topics[0].partitions[0].errorCode).toBe(19);
  });

  it('select versions', async () => {
    broker.faults.add({ on: 'Metadata', versions: 'v5-7', error: 'LEADER_NOT_AVAILABLE' });
    const codes = [];
    for (const version of [4, 5, 7, 8]) codes.push((await metadata(version, ['bills'])).topics[0].errorCode);
    expect(codes).toEqual([0, 5, 5, 0]);
  });

  it('select a group wherever an API names it', async () => {
    broker.faults.add({ on: 'OffsetFetch', group: 'mine', error: 'NOT_COORDINATOR' });
    broker.faults.add({ on: 'FindCoordinator', group: 'mine', error: 'COORDINATOR_NOT_AVAILABLE' });
    const codesOf = async (groupId: string): Promise<unknown> => [
      (await client.request(OFFSET_FETCH, 7, { groupId, topics: null })).errorCode,
      (await client.request(OFFSET_FETCH, 8, { groups: [{ groupId, topics: null }] })).groups[0].errorCode,
      (await client.request(FIND_COORDINATOR, 2, { key: groupId, keyType: 0 })).errorCode,
      (await client.request(FIND_COORDINATOR, 4, { coordinatorKeys: [groupId], keyType: 0 })).coordinators[0]
        .errorCode,
    ];
    expect(await codesOf('mine')).toEqual([16, 16, 15, 15]);
    expect(await codesOf('other')).toEqual([0, 0, 0, 0]);
    expect((await client.request(FIND_COORDINATOR, 2, { key: 'mine', keyType: 1 })).errorCode).toBe(0);
  });

  it('refuse only the selected partition, and carry the others out', async () => {
    broker.faults.add({ on: 'Produce', topic: 'orders', partition: 1, error: 'NOT_LEADER_OR_FOLLOWER' });
    expect(await produced('orders', [0, 1, 2])).toEqual([0, 6, 0]);
    expect([0, 1, 2].map((partition) => end('orders', partition))).toEqual([1, 0, 1]);
    expect(await produced('orders', [1])).toEqual([6]);
    expect(await produced('bills', [0])).toEqual([0]);
  });

  it.each([4, 11, 12, 13])('refuse a partition of a fetch without a wait: version %i', async (version) => {
    broker.append('orders', [{ value: 'a', partition: 2 }]);
    broker.faults.add({ on: 'Fetch', topic: 'orders', partition: 1, error: 'NOT_LEADER_OR_FOLLOWER' });
    const response = await fetched(version, 'orders', [0, 1, 2], { maxWaitMs: 60_000 });
    expect(response.topics).toHaveLength(1);
    const partitions: AnyResponse[] = response.topics[0].partitions;
    const of = partitions.map(({ partition, errorCode, records }): unknown[] => [
      partition,
      errorCode,
      records.length > 0,
    ]);
    expect(of).toEqual([
      [0, 0, false],
      [1, 6, false],
      [2, 0, true],
    ]);
    expect(response.errorCode ?? 0).toBe(0);
  });

  it.each([1, 9, 12])('refuse one of the topics in metadata: version %i', async (version) => {
    broker.faults.add({ on: 'Metadata', topic: 'orders', error: 'LEADER_NOT_AVAILABLE' });
    for (const names of [['orders', 'bills'], null]) {
      const topics: AnyResponse[] = (await metadata(version, names)).topics;
      const of = topics.map(({ name, errorCode, partitions }): unknown[] => [
        name,
        errorCode,
        partitions.length,
      ]);
      expect(of).toEqual([
        ['orders', 5, 0],
        ['bills', 0, 1],
      ]);
    }
  });

  it('refuse the only topic of metadata in version 0', async () => {
    broker.faults.add({ on: 'Metadata', topic: 'orders', error: 'LEADER_NOT_AVAILABLE' });
    expect((await metadata(0, ['orders'])).topics).toMatchObject([{ name: 'orders', errorCode: 5 }]);
  });

  it('select the commit that covers a record', async () => {
    const covers = { topic: 'orders', partition: 0, offset: 1 };
    broker.faults.add({ on: 'OffsetCommit', covers, error: 'REBALANCE_IN_PROGRESS' });
    broker.append(
      'orders',
      [0, 1, 2, 3].map((n) => ({ value: String(n), partition: 0 })),
    );
    expect([
      await committed(0, 1),
      await committed(0, 2),
      await committed(1, 2),
      await committed(0, 3),
    ]).toEqual([0, 27, 0, 27]);
  });
});

describe('a share', () => {
  const requests = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(0, 1, 2)), {
    maxLength: 60,
  });

  it('depends on the seed and the requests of a client, and on no other client', () =>
    fc.assert(
      fc.asyncProperty(requests, fc.nat(), fc.constantFrom('a', 'b', 'c'), async (all, seed, one) => {
        const faultsOf = async (sent: typeof all) => {
          const own = brokerOf(seed);
          own.faults.add({ on: 'Produce', share: '40%', error: 'NOT_ENOUGH_REPLICAS' });
          const wire = WireClient.to(own);
          for (const [id, partition] of sent)
            await wire.request(PRODUCE, 7, produceRequest('orders', [partition]), id);
          const applied = own.faults.applied().filter(({ clientId }) => clientId === one);
          await own.stop();
          return applied.map(({ partition, nth }) => `${partition} ${nth}`);
        };
        const alone = all.filter(([id]) => id === one);
        const grouped = [0, 1, 2].flatMap((wanted) => alone.filter(([, partition]) => partition === wanted));
        expect(await faultsOf(all)).toEqual(await faultsOf(alone));
        expect((await faultsOf(grouped)).sort()).toEqual((await faultsOf(alone)).sort());
      }),
      { numRuns: 30 },
    ));

  it('differs between seeds, and takes about its share', async () => {
    const faults = async (seed: number, share: string) => {
      const own = brokerOf(seed);
      own.faults.add({ on: 'Produce', share, error: 'NOT_ENOUGH_REPLICAS' });
      const wire = WireClient.to(own);
      for (let n = 0; n < 400; n += 1) await wire.request(PRODUCE, 7, produceRequest('bills', [0]));
      await own.stop();
      return own.faults.applied().map(({ nth }) => nth);
    };
    const [one, other, none, all] = [
      await faults(1, '25%'),
      await faults(2, '25%'),
      await faults(1, '0%'),
      await faults(1, '100%'),
    ];
    expect(one).not.toEqual(other);
    expect(one.length).toBeGreaterThan(60);
    expect(one.length).toBeLessThan(140);
    expect([none.length, all.length]).toEqual([0, 400]);
  });
});

describe('a rule that cannot apply', () => {
  it.each<[string, object, RegExp]>([
    [
      'an unknown API',
      { on: 'OffsetComit', delay: '1s' },
      /no API "OffsetComit"\. Did you mean "OffsetCommit"\?$/,
    ],
    ['an API that is nothing like', { on: 'x', delay: '1s' }, /no API "x"\. It serves: Produce, Fetch/],
    [
      'an unknown error',
      { on: 'Fetch', error: 'NOT_LEADER' },
      /no error "NOT_LEADER"\. Did you mean "NOT_LEADER_OR_FOLLOWER"\?$/,
    ],
    [
      'an error that Kafka never returns to the API',
      { on: 'Heartbeat', error: 'COORDINATOR_LOAD_IN_PROGRESS' },
      /never returns "COORDINATOR_LOAD_IN_PROGRESS" to "Heartbeat"\. Set "unlikely" .* or use one of .*NOT_COORDINATOR/,
    ],
    [
      'an unknown filter',
      { on: 'Fetch', topics: 'a', delay: '1s' },
      /no option "topics"\. Did you mean "topic"\?$/,
    ],
    [
      'a filter that the API lacks',
      { on: 'Fetch', group: 'a', delay: '1s' },
      /"Fetch" has no group\. Remove the filter/,
    ],
    ['a partition of metadata', { on: 'Metadata', partition: 1, delay: '1s' }, /"Metadata" has no partition/],
    [
      '"covers" of another API',
      { on: 'Fetch', covers: { topic: 'a', partition: 0, offset: 0 }, delay: '1s' },
      /"covers" selects commits/,
    ],
    [
      'a throttle that the API lacks',
      { on: 'SaslHandshake', throttle: '1s' },
      /"SaslHandshake" has no throttle time/,
    ],
    ['an epoch that the API lacks', { on: 'Heartbeat', epoch: 1 }, /"Heartbeat" carries no leader epoch/],
    ['no effect', { on: 'Fetch' }, /exactly one of "error", "delay", "cut", "throttle", "epoch"/],
    ['two effects', { on: 'Fetch', delay: '1s', cut: 'before' }, /exactly one of/],
    [
      'a share and a count',
      { on: 'Fetch', delay: '1s', share: '5%', times: 2 },
      /either "share", or "skip" and "times"/,
    ],
    [
      'an impossible share',
      { on: 'Fetch', delay: '1s', share: '101%' },
      /"share" must be a share from 0% to 100%/,
    ],
    [
      'a delay without a unit',
      { on: 'Fetch', delay: '100' },
      /"delay" must be a duration, for example 200ms/,
    ],
    [
      'versions in another notation',
      { on: 'Fetch', versions: '8+', delay: '1s' },
      /"versions" must be versions, for example v8\+/,
    ],
  ])('says what to do instead: %s', (_what, rule, message) => {
    expect(() => broker.faults.add(rule as FaultRule)).toThrow(message);
    expect(() => broker.faults.add(rule as FaultRule)).toThrow(
      expect.objectContaining({ code: 'invalid-option' }),
    );
    expect(broker.faults.list()).toEqual([]);
  });

  it('allows an unlikely error on demand', async () => {
    broker.faults.add({ on: 'Produce', error: 'ILLEGAL_GENERATION', unlikely: true });
    expect(await produced()).toEqual([22]);
  });

  it('refuses impossible holds, unknown ids and more than 1,000 rules', () => {
    expect(() => broker.faults.hold({ on: 'Fetch' } as unknown as HoldPoint)).toThrow(/"at" is missing/);
    expect(() => broker.faults.hold({ on: 'Fech', at: 'answer' })).toThrow(/Did you mean "Fetch"/);
    expect(() => broker.faults.remove('fault-1')).toThrow(/Fault rule "fault-1" does not exist/);
    for (let n = 0; n < 1000; n += 1) broker.faults.add({ on: 'Fetch', delay: '1s' });
    expect(() => broker.faults.add({ on: 'Fetch', delay: '1s' })).toThrow(/has 1000 fault rules and holds/);
  });
});

describe('the table of errors', () => {
  it('names errors for every API but those without an error of their own', () => {
    const poor = [...apis.values()].filter(({ name }) => errorsOf(name).length < 2).map(({ name }) => name);
    expect(poor).toEqual(['DescribeCluster']);
  });

  it('agrees with the codes of kafkajs', () => {
    const known = new Map(kafkajsErrors.map(({ type, code }) => [type, code]));
    const shared = kafkaErrors.filter((error) => known.has(error));
    expect(shared.map((error) => [error, codeOf(error)])).toEqual(
      shared.map((error) => [error, known.get(error)]),
    );
    expect(new Set(kafkaErrors.map(codeOf)).size).toBe(kafkaErrors.length);
    expect(shared.length).toBeGreaterThan(60);
  });
});

describe('faults.hold()', () => {
  it('stops a request before it is carried out, until it is released', async () => {
    const held = broker.faults.hold({ on: 'Produce', at: 'request' });
    const response = produced();
    expect(await held.reached).toMatchObject({ api: 'Produce', partition: 'bills/0', did: 'hold request' });
    expect([held.state, end('bills')]).toEqual(['reached', 0]);
    held.release();
    expect(await response).toEqual([0]);
    expect([held.state, end('bills')]).toEqual(['released', 1]);
  });

  it('stops a request that is carried out, before the client knows', async () => {
    const held = broker.faults.hold({ on: 'Produce', at: 'answer' });
    let isKnown = false;
    const response = produced().then((codes) => {
      isKnown = true;
      return codes;
    });
    await held.reached;
    await settle();
    expect([end('bills'), isKnown]).toEqual([1, false]);
    held.release({ answer: 'send' });
    expect(await response).toEqual([0]);
  });

  it.each([
    ['request', 0],
    ['answer', 1],
  ] as const)('drops the response: %s', async (at, appended) => {
    const held = broker.faults.hold({ on: 'Produce', at });
    const response = client.request(PRODUCE, 7, produceRequest('bills', [0]));
    await held.reached;
    held.release({ answer: 'drop' });
    expect(await response).toBeUndefined();
    expect(end('bills')).toBe(appended);
  });

  it('carries out a held request whose client is gone', async () => {
    const held = broker.faults.hold({ on: 'Produce', at: 'request' });
    void produced();
    await held.reached;
    client.close();
    await settle();
    expect(end('bills')).toBe(0);
    held.release();
    await settle();
    expect(end('bills')).toBe(1);
  });

  it('holds one request, after those that it skips', async () => {
    const held = broker.faults.hold({ on: 'Produce', skip: 1, at: 'request' });
    expect(await produced()).toEqual([0]);
    const second = produced();
    await held.reached;
    client = WireClient.to(broker);
    expect(await produced()).toEqual([0]);
    held.release();
    expect(await second).toEqual([0]);
  });

  it('holds the commit that covers a record', async () => {
    broker.append('orders', [
      { value: 'a', partition: 0 },
      { value: 'b', partition: 0 },
    ]);
    const held = broker.faults.hold({
      on: 'OffsetCommit',
      group: 'bills',
      covers: { topic: 'orders', partition: 0, offset: 1 },
      at: 'answer',
    });
    expect(await committed(0, 1)).toBe(0);
    expect(held.state).toBe('waiting');
    const commit = committed(0, 2);
    await held.reached;
    expect(broker.inspect().groups[0]?.offsets[0]?.committed).toBe(2);
    held.release();
    expect(await commit).toBe(0);
  });

  it('ends without a request', async () => {
    const held = broker.faults.hold({ on: 'Produce', at: 'request' });
    held.release();
    await expect(held.reached).rejects.toMatchObject({ code: 'run-over' });
    expect(await produced()).toEqual([0]);
  });

  it('ends when the broker stops, without a response', async () => {
    const [reached, waiting] = [
      broker.faults.hold({ on: 'Produce', at: 'request' }),
      broker.faults.hold({ on: 'Fetch', at: 'request' }),
    ];
    const response = client.request(PRODUCE, 7, produceRequest('bills', [0]));
    await reached.reached;
    await broker.stop();
    expect(await response).toBeUndefined();
    await expect(waiting.reached).rejects.toThrow(/ended before a request reached it/);
    expect(end('bills')).toBe(0);
  });

  it('continues after clear(), which also removes the rules', async () => {
    const held = broker.faults.hold({ on: 'Produce', at: 'answer' });
    broker.faults.add({ on: 'Metadata', cut: 'before' });
    const response = produced();
    await held.reached;
    broker.faults.clear();
    expect(await response).toEqual([0]);
    expect(broker.faults.list()).toEqual([]);
    expect((await metadata(4, ['bills'])).topics).toHaveLength(1);
  });
});

async function produced(topic = 'bills', partitions = [0]): Promise<number[]> {
  const response = await client.request(PRODUCE, 7, produceRequest(topic, partitions));
  const answered: AnyResponse[] = response?.topics[0].partitions ?? [];
  return answered.map(({ errorCode }) => errorCode as number);
}

function produceRequest(name: string, partitions: readonly number[], acks = -1) {
  const topics = [{ name, partitions: partitions.map((index) => ({ index, records: batchOf(['a']) })) }];
  return { transactionalId: null, acks, timeoutMs: 1000, topics };
}

function fetched(version: number, topic: string, partitions: readonly number[], options: object = {}) {
  const { id } = broker.topics.get(topic)!;
  const { currentLeaderEpoch = -1, maxWaitMs = 0 } = options as Record<string, number>;
  const wanted = partitions.map((partition) => ({
    partition,
    currentLeaderEpoch,
    fetchOffset: 0,
    partitionMaxBytes: 100_000,
    lastFetchedEpoch: -1,
    logStartOffset: -1,
  }));
  return client.request(FETCH, version, {
    ...{
      clusterId: null,
      replicaId: -1,
      maxWaitMs,
      minBytes: 100_000,
      maxBytes: 1_000_000,
      isolationLevel: 0,
    },
    ...{ sessionId: 0, sessionEpoch: -1, forgottenTopics: [], rackId: '' },
    topics: [{ topic, topicId: id, partitions: wanted }],
  });
}

function metadata(version: number, names: readonly string[] | null) {
  const topics = names?.map((name) => ({ name, topicId: 'AAAAAAAAAAAAAAAAAAAAAA' })) ?? null;
  return client.request(METADATA, version, {
    ...{ topics, allowAutoTopicCreation: false },
    ...{ includeClusterAuthorizedOperations: false, includeTopicAuthorizedOperations: false },
  });
}

async function committed(partition: number, committedOffset: number): Promise<number> {
  const partitions = [{ partition, committedOffset, committedMetadata: '' }];
  const topics = [{ name: 'orders', partitions }];
  const body = { groupId: 'bills', generationId: -1, memberId: '', groupInstanceId: null, topics };
  const response = await client.request(OFFSET_COMMIT, 7, body);
  return response.topics[0].partitions[0].errorCode as number;
}

function end(topic: string, partition = 0): number | undefined {
  return broker.topics.get(topic)?.partitions[partition]?.endOffset;
}
