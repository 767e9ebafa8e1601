import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { restartPort } from '../../restart-port.js';
import { type Clock, systemClock, virtualClock } from '../../../src/base/clock.js';
import { type Logger, silentLogger } from '../../../src/base/logger.js';
import { type WebSocketOptions, websocket } from '../../../src/transports/websocket.js';
import { emissions } from '../../emulator/sinks/emissions.js';
import { observer, range, turns } from '../../emulator/sinks/raw-client.js';
import { logLines } from '../log-lines.js';
import { streamServer } from '../../emulator/sinks/stream-server.js';
import { type Collector, type CollectorOptions, collector } from './collector.js';
import { batch, scriptedServer, welcome } from './scripted-server.js';

interface Around {
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly receiver?: CollectorOptions;
}

async function open(
  options: WebSocketOptions,
  { clock = systemClock, logger = silentLogger, receiver }: Around = {},
) {
  const collected = collector(receiver);
  const subscription = await websocket(options).open(collected, { clock, logger });
  onTestFinished(() => subscription.stop());
  return { collected, subscription };
}

const offsets = ({ records }: Collector) => records.map(({ offset }) => offset);

/** Resolves when the condition holds; the clock is the event loop's turns. */
async function until(condition: () => unknown): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe('websocket(): options', () => {
  it.each([
    ['http://127.0.0.1:4100/events', {}, /"http:/],
    ['127.0.0.1:4100', {}, /"127/],
    ['ws://localhost/events', { consumer: '' }, /"consumer"/],
    ['ws://localhost/events', { consumer: 'x'.repeat(201) }, /"consumer"/],
    ['ws://localhost/events', { connectTimeout: 0 }, /"connectTimeout"/],
    ['ws://localhost/events', { reconnect: { minDelay: Number.NaN } }, /"reconnect.minDelay"/],
    ['ws://localhost/events', { maxFrameBytes: -1 }, /"maxFrameBytes"/],
  ])('rejects %s with %o', (url, more, message) => {
    expect(() => websocket({ url, ...more })).toThrow(
      expect.objectContaining({ code: 'invalid-option', message: expect.stringMatching(message) }),
    );
  });
});

describe('websocket(): the first connection', () => {
  it('fails within a bounded time at an address that never responds', async () => {
    const silent = createServer((socket) => onTestFinished(() => void socket.destroy()));
    const port = await listening(silent);
    const clock = virtualClock();
    const url = `ws://127.0.0.1:${port}/events`;
    const opening = websocket({ url, connectTimeout: 3_000 }).open(collector(), {
      clock,
      logger: silentLogger,
    });
    const error = expect(opening).rejects.toMatchObject({
      code: 'connection-failed',
      message: expect.stringMatching(new RegExp(`"${url}".*3000 ms`)),
    });
    await once(silent, 'connection');
    clock.advance(3_000);
    await error;
  });

  it('reports the response of another server, without credentials and query', async () => {
    const other = createHttp((_, response) => response.writeHead(404).end('no such page\nmore'));
    const port = await listening(other);
    const opening = open({ url: `ws://user:secret@127.0.0.1:${port}/events?token=secret` });
    const error: Error = await opening.then(
      () => expect.fail('it opened'),
      (reason: unknown) => reason as Error,
    );
    expect(error).toMatchObject({ code: 'connection-failed' });
    expect(error.message).toContain(`"ws://127.0.0.1:${port}/events"`);
    expect(error.message).toContain('404: no such page.');
    expect(error.message).not.toContain('secret');
  });

  it('reports a consumer name that is in use', async () => {
    const { url } = await streamServer();
    await open({ url, consumer: 'billing' });
    await expect(open({ url, consumer: 'billing' })).rejects.toMatchObject({
      code: 'connection-failed',
      message: expect.stringContaining('"billing" is connected already'),
    });
  });
});

describe('websocket(): lost connections', () => {
  it('continues after a loss without gaps or duplicates', async () => {
    const { sink, url, sever } = await streamServer();
    const { collected, subscription } = await open({ url, reconnect: { minDelay: 1 } });
    await sink.write(emissions(10));
    await collected.received(10);
    subscription.commit(collected.batches[0]!.partition, 5);
    sever();
    await sink.write(emissions(10, 11));
    await collected.received(20);
    sever();
    await sink.write(emissions(10, 21));
    await collected.received(30);
    expect(offsets(collected)).toEqual(range(1, 30));
    expect(collected.revoked).toEqual([]);

    subscription.commit(collected.batches[0]!.partition, 31);
    await sink.end();
    await collected.ended();
  });

  it('sends acknowledgements from before the loss after reconnecting', async () => {
    const { sink, url, sever } = await streamServer();
    const { collected, subscription } = await open({ url, reconnect: { minDelay: 1 } });
    await sink.write(emissions(10));
    await collected.received(10);
    sever();
    // Goes into a connection that is gone already.
    subscription.commit(collected.batches[0]!.partition, 11);
    await sink.end();
    expect(offsets(collected)).toEqual(range(1, 10));
  });

  it('continues after records that it acknowledges after the loss', async () => {
    const server = await scriptedServer();
    const opening = open({ url: server.url, reconnect: { minDelay: 1 } });
    const first = await server.subscribed(1);
    first.send(welcome());
    first.send(batch(1, 10));
    const { collected, subscription } = await opening;
    await collected.received(10);
    first.terminate();
    subscription.commit(collected.batches[0]!.partition, 9);
    const second = await server.subscribed(2);
    second.send(welcome());
    await until(() => server.heard.some(({ type }) => type === 'ack'));
    second.send(batch(9, 3));
    await collected.received(11);
    expect(offsets(collected)).toEqual(range(1, 11));
    expect(collected.failures).toEqual([]);
  });

  it('backs off at random up to a maximum, and fails after giveUpAfter', async () => {
    const server = await streamServer();
    const delays: number[] = [];
    const waits = virtualClock();
    const clock: Clock = {
      now: () => waits.now(),
      schedule(delay, callback) {
        // The heartbeat is not what is looked at.
        if (delay < 5_000) delays.push(delay);
        return waits.schedule(delay, callback);
      },
    };
    const logger = logLines();
    const { collected } = await open(
      {
        url: server.url,
        connectTimeout: 9_000,
        reconnect: { minDelay: 100, maxDelay: 1_000, giveUpAfter: 2_000 },
        random: () => 0.5,
      },
      { clock, logger },
    );
    await server.stop();
    let advanced = 0;
    while (collected.failures.length === 0) {
      if (delays.length > advanced) waits.advance(delays[advanced++]!);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(delays).toEqual([50, 100, 200, 400, 500, 500, 500]);
    expect(collected.failures).toMatchObject([
      { code: 'connection-failed', message: expect.stringContaining(`"${server.url}"`) },
    ]);
    expect(logger.lines.filter((line) => line.includes('stream connection lost'))).toHaveLength(1);
  });

  it('restarts with a new stream after the old partition is revoked', async () => {
    const port = await restartPort();
    const before = await streamServer({}, port);
    const logger = logLines();
    const { collected, subscription } = await open(
      { url: before.url, reconnect: { minDelay: 1 } },
      { logger },
    );
    await before.sink.write(emissions(10));
    await collected.received(10);
    let finishOldWork = () => {};
    collected.revoke = (partitions) => {
      expect(partitions).toEqual([old]);
      return new Promise((resolve) => {
        finishOldWork = resolve;
      });
    };
    const old = collected.batches[0]!.partition;
    subscription.commit(old, 8);
    await before.stop();
    const after = await streamServer({}, port);
    await after.sink.waitForConsumer('default');
    await after.sink.write(emissions(3));
    await until(() => logger.lines.some((line) => line.includes('emulator restarted')));
    await turns();
    expect(collected.records).toHaveLength(10);

    // Of the old stream: must not count in the new one.
    subscription.commit(old, 11);
    finishOldWork();
    await collected.received(13);
    expect(offsets(collected)).toEqual([...range(1, 10), 1, 2, 3]);
    const fresh = collected.batches.at(-1)!.partition;
    expect(fresh).not.toBe(old);
    subscription.commit(fresh, 4);
    await after.sink.end();
  });

  it('notices a silent server', async () => {
    const server = await scriptedServer({ autoPong: false });
    const clock = virtualClock();
    const opening = open({ url: server.url, random: () => 0 }, { clock });
    const first = await server.subscribed(1);
    first.send(welcome());
    const { collected } = await opening;
    clock.advance(60_000);
    const second = await server.subscribed(2);
    second.send(welcome());
    second.send(batch(1, 2));
    await collected.received(2);
  });

  it('retries while the server still has the last connection', async () => {
    const server = await scriptedServer();
    const opening = open({ url: server.url, reconnect: { minDelay: 1 } });
    (await server.subscribed(1)).send(welcome());
    const { collected } = await opening;
    (await server.subscribed(1)).terminate();
    (await server.subscribed(2)).send('{"type":"error","code":"consumer-in-use","message":"in use"}');
    const third = await server.subscribed(3);
    third.send(welcome());
    third.send(batch(1, 1));
    await collected.received(1);
  });

  it('tolerates that the emulator stops after the end of the run', async () => {
    const server = await streamServer();
    const logger = logLines();
    const { collected, subscription } = await open({ url: server.url }, { logger });
    await server.sink.write(emissions(2));
    await collected.received(2);
    subscription.commit(collected.batches[0]!.partition, 3);
    await server.sink.end();
    await collected.ended();
    await server.sink.close();
    await turns();
    expect(logger.lines).toEqual([]);
    expect(collected.failures).toEqual([]);
  });
});

describe('websocket(): the end', () => {
  it('leaves records after the end to the next run', async () => {
    const { sink, url } = await streamServer();
    const first = await open({ url });
    await sink.write(emissions(2));
    await first.collected.received(2);
    first.subscription.commit(first.collected.batches[0]!.partition, 3);
    await sink.end();
    await first.collected.ended();
    await sink.write(emissions(2, 3));
    await turns();
    await first.subscription.stop();
    expect(offsets(first.collected)).toEqual([1, 2]);
    const second = await open({ url });
    await second.collected.received(2);
    expect(offsets(second.collected)).toEqual([3, 4]);
  });
});

describe('websocket(): back-pressure', () => {
  it('acknowledges only settled records, so that the server waits', async () => {
    const { sink, url } = await streamServer({ history: { records: 100, bytes: 1e6 } });
    const { collected, subscription } = await open({ url }, { receiver: { room: 5 } });
    let isWritten = false;
    const writing = Promise.resolve(sink.write(emissions(150))).then(() => (isWritten = true));
    const { partition } = await collected.refusal();
    await turns();
    expect(isWritten).toBe(false);
    collected.makeRoom(Number.POSITIVE_INFINITY);
    subscription.resume(partition);
    await collected.received(100);
    subscription.commit(partition, 101);
    await writing;
    await collected.received(150);
    expect(offsets(collected)).toEqual(range(1, 150));
  });

  it('stays connected while the receiver has no room', async () => {
    const clock = virtualClock();
    const { sink, url, bytesRead } = await streamServer({ clock, keepAlive: 30_000 });
    const logger = logLines();
    const { collected, subscription } = await open({ url }, { clock, logger, receiver: { room: 1 } });
    await sink.write(emissions(2));
    const { partition } = await collected.refusal();
    for (let ping = 0; ping < 5; ping++) {
      const before = bytesRead();
      clock.advance(30_000);
      // It still responds.
      await until(() => bytesRead() > before);
    }
    await sink.write(emissions(1, 3));
    collected.makeRoom(Number.POSITIVE_INFINITY);
    subscription.resume(partition);
    await collected.received(3);
    expect(offsets(collected)).toEqual([1, 2, 3]);
    expect(logger.lines).toEqual([]);
  });

  it('sends one acknowledgement for all records settled in a turn', async () => {
    const server = await scriptedServer();
    const opening = open({ url: server.url });
    const socket = await server.subscribed(1);
    socket.send(welcome());
    const { collected, subscription } = await opening;
    socket.send(batch(1, 50));
    await collected.received(50);
    const { partition } = collected.batches[0]!;
    for (let offset = 1; offset <= 51; offset++) subscription.commit(partition, offset);
    await until(() => server.heard.length > 1);
    await subscription.stop();
    expect(server.heard).toEqual([
      { type: 'subscribe', mode: 'consume', consumer: 'default' },
      { type: 'ack', through: 50 },
    ]);
  });

  it('acknowledges settled records when it stops, even while blocked', async () => {
    const { sink, url } = await streamServer();
    // No time passes: it takes its leave properly, and is not cut off.
    const clock = virtualClock();
    const { collected, subscription } = await open({ url }, { clock, receiver: { room: 4 } });
    await sink.write(emissions(10));
    const { partition } = await collected.refusal();
    subscription.commit(partition, 4);
    await subscription.stop();
    const next = await open({ url });
    await next.collected.received(7);
    expect(offsets(next.collected)).toEqual(range(4, 10));
  });

  it('stops while it waits to reconnect', async () => {
    const server = await streamServer();
    const clock = virtualClock();
    const { subscription } = await open({ url: server.url }, { clock });
    await server.stop();
    await turns();
    await subscription.stop();
    expect(clock.advanceToNext()).toBe(false);
  });
});

describe('websocket(): a server that breaks the protocol', () => {
  const head = (members: object) => JSON.stringify({ type: 'batch', first: 1, ...members });
  const record = { key: 'k', headers: {}, timestamp: 1 };

  it.each<[what: string, messages: (string | Buffer)[], message: RegExp]>([
    ['broken JSON', [welcome(), '{"type":"batch","first":1'], /line of JSON/],
    ['JSON that is not an object', [welcome(), '7'], /JSON object/],
    ['a message without a type', [welcome(), '{}'], /"type"/],
    ['a binary message', [welcome(), Buffer.from(batch(1, 1))], /binary/],
    ['text that is not UTF-8', [welcome(), 'invalid UTF-8'], /UTF-8/],
    ['a batch before the welcome', [batch(1, 1)], /before the "welcome"/],
    ['a second welcome', [welcome(), welcome()], /"welcome" came after/],
    ['a welcome without a number', ['{"type":"welcome","stream":"one"}'], /"next"/],
    ['a hole in the numbers', [welcome(), batch(1, 2), batch(4, 1)], /record 4 instead of 3/],
    [
      'a gap that leaves a hole',
      [welcome(), '{"type":"gap","from":2,"to":3,"count":2}'],
      /record 2 instead of 1/,
    ],
    ['a gap that does not add up', [welcome(), '{"type":"gap","from":1,"to":3,"count":2}'], /"gap"/],
    ['an end that leaves records out', [welcome(), '{"type":"end","last":5}'], /record 6 instead of 1/],
    ['a batch of nothing', [welcome(), head({ records: [] })], /no "records"/],
    ['fewer values than heads', [welcome(), `${head({ records: [record, record] })}\na`], /fewer lines/],
    ['more values than heads', [welcome(), `${head({ records: [record] })}\na\nb`], /more lines/],
    [
      'a head that is none',
      [welcome(), `${head({ records: [{ ...record, key: 7 }] })}\na`],
      /invalid record head/,
    ],
    [
      'headers that are not text',
      [welcome(), `${head({ records: [{ ...record, headers: { a: 1 } }] })}\na`],
      /head/,
    ],
    [
      'a value that is not base64',
      [welcome(), `${head({ records: [{ ...record, encoding: 'base64' }] })}\n*`],
      /base64/,
    ],
    ['lines after an end', [welcome(), '{"type":"end","last":0}\nx'], /lines follow/],
    [
      'an error',
      [welcome(), '{"type":"error","code":"bad-message","message":"not like that"}'],
      /not like that/,
    ],
    ['a message larger than allowed', [welcome(), 'x'.repeat(20_000)], /"maxFrameBytes"/],
  ])('fails with one clear error for %s', async (_, messages, message) => {
    const server = await scriptedServer();
    const collected = collector();
    const opening = websocket({ url: server.url, maxFrameBytes: 10_000 }).open(collected, {
      clock: systemClock,
      logger: silentLogger,
    });
    const failedAtOnce = opening.then(
      (subscription) => {
        onTestFinished(() => subscription.stop());
        return [];
      },
      (error: unknown) => [error],
    );
    const socket = await server.subscribed(1);
    for (const each of messages) {
      if (each === 'invalid UTF-8') socket.send(Buffer.from([0xff]), { binary: false });
      else socket.send(each);
    }
    await once(socket, 'close');
    const errors = [...(await failedAtOnce), ...collected.failures];
    expect(errors).toMatchObject([{ code: 'protocol-violation', message: expect.stringMatching(message) }]);
    expect((errors[0] as Error).message).toContain(`"${server.url}"`);
    await turns();
    expect(server.heard.filter(({ type }) => type === 'subscribe')).toHaveLength(1);
  });

  it('ignores unknown members', async () => {
    const server = await scriptedServer();
    const opening = open({ url: server.url });
    const socket = await server.subscribed(1);
    socket.send('{"type":"welcome","stream":"one","next":1,"later":true}');
    const { collected } = await opening;
    socket.send(`${head({ records: [{ ...record, __proto__: null, more: 1 }], more: {} })}\n{"a":1}`);
    await collected.received(1);
  });
});

describe('websocket(): observers', () => {
  it('sends an observer the records of a consumer independently', async () => {
    const { sink, url, sever } = await streamServer();
    const { collected } = await open({ url, reconnect: { minDelay: 1 } });
    const first = await observer(url);
    await sink.write(emissions(5));
    await collected.received(5);
    await first.until(() => first.numbers.length === 5);
    sever();
    const second = await observer(url, { after: 5, stream: sink.stream });
    await sink.write(emissions(5, 6));
    await collected.received(10);
    await second.until(() => second.numbers.length === 5);
    expect([...first.numbers, ...second.numbers]).toEqual(offsets(collected));
  });
});
