import { connect } from 'node:net';
import { type Health, type SubscriptionStatus, createConsumer, silentLogger } from 'busbar';
import { virtualClock } from 'busbar/base';
import { serveOperations } from 'busbar/operations';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { account, catalogue, gate, scripted, setUp } from '../account-consumer.js';
import { served } from './served.js';

afterEach(() => void vi.useRealTimers());

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('/healthz', () => {
  it('responds 200 until a handler hangs, and then names it', async () => {
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
    const { statusOf } = await served({ health: () => health.shift()! });
    expect(await statusOf('/healthz')).toEqual({ code: 200, status: 'ok', reasons: [] });
    expect(await statusOf('/healthz')).toEqual({
      code: 503,
      status: 'unhealthy',
      reasons: [
        'Handler "account.created-v1" has run for 3 s, exceeds its deadline of 2 s and ignores its signal ' +
          '(topic "platform.events", partition 0, offset 0).',
      ],
    });
    open();
  });

  it('responds 503 for a stopped partition, while /readyz responds 200', async () => {
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
    const { statusOf } = await served(running);
    while (running.health().status === 'ok') await turn();
    expect(await statusOf('/healthz')).toEqual({
      code: 503,
      status: 'unhealthy',
      reasons: [expect.stringMatching(/^Topic "events", partition 3 is stopped: .*TypeError/)],
    });
    expect(await statusOf('/readyz')).toMatchObject({ code: 200 });
    await running.stop();
  });

  it('reports a silent source, and an interrupted one after five minutes', async () => {
    const clock = virtualClock();
    let status: SubscriptionStatus = { connected: true, lastHeard: 0, partitions: [] };
    const { running } = await sourceOf(() => status, clock);
    const { statusOf } = await served(running);
    clock.advance(3_600_000);
    // A member without partitions has nothing to fetch.
    expect(await statusOf('/healthz')).toMatchObject({ code: 200 });
    const partitions = [
      { topic: 'events', partition: 0, committed: 0, position: 0, highWatermark: 9, waiting: 0 },
    ];
    status = { connected: true, lastHeard: clock.now() - 59_999, partitions };
    expect(await statusOf('/healthz')).toMatchObject({ code: 200 });
    clock.advance(1);
    expect(await statusOf('/healthz')).toEqual({
      code: 503,
      status: 'unhealthy',
      reasons: ['The source is connected, but has not responded for 60 s.'],
    });
    expect(await statusOf('/readyz')).toMatchObject({ code: 200 });

    const interruption = { since: clock.now(), reason: 'ECONNREFUSED 127.0.0.1:9' };
    status = { connected: false, lastHeard: 0, interruption, partitions };
    clock.advance(299_999);
    expect(await statusOf('/healthz')).toMatchObject({ code: 200 });
    expect(await statusOf('/readyz')).toEqual({
      code: 503,
      status: 'not ready',
      reasons: ['The source is interrupted: ECONNREFUSED 127.0.0.1:9'],
    });
    clock.advance(1);
    expect(await statusOf('/healthz')).toMatchObject({
      code: 503,
      reasons: ['The source has been interrupted for 300 s: ECONNREFUSED 127.0.0.1:9'],
    });
  });

  it('lists at most twenty reasons', async () => {
    const reasons = Array.from({ length: 1_000 }, (_, n) => `Partition ${n} is stopped.`);
    const health = { ...(await aHealth()), status: 'unhealthy' as const, reasons };
    const { statusOf } = await served({ health: () => health });
    expect((await statusOf('/healthz')).reasons).toEqual([...reasons.slice(0, 20), 'And 980 more.']);
  });
});

describe('/readyz', () => {
  it('responds 503 before the first assignment and while stopping', async () => {
    let status: SubscriptionStatus = { connected: false, lastHeard: undefined, partitions: [] };
    const { open, opened } = gate();
    const { running } = await sourceOf(() => status, virtualClock(), opened);
    const { statusOf } = await served(running);
    expect(await statusOf('/readyz')).toEqual({
      code: 503,
      status: 'not ready',
      reasons: ['The consumer group has not assigned partitions yet.'],
    });
    status = { ...status, connected: true };
    expect(await statusOf('/readyz')).toEqual({ code: 200, status: 'ready', reasons: [] });
    const stopping = running.stop();
    expect(await statusOf('/readyz')).toMatchObject({
      code: 503,
      reasons: ['The consumer is stopping or has ended.'],
    });
    // A requested stop is not a reason to kill the process.
    expect(await statusOf('/healthz')).toMatchObject({ code: 200 });
    open();
    await stopping;
    expect(await statusOf('/readyz')).toMatchObject({ code: 503 });
  });

  it('responds with the error that ended the run, like /healthz', async () => {
    const { transport, run } = setUp(() => undefined, { policies: { invalidEvents: 'fail' } });
    transport.send({
      ...account('1'),
      value: '{"event_type":"account.created","version":"v1","payload":{}}',
    });
    const running = await run();
    await running.finished.catch(() => undefined);
    const { statusOf } = await served(running);
    const reason = expect.stringMatching(
      /^The consumer has ended: Event "account.created-v1" does not match/,
    );
    expect(await statusOf('/healthz')).toEqual({ code: 503, status: 'unhealthy', reasons: [reason] });
    expect(await statusOf('/readyz')).toEqual({ code: 503, status: 'not ready', reasons: [reason] });
  });
});

describe('serveOperations', () => {
  it('listens on loopback, and rejects other paths and methods', async () => {
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
      { status: 'error', reasons: ['Page not found. The pages are /healthz, /readyz.'] },
    ]);
    expect((await ask('/metrics')).status).toBe(404);
    const posted = await ask('/healthz', { method: 'POST', body: 'x'.repeat(100) });
    expect([posted.status, posted.response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('rejects long headers', async () => {
    const { run } = setUp(() => undefined);
    const { ask } = await served(await run());
    expect((await ask('/healthz', { headers: { long: 'x'.repeat(9_000) } })).status).toBe(431);
  });

  it('responds 500 to failing metrics, without the message of the error', async () => {
    const { run } = setUp(() => undefined);
    const text = () => Promise.reject(new RangeError('A-5EC7E7'));
    const { statusOf } = await served(await run(), { metrics: { contentType: 'text/plain', text } });
    expect(await statusOf('/metrics')).toEqual({
      code: 500,
      status: 'error',
      reasons: ['The metrics could not be collected: RangeError.'],
    });
  });

  it('stops immediately despite open connections, and repeatedly', async () => {
    const { run } = setUp(() => undefined);
    const { port, stop } = await served(await run());
    const idle = connect(port, '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));
    const closed = new Promise((resolve) => idle.once('close', resolve));
    await Promise.all([stop(), stop()]);
    await closed;
  });

  it('refuses a run that is not awaited', async () => {
    const { run } = setUp(() => undefined);
    const pending = run();
    await expect(serveOperations(pending as never, { port: 0 })).rejects.toMatchObject({
      code: 'invalid-option',
      message: 'serveOperations(): "running" must be returned by run(), after await, not an object.',
    });
    await pending;
  });

  it('reports a used port and an invalid host', async () => {
    const { run } = setUp(() => undefined);
    const running = await run();
    const { port } = await served(running);
    await expect(serveOperations(running, { port })).rejects.toMatchObject({
      code: 'port-in-use',
      message: `Another program listens on port "${port}" of "127.0.0.1". Stop it, or set "port" to another port, or to 0 for a free one.`,
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

/** Starts a run on a source with a given status. */
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
