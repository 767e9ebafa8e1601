import { Kafka, logLevel } from 'kafkajs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AppliedFault, FaultRules, Hold } from '../../../emulator/control-api/generated/operations.js';
import { serve } from './serve.js';

const topic = 'platform.events';

/** An emulator with a broker, its control API, and a Kafka client. */
async function served() {
  const { emulator, call, ask } = await serve({ kafka: { port: 0 }, seed: 7 });
  const get = <T>(path: string) => ask<T>(`/broker${path}`);
  const post = <T>(path: string, body: unknown = {}) => ask<T>(`/broker${path}`, body);
  const kafka = new Kafka({
    brokers: [emulator.bootstrapServers!],
    clientId: 'bills',
    logLevel: logLevel.NOTHING,
    retry: { initialRetryTime: 1, maxRetryTime: 20 },
  });
  return { emulator, broker: emulator.broker!, call, get, post, kafka };
}

/** A group member that has consumed what there is; its fetches and heartbeats are short. */
async function member(kafka: Kafka) {
  const consumer = kafka.consumer({ groupId: 'bills', maxWaitTimeInMs: 20, heartbeatInterval: 20 });
  const joined = new Promise<void>((resolve) => {
    consumer.on('consumer.group_join', () => resolve());
  });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({ autoCommitThreshold: 1, eachMessage: async () => undefined });
  onTestFinished(() => consumer.disconnect());
  await joined;
  return consumer;
}

describe('/broker/faults', () => {
  it('adds, lists, removes and clears rules, and lists what they did', async () => {
    const { broker, call, get, post, kafka } = await served();
    const rule = { on: 'Metadata', client: 'bills', error: 'LEADER_NOT_AVAILABLE', times: 1 };
    const { id, status } = await post<{ id: string }>('/faults', rule);
    expect(status).toBe(201);
    const later = await post<{ id: string }>('/faults', { on: 'Produce', cut: 'before' });
    const admin = kafka.admin();
    await admin.fetchTopicMetadata({ topics: [topic] });
    await admin.disconnect();
    const { rules } = await get<FaultRules>('/faults');
    expect(rules).toEqual([
      { id, rule, applied: 1 },
      { id: later.id, rule: { on: 'Produce', cut: 'before' }, applied: 0 },
    ]);
    const { applied } = await get<{ applied: AppliedFault[] }>('/faults/applied?after=0');
    const at = new Date(broker.faults.applied()[0]!.at).toISOString();
    const did = 'error LEADER_NOT_AVAILABLE';
    expect(applied).toEqual([
      { number: 1, rule: id, at, api: 'Metadata', client_id: 'bills', partition: topic, nth: 1, did },
    ]);
    expect(await get('/faults/applied?after=1')).toMatchObject({ applied: [] });
    expect((await call('DELETE', `/broker/faults/${id}`)).body.rules).toMatchObject([{ id: later.id }]);
    expect((await call('DELETE', '/broker/faults')).body).toEqual({ rules: [] });
    expect(broker.faults.list()).toEqual([]);
  });

  it.each([
    ['/faults', { on: 'OffsetComit', delay: '1s' }, /no API "OffsetComit"\. Did you mean "OffsetCommit"\?/],
    [
      '/faults',
      { on: 'Fetch', error: 'REBALANCE_IN_PROGRESS' },
      /never returns "REBALANCE_IN_PROGRESS" to "Fetch"/,
    ],
    [
      '/faults',
      { on: 'Fetch', topics: 'a', delay: '1s' },
      /unknown member "topics"\. Did you mean "topic"\?/,
    ],
    ['/faults', { on: 'Fetch', delay: 100 }, /"delay" must be a string/],
    [
      '/faults',
      { on: 'Fetch', delay: '1s', covers: { topic: 'a', partition: -1, offset: 0 } },
      /"covers.partition" must be/,
    ],
    ['/faults', [], /The body must be/],
    ['/faults', { on: 'x'.repeat(10_001), delay: '1s' }, /"on" must have at most 10000 characters/],
    ['/holds', { on: 'Fetch', at: 'end' }, /"at" must be "request" or "answer"/],
    ['/holds/hold-9/release', {}, /Hold "hold-9" does not exist/],
    ['/groups/bills/evict', { member: 'x' }, /unknown member "member"/],
    ['/topics/platform.events/truncate', { before: 1 }, /"before" is 1, but the log ends at 0/],
  ])('refuses what could never apply: POST %s %j', async (path, body, message) => {
    const { broker, post } = await served();
    expect(await post(path, body)).toMatchObject({
      status: 400,
      error: 'invalid-option',
      message: expect.stringMatching(message) as string,
    });
    expect(broker.faults.list()).toEqual([]);
  });

  it.each([
    ['POST', '/groups/bills/rebalance', 404, 'unknown-group'],
    ['POST', '/topics/orders/truncate', 404, 'unknown-topic'],
    ['GET', '/groups/bills/consumed?topic=orders', 404, 'unknown-topic'],
    ['GET', '/groups/bills/consumed?wait=soon', 400, 'invalid-option'],
    ['GET', '/holds/hold-1', 400, 'invalid-option'],
    ['DELETE', '/faults/fault-1', 400, 'invalid-option'],
    ['GET', '/faults/applied?after=-1', 400, 'invalid-option'],
  ])('refuses what does not exist: %s %s', async (method, path, status, error) => {
    const { call } = await served();
    expect(await call(method, `/broker${path}`, method === 'POST' ? {} : undefined)).toMatchObject({
      status,
      body: { error },
    });
  });

  it('needs a broker', async () => {
    const { emulator, ask } = await serve();
    expect(await ask('/broker/faults')).toMatchObject({ status: 400, error: 'invalid-option' });
    expect(emulator.broker).toBeUndefined();
  });
});

describe('/broker/holds', () => {
  it('waits until a request is held, and releases it', async () => {
    const { post, get, kafka } = await served();
    const { id, state, status } = await post<Hold>('/holds', { on: 'Produce', at: 'request' });
    expect([status, state]).toEqual([201, 'waiting']);
    expect(await get(`/holds/${id}`)).toMatchObject({ state: 'waiting', reached: null });
    const waiting = get<Hold>(`/holds/${id}?wait=60s`);
    const producer = kafka.producer();
    await producer.connect();
    const sent = producer.send({ topic, messages: [{ value: '{}' }] });
    expect(await waiting).toMatchObject({
      state: 'reached',
      reached: { api: 'Produce', client_id: 'bills' },
    });
    expect(await post(`/holds/${id}/release`)).toMatchObject({
      state: 'released',
      reached: { did: 'hold request' },
    });
    expect(await sent).toMatchObject([{ errorCode: 0 }]);
    await producer.disconnect();
  });

  it('ends a long poll when the wait is over, or when the hold is released', async () => {
    const { post, get } = await served();
    const { id } = await post<Hold>('/holds', { on: 'Produce', at: 'answer' });
    expect(await get(`/holds/${id}?wait=1ms`)).toMatchObject({ state: 'waiting' });
    const waiting = get<Hold>(`/holds/${id}?wait=60s`);
    await get(`/holds/${id}`);
    await post(`/holds/${id}/release`, { answer: 'drop' });
    expect(await waiting).toMatchObject({ state: 'released', reached: null });
  });
});

describe('/broker/groups, /broker/connections and /broker/topics', () => {
  it('evicts and rebalances members, and closes their connections', async () => {
    const { broker, post, kafka } = await served();
    const consumer = await member(kafka);
    const rejoined = () =>
      new Promise<void>((resolve) => {
        consumer.on('consumer.group_join', () => resolve());
      });
    const calls: [string, object][] = [
      ['/groups/bills/rebalance', { members: 1 }],
      ['/groups/bills/evict', { members: 1 }],
    ];
    for (const [path, expected] of calls) {
      const again = rejoined();
      expect(await post(path)).toMatchObject(expected);
      await again;
    }
    expect(broker.inspect().groups[0]?.lastDeparture).toMatchObject({ reason: 'evicted' });
    expect(await post('/groups/bills/evict', { client: 'other' })).toMatchObject({ members: 0 });
    expect(await post('/connections/close', { client: 'other' })).toMatchObject({ connections: 0 });
    const closed = await post<{ connections: number }>('/connections/close', { client: 'bills' });
    expect(closed.connections).toBeGreaterThan(0);
  });

  it('waits until a group has consumed everything, or says why it has not', async () => {
    const { emulator, get, kafka } = await served();
    await emulator.trigger('account.created-v1');
    expect(await get('/groups/bills/consumed')).toMatchObject({
      consumed: false,
      why: expect.stringMatching(/"bills" has not committed everything .* It has no members\./) as string,
    });
    const consumed = get('/groups/bills/consumed?wait=60s');
    await member(kafka);
    expect(await consumed).toMatchObject({ status: 200, consumed: true, why: null });
  });

  it('truncates a topic', async () => {
    const { emulator, broker, post } = await served();
    await emulator.trigger('account.created-v1', { count: 3 });
    expect(await post(`/topics/${topic}/truncate`)).toMatchObject({ status: 200, topic });
    const [{ partitions } = { partitions: [] }] = broker.inspect().topics;
    expect(partitions.map(({ startOffset }) => startOffset)).toEqual(
      partitions.map(({ endOffset }) => endOffset),
    );
    expect(partitions.reduce((sum, { endOffset }) => sum + endOffset, 0)).toBe(3);
  });
});
