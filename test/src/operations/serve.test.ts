import { connect } from 'node:net';
import { type Health, type SubscriptionStatus, createConsumer, silentLogger, virtualClock } from 'busbar';
import { serveOperations } from 'busbar/operations';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { account, catalogue, gate, scripted, setUp } from '../account-consumer.js';
import { served } from './served.js';

afterEach(() => void vi.useRealTimers());

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('/healthz', () => {
  it('is well while the consumer works, and says which handler is hung when one is', async () => {
    const { open, opened } = gate();
    const { transport, run } = setUp(() => opened);
    // The deadline is on the wall clock; the server's own timers are not touched.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 });
    transport.send(account('1'));
    const running = await run({ deadline: 2_000 });
    while (running.health().running === 0) await turn();
    const health = [running.health()];
    vi.advanceTimersByTime(3_000);
    health.push(running.health());
    vi.useRealTimers();
    const { told } = await served({ health: () => health.shift()! });
    expect(await told('/healthz')).toEqual({ code: 200, status: 'ok', reasons: [] });
    expect(await told('/healthz')).toEqual({
      code: 503,
      status: 'unhealthy',
      reasons: [
        'Handler "account.created-v1" runs since 3 s, beyond its deadline of 2 s, and ignores its signal ' +
          '(topic "platform.events", partition 0, offset 0).',
      ],
    });
    open();
  });

  it('is unwell when a partition is stopped, and ready all the same: the others go on', async () => {
    const transport = scripted((receiver) => {
      const partition = { topic: 'events', partition: 3 };
      setImmediate(() => receiver.receive(partition, [{ ...broken, ...partition }]));
      return {
        commit: () => undefined,
        resume: () => undefined,
        deadLetter: () => Promise.reject(new TypeError('A-5EC7E7')),
        stop: () => Promise.resolve(),
      };
    }, true);
    const consumer = createConsumer({ catalogue, logger: silentLogger });
    consumer.onAny(() => undefined);
    const running = await consumer.run(transport);
    const { told } = await served(running);
    while (running.health().status === 'ok') await turn();
    expect(await told('/healthz')).toEqual({
      code: 503,
      status: 'unhealthy',
      reasons: [expect.stringMatching(/^Topic "events", partition 3 is stopped: .*TypeError/)],
    });
    expect(await told('/readyz')).toMatchObject({ code: 200 });
    await running.stop();
  });

  it('takes silence of a connected source for a stuck one, and gives an interrupted one five minutes', async () => {
    const clock = virtualClock();
    let status: SubscriptionStatus = { connected: true, lastHeard: 0, partitions: [] };
    const { running } = await sourceOf(() => status, clock);
    const { told } = await served(running);
    clock.advance(3_600_000);
    // A member without partitions has nothing to fetch.
    expect(await told('/healthz')).toMatchObject({ code: 200 });
    const partitions = [
      { topic: 'events', partition: 0, committed: 0, position: 0, highWatermark: 9, waiting: 0 },
    ];
    status = { connected: true, lastHeard: clock.now() - 59_999, partitions };
    expect(await told('/healthz')).toMatchObject({ code: 200 });
    clock.advance(1);
    expect(await told('/healthz')).toEqual({
      code: 503,
      status: 'unhealthy',
      reasons: ['The source is connected, but has not answered since 60 s.'],
    });
    expect(await told('/readyz')).toMatchObject({ code: 200 });

    const interruption = { since: clock.now(), reason: 'ECONNREFUSED 127.0.0.1:9' };
    status = { connected: false, lastHeard: 0, interruption, partitions };
    clock.advance(299_999);
    expect(await told('/healthz')).toMatchObject({ code: 200 });
    expect(await told('/readyz')).toEqual({
      code: 503,
      status: 'not ready',
      reasons: ['The source is interrupted: ECONNREFUSED 127.0.0.1:9'],
    });
    clock.advance(1);
    expect(await told('/healthz')).toMatchObject({
      code: 503,
      reasons: ['The source is interrupted since 300 s: ECONNREFUSED 127.0.0.1:9'],
    });
  });

  it('tells at most twenty reasons', async () => {
    const reasons = Array.from({ length: 1_000 }, (_, n) => `Partition ${n} is stopped.`);
    const health = { ...(await aHealth()), status: 'unhealthy' as const, reasons };
    const { told } = await served({ health: () => health });
    expect((await told('/healthz')).reasons).toEqual([...reasons.slice(0, 20), 'And 980 more.']);
  });
});

describe('/readyz', () => {
  it('is not ready before the group has given it its share, nor while it is being stopped', async () => {
    let status: SubscriptionStatus = { connected: false, lastHeard: undefined, partitions: [] };
    const { open, opened } = gate();
    const { running } = await sourceOf(() => status, virtualClock(), opened);
    const { told } = await served(running);
    expect(await told('/readyz')).toEqual({
      code: 503,
      status: 'not ready',
      reasons: ['The consumer has not been given its partitions yet.'],
    });
    status = { ...status, connected: true };
    expect(await told('/readyz')).toEqual({ code: 200, status: 'ready', reasons: [] });
    const stopping = running.stop();
    expect(await told('/readyz')).toMatchObject({
      code: 503,
      reasons: ['The consumer is being stopped, or has ended.'],
    });
    // That it ends as it was told to is no reason to kill it.
    expect(await told('/healthz')).toMatchObject({ code: 200 });
    open();
    await stopping;
    expect(await told('/readyz')).toMatchObject({ code: 503 });
  });

  it('and liveness both say what ended the run', async () => {
    const { transport, run } = setUp(() => undefined, { policies: { invalidEvents: 'fail' } });
    transport.send({
      ...account('1'),
      value: '{"event_type":"account.created","version":"v1","payload":{}}',
    });
    const running = await run();
    await running.finished.catch(() => undefined);
    const { told } = await served(running);
    const reason = expect.stringMatching(
      /^The consumer has ended: Event "account.created-v1" does not match/,
    );
    expect(await told('/healthz')).toEqual({ code: 503, status: 'unhealthy', reasons: [reason] });
    expect(await told('/readyz')).toEqual({ code: 503, status: 'not ready', reasons: [reason] });
  });
});

describe('serveOperations', () => {
  it('listens on loopback, and knows its pages and how they are read', async () => {
    const { run } = setUp(() => undefined);
    const { ask, url } = await served(await run());
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const known = await ask('/healthz?verbose=1');
    expect(known.status).toBe(200);
    expect(known.response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(known.response.headers.get('cache-control')).toBe('no-store');
    const head = await ask('/readyz', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(Number(head.response.headers.get('content-length'))).toBeGreaterThan(10);
    const unknown = await ask('/healthz/');
    expect([unknown.status, JSON.parse(unknown.text)]).toEqual([
      404,
      { status: 'error', reasons: ['There is nothing here. There are: /healthz, /readyz.'] },
    ]);
    expect((await ask('/metrics')).status).toBe(404);
    const posted = await ask('/healthz', { method: 'POST', body: 'x'.repeat(100) });
    expect([posted.status, posted.response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('refuses long headers', async () => {
    const { run } = setUp(() => undefined);
    const { ask } = await served(await run());
    expect((await ask('/healthz', { headers: { long: 'x'.repeat(9_000) } })).status).toBe(431);
  });

  it('answers metrics that cannot be collected with an error, without what the error says', async () => {
    const { run } = setUp(() => undefined);
    const text = () => Promise.reject(new RangeError('A-5EC7E7'));
    const { told } = await served(await run(), { metrics: { contentType: 'text/plain', text } });
    expect(await told('/metrics')).toEqual({
      code: 500,
      status: 'error',
      reasons: ['The metrics could not be collected: RangeError.'],
    });
  });

  it('stops at once, whoever is connected, and as often as it is told', async () => {
    const { run } = setUp(() => undefined);
    const { port, stop } = await served(await run());
    const idle = connect(port, '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));
    const closed = new Promise((resolve) => idle.once('close', resolve));
    await Promise.all([stop(), stop()]);
    await closed;
  });

  it('says what is wrong with a port or a host', async () => {
    const { run } = setUp(() => undefined);
    const running = await run();
    const { port } = await served(running);
    await expect(serveOperations(running, { port })).rejects.toMatchObject({
      code: 'port-in-use',
      message: `Another program listens on port "${port}". Choose another one; 0 takes any that is free.`,
    });
    await expect(serveOperations(running, { port: 70_000 })).rejects.toMatchObject({
      code: 'invalid-option',
      message: 'serveOperations(): "port" must be a whole number from 0 to 65535, not 70000.',
    });
  });
});

const broken = {
  offset: 0,
  timestamp: 0,
  key: null,
  value: Buffer.from('no event'),
  headers: { get: () => undefined, [Symbol.iterator]: () => [][Symbol.iterator]() },
};

/** A run on a source that tells what the test says. */
async function sourceOf(
  status: () => SubscriptionStatus,
  clock: ReturnType<typeof virtualClock>,
  stopped: Promise<void> = Promise.resolve(),
) {
  const transport = scripted(() => ({
    commit: () => undefined,
    resume: () => undefined,
    status,
    stop: () => stopped,
  }));
  const consumer = createConsumer({ catalogue, logger: silentLogger });
  consumer.onAny(() => undefined);
  return { running: await consumer.run(transport, { clock }) };
}

async function aHealth(): Promise<Health> {
  const { run } = setUp(() => undefined);
  return (await run()).health();
}
