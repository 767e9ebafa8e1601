import { connect, createServer, type Server } from 'node:net';
import { Admin } from '@platformatic/kafka';
import { Kafka, logLevel, Partitioners } from 'kafkajs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Broker } from '../../../emulator/broker/broker.js';
import type { BrokerOptions } from '../../../emulator/broker/options.js';
import { LogRecorder } from './log-recorder.js';
import { ManualClock, settle } from './manual-clock.js';
import { type AnyResponse, encodeRequest, framed, WireClient } from './wire-client.js';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
const SECOND = 1000;
const MINUTE = 60 * SECOND;

const FETCH = 1;
const API_VERSIONS = 18;

let clock: ManualClock;
let log: LogRecorder;
let broker: Broker;
let server: Server;
let port: number;
const open: { close(): unknown }[] = [];

beforeEach(() => start());
afterEach(stop);

describe('the limit of unfinished requests', () => {
  it('does not close the producer whose request exceeds it', async () => {
    await start({ maxFrameBytes: 2 * MEBIBYTE });
    const stalled = [1, 2, 3].map(() => stall(1300 * KIBIBYTE));
    await until(() => broker.connections.unfinishedBytes === 3 * 1300 * KIBIBYTE);
    const producer = kafkajs().producer({ createPartitioner: Partitioners.DefaultPartitioner });
    await producer.connect();
    for (let sent = 0; sent < 20; sent += 1) {
      await producer.send({ topic: 'events', messages: [{ value: 'x'.repeat(900_000) }] });
    }
    await producer.disconnect();
    expect(broker.inspect().topics[0]?.partitions[0]?.endOffset).toBe(20);
    expect(stalled.filter(({ stream }) => stream.destroyed)).toHaveLength(1);
    expect(log.matching(/^warn connection closed .*unfinished requests take too much memory/)).toHaveLength(
      1,
    );
  });

  it('closes the client with the largest and longest idle request', async () => {
    await start({ maxFrameBytes: 2 * MEBIBYTE });
    const holding = (bytes: number): WireClient => {
      const client = WireClient.to(broker);
      client.raw(unfinished(bytes, 2 * MEBIBYTE));
      return client;
    };
    const small = holding(100);
    const early = holding(1000 * KIBIBYTE);
    await clock.advance(10 * SECOND);
    const late = holding(2000 * KIBIBYTE);
    await settle();
    const crossing = holding(1900 * KIBIBYTE);
    await early.closed;
    await settle();
    expect([small, late, crossing].map(({ stream }) => stream.destroyed)).toEqual([false, false, false]);
    expect(broker.connections.unfinishedBytes).toBe(3900 * KIBIBYTE + 100);
  });

  it('closes a connection after 30 s without a byte of its request', async () => {
    const stalled = stall(1000);
    const slow = stall(1000);
    await until(() => broker.connections.unfinishedBytes === 2000);
    await clock.advance(29 * SECOND);
    slow.raw(Buffer.alloc(1));
    await until(() => broker.connections.unfinishedBytes === 2001);
    expect(stalled.stream.destroyed).toBe(false);
    await clock.advance(3 * SECOND);
    await stalled.closed;
    expect(log.matching(/^warn connection closed .*its request made no progress for 30 s/)).toHaveLength(1);
    expect(slow.stream.destroyed).toBe(false);
    expect(broker.connections.unfinishedBytes).toBe(1001);
  });

  it('ignores requests that have arrived completely', async () => {
    broker.faults.add({ on: 'ApiVersions', delay: '1m' });
    const client = WireClient.to(broker);
    const request = framed(encodeRequest(API_VERSIONS, 0, 1, {}, 'x'.repeat(30_000)));
    client.raw(request.subarray(0, 20_000));
    await settle();
    expect(broker.connections.unfinishedBytes).toBe(20_000);
    client.raw(request.subarray(20_000));
    await settle();
    expect(broker.connections.unfinishedBytes).toBe(0);
    await clock.advance(MINUTE);
    expect(client.stream.destroyed).toBe(false);
  });

  it('ignores requests of closed connections', async () => {
    const stalled = stall(1000);
    await until(() => broker.connections.unfinishedBytes === 1000);
    stalled.close();
    await until(() => clock.pending === 0);
    expect(broker.connections.unfinishedBytes).toBe(0);
  });
});

describe('the idle limit', () => {
  it('closes a connection that sends nothing for five seconds', async () => {
    const silent = connected();
    await until(() => clock.pending === 1);
    await clock.advance(5 * SECOND);
    expect(clock.pending).toBe(1);
    await clock.advance(2 * SECOND);
    await silent.closed;
    expect(log.matching(/^warn connection closed .*it sent nothing for 5 s/)).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it('closes a connection that is idle for ten minutes, without a warning', async () => {
    const client = connected();
    expect(await ask(client)).toBe(0);
    await clock.advance(9 * MINUTE);
    expect(await ask(client)).toBe(0);
    await clock.advance(10 * MINUTE);
    expect(clock.pending).toBe(1);
    await clock.advance(2 * SECOND);
    await client.closed;
    expect(log.lines).toEqual([]);
  });

  it('follows the option connectionsMaxIdleMs', async () => {
    await start({ connectionsMaxIdleMs: 20 * SECOND });
    const client = connected();
    await ask(client);
    await clock.advance(20 * SECOND);
    expect(clock.pending).toBe(1);
    await clock.advance(2 * SECOND);
    await client.closed;
  });

  it('does not close a connection during a long request', async () => {
    const client = connected();
    const poll = fetch(client, 30 * MINUTE);
    await until(() => clock.pending === 2);
    await clock.advance(30 * MINUTE);
    expect((await poll).topics).toHaveLength(1);
    await clock.advance(9 * MINUTE);
    expect(await ask(client)).toBe(0);
  });

  it('closes a connection whose client does not read the response', async () => {
    broker.append('events', [{ value: Buffer.alloc(500_000) }]);
    const client = WireClient.to(broker);
    client.stream.pause();
    void fetch(client, 0);
    await clock.advance(10 * MINUTE);
    expect(clock.pending).toBe(1);
    await clock.advance(2 * SECOND);
    await client.closed;
  });

  it('closes idle connections of kafkajs and @platformatic/kafka, which reconnect', async () => {
    const admin = kafkajs().admin();
    await admin.connect();
    const other = new Admin({ clientId: 'other', bootstrapBrokers: [`127.0.0.1:${port}`] });
    open.push({ close: () => other.close() });
    expect(await admin.listTopics()).toEqual(['events']);
    expect(await other.listTopics()).toEqual(['events']);
    await clock.advance(11 * MINUTE);
    expect(clock.pending).toBe(0);
    expect(await admin.listTopics()).toEqual(['events']);
    expect(await other.listTopics()).toEqual(['events']);
    await admin.disconnect();
  });
});

describe('the limit of connections', () => {
  it('accepts a client although silent connections have reached it', async () => {
    await start({ maxConnections: 50 });
    const silent = Array.from({ length: 50 }, connected);
    await Promise.all(silent.map(({ stream }) => new Promise((resolve) => stream.once('connect', resolve))));
    const admin = kafkajs().admin();
    await admin.connect();
    expect(await admin.listTopics()).toEqual(['events']);
    await admin.disconnect();
    expect(log.matching(/^warn connection closed .*\\"maxConnections\\" \(50\) is reached/)).toHaveLength(1);
  });

  it('closes connections without a request first, then idle ones, then busy ones', async () => {
    await start({ maxConnections: 4 });
    const answered = WireClient.to(broker);
    const poll = fetch(answered, 5 * MINUTE);
    const [recent, idle] = [WireClient.to(broker), WireClient.to(broker)];
    await ask(recent);
    await ask(idle);
    await clock.advance(10 * SECOND);
    await ask(recent);
    const silent = WireClient.to(broker);
    const newcomers: WireClient[] = [];
    for (const victim of [silent, idle, recent]) {
      const newcomer = WireClient.to(broker);
      newcomers.push(newcomer);
      await victim.closed;
      expect(await ask(newcomer)).toBe(0);
    }
    expect(newcomers.some(({ stream }) => stream.destroyed)).toBe(false);
    await clock.advance(5 * MINUTE);
    expect((await poll).topics).toHaveLength(1);
  });

  it('closes the longest waiting one if all are busy', async () => {
    await start({ maxConnections: 2 });
    const [second, first] = [WireClient.to(broker), WireClient.to(broker)];
    await ask(second);
    void fetch(first, 20 * MINUTE);
    await clock.advance(2 * SECOND);
    await ask(second);
    void fetch(second, 20 * MINUTE);
    await settle();
    expect(await ask(WireClient.to(broker))).toBe(0);
    expect([first.stream.destroyed, second.stream.destroyed]).toEqual([true, false]);
  });
});

/** A connection that announces more bytes than it sends. */
function stall(bytes: number): WireClient {
  const client = connected();
  client.raw(unfinished(bytes, Math.max(bytes, MEBIBYTE)));
  return client;
}

function unfinished(bytes: number, promised: number): Buffer {
  return framed(Buffer.alloc(promised)).subarray(0, bytes);
}

function connected(): WireClient {
  const client = new WireClient(connect(port, '127.0.0.1'));
  open.push(client);
  return client;
}

async function ask(client: WireClient): Promise<number> {
  return (await client.request(API_VERSIONS, 0, {})).errorCode as number;
}

function fetch(client: WireClient, maxWaitMs: number): Promise<AnyResponse> {
  const partitions = [{ partition: 0, fetchOffset: 0, partitionMaxBytes: MEBIBYTE }];
  const topics = [{ topic: 'events', partitions }];
  return client.request(FETCH, 11, { replicaId: -1, maxWaitMs, minBytes: 1, topics });
}

function kafkajs(): Kafka {
  return new Kafka({ brokers: [`127.0.0.1:${port}`], logLevel: logLevel.NOTHING, retry: { retries: 0 } });
}

async function start(options: BrokerOptions = {}): Promise<void> {
  await stop();
  clock = new ManualClock();
  log = new LogRecorder();
  broker = new Broker({ topics: [{ name: 'events' }], clock, logger: log, ...options });
  server = createServer((socket) =>
    broker.handle(socket, { clientHost: 'test', advertised: { host: '127.0.0.1', port } }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as { port: number }).port;
}

async function stop(): Promise<void> {
  for (const one of open.splice(0)) await one.close();
  await (broker as Broker | undefined)?.stop();
  (server as Server | undefined)?.close();
}

/** Waits for real sockets; the test's time limit is the bound. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
