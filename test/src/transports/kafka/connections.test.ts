import { once } from 'node:events';
import { Socket } from 'node:net';
import kafkajs from 'kafkajs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { silentLogger } from '../../../../src/base/logger.js';
import { kafkajsClient } from '../../../../src/transports/kafka/index.js';
import { cases } from '../../../cases.js';
import { brokerWithEvents, type EventsBroker } from '../../../emulator/broker/topics-for-tests.js';
import { steadyClock } from '../../../steady-clock.js';
import { numbered, opened, range, values } from './opened.js';

describe('kafka(): connections', () => {
  it('opens one connection for concurrent requests after a cut', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    let held: (() => void)[] | undefined;
    const { client, sockets } = clientWithSockets(broker, (_, connect) => {
      if (held === undefined) connect();
      else held.push(connect);
    });
    const [heartbeat, retry] = [timer(100), timer(200)];
    const admin = timer(60_000);
    const { collected } = await opened(broker, { client } as object, {
      clock: {
        ...steadyClock,
        schedule: (delay, due) =>
          steadyClock.schedule(
            delay,
            [heartbeat, retry, admin].find((each) => each.delay === delay)?.set(due) ?? due,
          ),
      },
    });
    admin.due();
    const fetching = broker.faults.hold({ on: 'Fetch', at: 'request' });
    await fetching.reached;
    await heartbeat.isSet();
    held = [];
    const both = Promise.all([heartbeat.isDue(), retry.isDue()]);
    broker.closeConnections();
    fetching.release();
    await both;
    for (let turns = 0; turns < 10; turns++) await new Promise((resolve) => setImmediate(resolve));
    const connects = held;
    held = undefined;
    for (const connect of connects) connect();
    broker.append('events', numbered(5));
    await collected.received(5);
    // One for fetches and one for all other requests.
    expect(sockets.filter(({ readyState }) => readyState === 'open')).toHaveLength(2);
  });

  it('connects again when a socket closes before it is open', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    let closing = 0;
    const { client } = clientWithSockets(broker, (socket, connect) => {
      if (closing-- > 0) socket.destroy();
      else connect();
    });
    const { collected } = await opened(broker, { client } as object);
    closing = 3;
    broker.closeConnections();
    broker.append('events', numbered(5));
    await collected.received(5);
    expect(closing).toBeLessThan(0);
  });

  it('keeps a connection when an earlier socket connects late', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    let hold: ((connect: () => void) => void) | undefined;
    const { client, sockets } = clientWithSockets(broker, (_, connect) => {
      if (hold === undefined) connect();
      else hold(connect);
      hold = undefined;
    });
    const { collected } = await opened(broker, { client } as object);
    let timeOut: () => void = () => undefined;
    const { setTimeout } = globalThis;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((due: () => void, delay: number) => {
      if (delay === connectionTimeout && hold !== undefined) timeOut = due;
      return setTimeout(due, delay);
    }) as typeof setTimeout);
    const before = sockets.length;
    const held = new Promise<() => void>((resolve) => (hold = resolve));
    broker.closeConnections();
    broker.append('events', numbered(5));
    const connect = await held;
    vi.restoreAllMocks();
    timeOut();
    await collected.received(5);
    const [late, ...later] = sockets.slice(before);
    if (!late!.destroyed) {
      const closed = once(late!, 'close');
      connect();
      await closed;
    }
    expect(later.map(({ readyState }) => readyState)).toEqual(['open', 'open']);
  });

  it('reads on after many cuts, with two connections', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const { client, sockets } = clientWithSockets(broker);
    const { collected } = await opened(broker, { client } as object);
    const cuts = cases(10, 140);
    for (let cut = 0; cut < cuts; cut++) {
      broker.closeConnections();
      broker.append('events', numbered(1, cut));
      await collected.received(cut + 1);
    }
    expect(values(collected)).toEqual(range(0, cuts));
    expect(sockets.filter(({ readyState }) => readyState !== 'closed').length).toBeLessThanOrEqual(2);
  });

  it('reads on after a cut within a response', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const { client, sockets } = clientWithSockets(broker);
    const { collected } = await opened(broker, { client } as object);
    for (const socket of sockets) socket.emit('data', begunResponse);
    broker.closeConnections();
    broker.append('events', numbered(5));
    await collected.received(5);
    expect(collected.failures).toEqual([]);
  });

  it('describes topics and writes records on after a cut within a response', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const { client, sockets } = clientWithSockets(broker);
    const connection = await client.connect({ clock: steadyClock, logger: silentLogger });
    onTestFinished(() => connection.close());
    const record = { topic: 'events', key: null, value: Buffer.from('1'), headers: [] };
    const use = async () => [await connection.describeTopic('events'), await connection.produce(record)];
    const [before] = await use();
    for (const socket of sockets) socket.emit('data', begunResponse);
    const closed = sockets.map((socket) => once(socket, 'close'));
    broker.closeConnections();
    await Promise.all(closed);
    expect(await use()).toEqual([before, { topic: 'events', partition: 0, offset: 1 }]);
  });

  it('points at the brokers when one of them cannot take a record', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const { client } = clientWithSockets(broker);
    const connection = await client.connect({ clock: steadyClock, logger: silentLogger });
    onTestFinished(() => connection.close());
    broker.faults.add({ on: 'Produce', error: 'NOT_ENOUGH_REPLICAS' });
    const record = { topic: 'events', key: null, value: Buffer.from('1'), headers: [] };
    await expect(connection.produce(record)).rejects.toMatchObject({
      code: 'connection-failed',
      message: expect.stringMatching(/\(NOT_ENOUGH_REPLICAS\)\. Check the brokers\.$/) as string,
    });
  });

  it('asks once whether a topic exists', async () => {
    const broker = await brokerWithEvents();
    const connection = await clientWithSockets(broker).client.connect({
      clock: steadyClock,
      logger: silentLogger,
    });
    onTestFinished(() => connection.close());
    const asked: unknown[] = [];
    broker.onRequest(({ apiName, request }) => {
      if (apiName === 'Metadata') asked.push(request['topics']);
    });
    expect(await connection.rangesOf('events.dead-letter.replayed')).toBeUndefined();
    expect(asked).toEqual([[expect.objectContaining({ name: 'events.dead-letter.replayed' })]]);
  });

  it.each([
    ['is reset', (socket: Socket) => void socket.destroy(new Error('read ECONNRESET'))],
    ['ends', (socket: Socket) => void socket.emit('end')],
  ])('authenticates again when a connection %s during its authentication', async (_, interrupt) => {
    const sasl = { users: { me: 'secret' } };
    const broker = await brokerWithEvents({ partitions: 1, sasl });
    const { client, sockets } = clientWithSockets(broker, undefined, {
      sasl: { mechanism: 'plain', username: 'me', password: 'secret' },
    });
    const { collected } = await opened(broker, { client } as object);
    const held = broker.faults.hold({ on: 'SaslAuthenticate', at: 'request' });
    broker.closeConnections();
    await held.reached;
    for (const socket of sockets) if (!socket.destroyed) interrupt(socket);
    held.release();
    broker.append('events', numbered(5));
    await collected.received(5);
    expect(collected.failures).toEqual([]);
  });

  it('connects again when a request times out, also for dead letters', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const { client, sockets } = clientWithSockets(broker);
    const { collected, subscription } = await opened(broker, {
      client,
      createDeadLetterTopics: true,
    } as object);
    broker.append('events', numbered(1));
    await collected.received(1);
    const cause = { code: 'invalid-event', message: 'No event.', attempts: 0 };
    const deadLetter = () => subscription.deadLetter!(collected.records[0]!, cause);
    await deadLetter();
    sockets.forEach(mute);
    broker.append('events', numbered(5, 1));
    const both = Promise.all([collected.received(6), deadLetter()]);
    const { now } = Date;
    let passed = 0;
    // kafkajs counts the time of its requests by this clock.
    vi.spyOn(Date, 'now').mockImplementation(() => now() + passed);
    const passing = setInterval(() => (passed += 2 * connectionTimeout), 500);
    await both.finally(() => clearInterval(passing));
    vi.restoreAllMocks();
    expect(values(collected)).toEqual(range(0, 6));
  });

  it('opens no connection after its end', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const { client, sockets } = clientWithSockets(broker);
    const connection = await client.connect({ clock: steadyClock, logger: silentLogger });
    await connection.close();
    const before = sockets.length;
    const range = { topic: 'events', partition: 0, first: 0, end: 1 };
    const reading = connection.read(range)[Symbol.asyncIterator]().next();
    const requests = [connection.rangesOf('events'), connection.describeTopic('events'), reading];
    for (const request of requests)
      await expect(request).rejects.toMatchObject({ code: 'connection-failed' });
    expect(sockets).toHaveLength(before);
  });

  it.each([
    ['the connections', false],
    ['new connections', true],
  ])('stops within ten seconds when Kafka responds to nothing on %s', async (_, isCut) => {
    const broker = await brokerWithEvents({ partitions: 1 });
    let isMute = false;
    const { client, sockets } = clientWithSockets(broker, (socket, connect) => {
      connect();
      if (isMute) setImmediate(mute, socket);
    });
    const limits: (() => void)[] = [];
    const { collected, subscription } = await opened(broker, { client, commitInterval: 600_000 } as object, {
      clock: {
        ...steadyClock,
        schedule(delay, due) {
          if (delay !== 5_000) return steadyClock.schedule(delay, due);
          limits.push(due);
          setImmediate(due);
          return () => undefined;
        },
      },
    });
    broker.append('events', numbered(5));
    await collected.received(5);
    subscription.commit(collected.batches[0]!.partition, 5);
    isMute = true;
    sockets.forEach(mute);
    if (isCut) broker.closeConnections();
    await subscription.stop();
    expect(limits.length).toBeLessThanOrEqual(3);
  });
});

/** The first bytes of a response. */
const begunResponse = Buffer.from([0, 0, 0, 9, 1]);

/** Lets what the broker sends disappear. */
function mute(socket: Socket): void {
  socket.removeAllListeners('data');
  socket.resume();
}

/** Milliseconds that no test takes. */
const connectionTimeout = 600_000;

/** A client of kafkajs whose sockets a test connects. */
function clientWithSockets(
  broker: EventsBroker,
  open: (socket: Socket, connect: () => void) => void = (_, connect) => connect(),
  more: Partial<kafkajs.KafkaConfig> = {},
) {
  const sockets: Socket[] = [];
  const ready = new kafkajs.Kafka({
    brokers: [broker.bootstrapServers],
    logLevel: kafkajs.logLevel.NOTHING,
    connectionTimeout,
    requestTimeout: connectionTimeout,
    ...more,
    socketFactory({ host, port, onConnect }) {
      const socket = new Socket();
      sockets.push(socket);
      open(socket, () => void socket.connect({ host, port }, onConnect));
      return socket;
    },
  });
  return { client: kafkajsClient(ready), sockets };
}

/** Lets a test wait until the timers of one delay are set and due. */
function timer(delay: number) {
  const wasSet: (() => void)[] = [];
  const wasDue: (() => void)[] = [];
  const next = (waiting: (() => void)[]) => new Promise<void>((resolve) => void waiting.push(resolve));
  const all = (waiting: (() => void)[]) => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  const found = {
    delay,
    due: (): void => undefined,
    isSet: () => next(wasSet),
    isDue: () => next(wasDue),
    set(due: () => void) {
      found.due = () => {
        due();
        all(wasDue);
      };
      all(wasSet);
      return found.due;
    },
  };
  return found;
}
