import { describe, expect, it } from 'vitest';
import { emission, emissions } from './emissions.js';
import { consumer, observer, range, rawClient, turns } from './raw-client.js';
import { follow } from './follow.js';
import { logLines } from '../../src/log-lines.js';
import { streamServer } from './stream-server.js';

describe('consuming the stream', () => {
  it('holds the run back at a full history, by records, until there is room', async () => {
    const { sink, url } = await streamServer({ history: { records: 10, bytes: 1e6 } });
    const client = await consumer(url, 'billing');
    const writing = follow(sink.write(emissions(25)));
    await client.until(() => client.numbers.length === 10);
    await turns();
    expect(client.numbers).toEqual(range(1, 10));
    expect(writing.isDone).toBe(false);

    client.send({ type: 'ack', through: 4 });
    await client.until(() => client.numbers.length === 14);
    await turns();
    expect(client.numbers).toEqual(range(1, 14));
    client.send({ type: 'ack', through: 14 });
    await client.until(() => client.numbers.length === 24);
    expect(writing.isDone).toBe(false);
    client.send({ type: 'ack', through: 15 });
    await writing.done;
    await client.until(() => client.numbers.length === 25);
  });

  it('holds the run back by bytes, too', async () => {
    const { sink, url } = await streamServer({ history: { records: 1_000, bytes: 100_000 } });
    const client = await consumer(url, 'billing');
    const large = Array.from({ length: 8 }, (_, n) => emission(n, { bytes: Buffer.alloc(40_000, 'x') }));
    const writing = follow(sink.write(large));
    await client.until(() => client.numbers.length === 3);
    await turns();
    expect(client.numbers).toEqual([1, 2, 3]);
    expect(writing.isDone).toBe(false);
    client.send({ type: 'ack', through: 3 });
    await client.until(() => client.numbers.length === 6);
    client.send({ type: 'ack', through: 6 });
    await writing.done;
  });

  it('sends again after a reconnect what was not acknowledged, and only that', async () => {
    const { sink, url } = await streamServer();
    const first = await consumer(url, 'billing');
    await sink.write(emissions(10));
    await first.until(() => first.numbers.length === 10);
    first.send({ type: 'ack', through: 6 });
    first.socket.close();
    await first.closed();
    await sink.write(emissions(5, 11));

    const second = await consumer(url, 'billing');
    expect(second.messages[0]).toMatchObject({ type: 'welcome', next: 7 });
    await second.until(() => second.numbers.length === 9);
    expect(second.numbers).toEqual(range(7, 15));
  });

  it('keeps the records of a disconnected consumer and waits', async () => {
    const logger = logLines();
    const { sink, url } = await streamServer({
      logger,
      history: { records: 20, bytes: 1e6 },
    });
    const first = await consumer(url, 'billing');
    first.socket.close();
    await first.closed();
    const writing = follow(sink.write(emissions(30)));
    await turns();
    expect(writing.isDone).toBe(false);
    const warnings = () => logger.lines.filter((line) => line.startsWith('warn'));
    expect(warnings()).toHaveLength(1);
    expect(warnings()[0]).toMatch(/run waits for a disconnected consumer.*"billing".*20.*Start the consumer/);

    const second = await consumer(url, 'billing');
    await second.until(() => second.numbers.length === 20);
    second.send({ type: 'ack', through: 20 });
    await writing.done;
    await second.until(() => second.numbers.length === 30);
    expect(second.numbers).toEqual(range(1, 30));
    expect(warnings()).toHaveLength(1);
  });

  it('accepts one connection per name, and the next when the first is gone', async () => {
    const { sink, url } = await streamServer();
    const first = await consumer(url, 'billing');
    const second = await rawClient(url);
    second.send({ type: 'subscribe', mode: 'consume', consumer: 'billing' });
    const error = await second.message('error');
    expect(error).toMatchObject({ code: 'consumer-in-use' });
    expect(error.message).toContain('"billing"');
    expect(await second.closed()).toBe(1008);
    await sink.write(emissions(1));
    await first.until(() => first.numbers.length === 1);

    first.socket.terminate();
    await first.closed();
    const third = await consumer(url, 'billing');
    await third.until(() => third.numbers.length === 1);
  });

  it('serves consumers and observers at their own pace', async () => {
    const { sink, url } = await streamServer({ history: { records: 10, bytes: 1e6 } });
    const slow = await consumer(url, 'slow');
    const fast = await consumer(url, 'fast');
    const watching = await observer(url);
    fast.socket.on('message', () => fast.send({ type: 'ack', through: fast.numbers.at(-1) ?? 0 }));
    const writing = follow(sink.write(emissions(30)));
    for (let settled = 0; settled < 30; settled += 5) {
      const reached = Math.min(settled + 10, 30);
      await fast.until(() => fast.numbers.length === reached);
      await watching.until(() => watching.numbers.length === reached);
      await slow.until(() => slow.numbers.length === reached);
      slow.send({ type: 'ack', through: settled + 5 });
    }
    await writing.done;
    for (const client of [slow, fast, watching]) expect(client.numbers).toEqual(range(1, 30));
  });

  it('accepts acknowledgements of records of an earlier connection', async () => {
    const { sink, url } = await streamServer({ history: { records: 20, bytes: 1e8 } });
    const first = await consumer(url, 'billing');
    // 30 MB: more than the buffers of both sockets take.
    await sink.write(range(1, 10).map((n) => emission(n, { bytes: Buffer.alloc(3_000_000, 'x') })));
    await first.until(() => first.numbers.length === 10);
    first.socket.terminate();
    await first.closed();

    const second = await consumer(url, 'billing');
    second.socket.pause();
    await turns(200);
    second.send({ type: 'ack', through: 8 });
    while (sink.positions()[0]?.acknowledged !== 8) await turns(1);
    second.socket.resume();
    await second.until(() => second.numbers.at(-1) === 10);
    expect(second.numbers.length).toBeLessThan(10);
    second.send({ type: 'ack', through: 10 });
    await sink.end();
    expect(await second.message('end')).toMatchObject({ last: 10 });
  });

  it('ends after the last record, and the run after the last acknowledgement', async () => {
    const { sink, url } = await streamServer();
    const client = await consumer(url, 'billing');
    await sink.write(emissions(3));
    const ending = follow(sink.end());
    expect(await client.message('end')).toMatchObject({ last: 3 });
    expect(client.numbers).toEqual([1, 2, 3]);
    client.send({ type: 'ack', through: 2 });
    await turns();
    expect(ending.isDone).toBe(false);
    client.send({ type: 'ack', through: 3 });
    await ending.done;
    expect(ending.isDone).toBe(true);
  });

  it('says at the end for which consumer it waits', async () => {
    const logger = logLines();
    const { sink, url } = await streamServer({ logger });
    const client = await consumer(url, 'billing');
    await sink.write(emissions(3));
    await client.until(() => client.numbers.length === 3);
    const ending = follow(sink.end());
    client.socket.terminate();
    await client.closed();
    await turns();
    expect(logger.lines.filter((line) => /disconnected consumer.*"records":3/.test(line))).toHaveLength(1);
    const back = await consumer(url, 'billing');
    back.send({ type: 'ack', through: 3 });
    await ending.done;
  });

  it('rejects what still waits when it is closed, and closes connections', async () => {
    const { sink, url } = await streamServer({ history: { records: 1, bytes: 1e6 } });
    const client = await consumer(url, 'billing');
    const writing = follow(sink.write(emissions(3)));
    await client.until(() => client.numbers.length === 1);
    await Promise.all([sink.close(), sink.close()]);
    await writing.done;
    expect(writing.error).toMatchObject({ code: 'connection-failed' });
    expect(await client.closed()).toBe(1001);
    await expect(sink.write(emissions(1))).rejects.toMatchObject({ code: 'connection-failed' });
  });

  it('can be asked to wait for a consumer by name, and for a number of them', async () => {
    const { sink, url } = await streamServer();
    const named = follow(sink.waitForConsumer('billing'));
    const two = follow(sink.waitForConsumer(2));
    await consumer(url, 'switching');
    await turns();
    expect([named.isDone, two.isDone]).toEqual([false, false]);
    await consumer(url, 'billing');
    await Promise.all([named.done, two.done]);
    await sink.waitForConsumer('billing');

    const never = follow(sink.waitForConsumer(3));
    await sink.close();
    await never.done;
    expect(never.error).toMatchObject({ code: 'connection-failed' });
  });

  it('keeps a bounded number of names', async () => {
    const { sink, url } = await streamServer();
    for (const name of ['__proto__', ...range(2, 64).map(String)]) {
      const client = await consumer(url, name);
      client.socket.close();
      await client.closed();
    }
    const third = await rawClient(url);
    third.send({ type: 'subscribe', mode: 'consume', consumer: '65' });
    expect(await third.message('error')).toMatchObject({ code: 'too-many-consumers' });
    await sink.write(emissions(1));
    const known = await consumer(url, '__proto__');
    await known.until(() => known.numbers.length === 1);
  });
});
