import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../../src/base/clock.js';
import { emissions } from './emissions.js';
import { consumer, observer, range, rawClient, turns } from './raw-client.js';
import { streamServer } from './stream-server.js';

const observe = { type: 'subscribe', mode: 'observe' };
const consume = { type: 'subscribe', mode: 'consume', consumer: 'hostile' };

/** Messages of which the last is invalid, and the error. */
const refused: [what: string, messages: unknown[], code: string, closeCode: number, hint: RegExp][] = [
  ['text that is not JSON', ['{"type":'], 'bad-message', 1007, /not JSON/],
  ['an empty message', [''], 'bad-message', 1007, /not JSON/],
  ['a million brackets too few', ['['.repeat(60_000)], 'bad-message', 1007, /not JSON/],
  ["JSON that isn't an object", ['[]'], 'bad-message', 1008, /JSON object/],
  ['null', ['null'], 'bad-message', 1008, /JSON object/],
  ['no type', ['{}'], 'bad-message', 1008, /"type"/],
  ['an unknown type', ['{"type":"constructor"}'], 'bad-message', 1008, /"type"/],
  ['a type hidden in __proto__', ['{"__proto__":{"type":"subscribe"}}'], 'bad-message', 1008, /"__proto__"/],
  [
    'a __proto__',
    ['{"type":"subscribe","mode":"observe","__proto__":{}}'],
    'bad-message',
    1008,
    /"__proto__"/,
  ],
  ['a member of no meaning', [{ ...observe, afer: 3 }], 'bad-message', 1008, /"afer".*after/],
  ['an unknown mode', [{ type: 'subscribe', mode: 'toString' }], 'bad-message', 1008, /"mode"/],
  ['a number as text', [{ ...observe, after: '3' }], 'bad-message', 1008, /"after"/],
  ['a negative number', [{ ...observe, after: -1 }], 'bad-message', 1008, /"after"/],
  ['a fraction', [{ ...observe, after: 0.5 }], 'bad-message', 1008, /"after"/],
  ['a number beyond exactness', [{ ...observe, after: 2 ** 53 }], 'bad-message', 1008, /"after"/],
  ['a stream that is none', [{ ...observe, stream: {} }], 'bad-message', 1008, /"stream"/],
  ['a consumer without a name', [{ ...consume, consumer: '' }], 'bad-message', 1008, /"consumer"/],
  ['a name without end', [{ ...consume, consumer: 'x'.repeat(201) }], 'bad-message', 1008, /"consumer"/],
  ['a second subscription', [observe, observe], 'already-subscribed', 1008, /subscribed already/],
  ['an ack from a stranger', [{ type: 'ack', through: 1 }], 'not-subscribed', 1008, /Subscribe/],
  ['an ack from an observer', [observe, { type: 'ack', through: 1 }], 'bad-message', 1008, /observer/],
  ['an ack of a future record', [consume, { type: 'ack', through: 99 }], 'bad-message', 1008, /99/],
  ['an ack of nothing', [consume, { type: 'ack' }], 'bad-message', 1008, /"through"/],
  ['more than a message may have', ['x'.repeat(64 * 1024 + 1)], 'too-large', 1009, /65536/],
];

describe('a client that breaks the protocol', () => {
  it.each(refused)('gets an error for %s and is disconnected', async (_, messages, code, closeCode, hint) => {
    const { sink, url } = await streamServer();
    const bystander = await consumer(url, 'bystander');
    const client = await rawClient(url);
    for (const message of messages) client.send(message);
    const error = await client.message('error');
    expect(error.code).toBe(code);
    expect(error.message).toMatch(hint);
    expect(error.message.length).toBeLessThan(300);
    expect(await client.closed()).toBe(closeCode);

    await sink.write(emissions(3));
    await bystander.until(() => bystander.numbers.length === 3);
  });

  it('loses its connection after a binary message', async () => {
    const { url } = await streamServer();
    const client = await rawClient(url);
    client.socket.send(Buffer.from(JSON.stringify(observe)), { binary: true });
    expect(await client.message('error')).toMatchObject({ code: 'bad-message' });
    expect(await client.closed()).toBe(1003);
  });

  it('loses its connection before it fills the memory', async () => {
    const { url } = await streamServer();
    const client = await rawClient(url);
    client.send('x'.repeat(2 * 1024 * 1024));
    expect(await client.closed()).toBe(1009);
  });

  it('does not fill the memory with answers to pings that it never reads', async () => {
    const { url } = await streamServer();
    const client = await observer(url);
    let answers = 0;
    client.socket.on('pong', () => answers++);
    client.socket.pause();
    // 13 MB of answers: more than the buffers of both sockets take.
    const pings = 100_000;
    for (let n = 1; n <= pings; n++) {
      client.socket.ping(Buffer.alloc(125));
      if (n % 1_000 === 0) await turns(2);
    }
    while (client.socket.bufferedAmount > 0) await turns(2);
    await turns();
    client.socket.resume();
    client.send('bye');
    await client.closed();
    expect(answers).toBeGreaterThan(0);
    expect(answers).toBeLessThan(pings);
  });

  it('loses further messages after the first mistake', async () => {
    const { sink, url } = await streamServer();
    const client = await rawClient(url);
    for (const message of ['nonsense', consume, consume]) client.send(message);
    expect(await client.closed()).toBe(1007);
    expect(client.messages.map(({ type }) => type)).toEqual(['error']);
    // The name was never attached.
    await sink.write(emissions(3));
    await sink.end();
  });
});

describe('keeping connections', () => {
  it('cuts a client that has gone silent, and frees its name', async () => {
    const clock = virtualClock();
    const { url } = await streamServer({ clock, keepAlive: 1_000 });
    const silent = await rawClient(url, { autoPong: false });
    silent.send({ ...consume, consumer: 'billing' });
    await silent.message('welcome');
    const alive = await observer(url);
    for (let beat = 0; beat < 2; beat++) {
      clock.advance(1_000);
      await turns();
    }
    expect(await silent.closed()).toBe(1006);
    expect(alive.closeCode).toBeUndefined();
    await consumer(url, 'billing');
  });

  it('refuses more connections than it keeps, and takes the next when one is gone', async () => {
    const { url } = await streamServer({ maxClients: 2 });
    const [first] = [await observer(url), await observer(url)];
    await expect(rawClient(url)).rejects.toThrow('503');
    first.socket.close();
    await first.closed();
    await observer(url);
  });

  it('demands the subprotocol, and says so in words', async () => {
    const { port } = await streamServer();
    for (const protocol of [undefined, 'busbar.v2', 'x-busbar.v1']) {
      expect(
        await upgrade(port, protocol === undefined ? {} : { 'Sec-WebSocket-Protocol': protocol }),
      ).toEqual({
        status: 400,
        text: expect.stringContaining('"busbar.v1"'),
      });
    }
    const both = await upgrade(port, { 'Sec-WebSocket-Protocol': 'other, busbar.v1' });
    expect(both).toMatchObject({ status: 101, protocol: 'busbar.v1' });
  });

  it('refuses connections once it is closed', async () => {
    const { sink, port } = await streamServer();
    await sink.close();
    expect(await upgrade(port, { 'Sec-WebSocket-Protocol': 'busbar.v1' })).toMatchObject({ status: 503 });
  });

  it('serves as many clients as come, all the same records', async () => {
    const { sink, url } = await streamServer();
    const clients = await Promise.all(range(1, 20).map(() => observer(url)));
    await sink.write(emissions(2_000));
    for (const client of clients) {
      await client.until(() => client.numbers.length === 2_000);
      expect(client.numbers).toEqual(range(1, 2_000));
    }
  });
});

/** A handshake by hand. */
function upgrade(port: number, headers: Record<string, string>) {
  return new Promise<{ status: number; text: string; protocol?: string | undefined }>((resolve, reject) => {
    const asking = request({
      port,
      path: '/events',
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': Buffer.alloc(16).toString('base64'),
        ...headers,
      },
    });
    asking.on('error', reject);
    asking.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: 101, text: '', protocol: response.headers['sec-websocket-protocol'] });
    });
    asking.on('response', (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode!, text }));
    });
    asking.end();
  });
}
