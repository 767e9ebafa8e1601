import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import kafkajs from 'kafkajs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { restartPort } from '../../restart-port.js';
import { type EmbeddedBroker, startEmbeddedBroker } from '../../../emulator/broker/start.js';
import { type OutgoingEvent, startEmulator } from '../../../emulator/index.js';
import { type KafkaSinkOptions, kafkaSink } from '../../../emulator/sinks/kafka.js';
import { silentLogger } from '../../../src/base/logger.js';
import { emission, emissions } from './emissions.js';

const { Kafka, logLevel } = kafkajs;

async function brokered<T>(work: (broker: EmbeddedBroker) => Promise<T>): Promise<T> {
  const broker = await startEmbeddedBroker({
    port: 0,
    topics: [{ name: 'platform.events', partitions: 3 }],
    logger: silentLogger,
  });
  return work(broker).finally(() => broker.stop());
}

async function withSink<T>(
  broker: EmbeddedBroker,
  options: Partial<KafkaSinkOptions>,
  work: (write: (emissions: readonly OutgoingEvent[]) => Promise<void>) => Promise<T>,
): Promise<T> {
  const sink = await kafkaSink({ brokers: [broker.bootstrapServers], ...options });
  return work(async (list) => sink.write(list)).finally(() => sink.close());
}

interface Read {
  readonly partition: number;
  readonly key: string;
  readonly value: string;
  readonly headers: Record<string, string>;
}

/** The first `count` records of a topic, as a consumer group reads them. */
async function read(broker: EmbeddedBroker, count: number, topic = 'platform.events'): Promise<Read[]> {
  const kafka = new Kafka({ brokers: [broker.bootstrapServers], logLevel: logLevel.NOTHING });
  const consumer = kafka.consumer({ groupId: `reader-${topic}` });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  const records: Read[] = [];
  await new Promise<void>((resolve) => {
    void consumer.run({
      async eachMessage({ partition, message: { key, value, headers = {} } }) {
        const texts = Object.entries(headers).map(([name, each]) => [name, String(each)]);
        records.push({
          partition,
          key: String(key),
          value: String(value),
          headers: Object.fromEntries(texts),
        });
        if (records.length === count) resolve();
      },
    });
  });
  await consumer.disconnect();
  return records;
}

describe('the sink to Kafka', () => {
  it.each(['gzip', 'none'] as const)(
    'sends bytes, key and headers, in order per key, with compression %s',
    (compression) =>
      brokered(async (broker) => {
        const sent = emissions(2500);
        await withSink(broker, { compression }, (write) => write(sent));
        const records = await read(broker, sent.length);
        for (const key of ['A-0', 'A-1', 'A-2']) {
          const ofKey = records.filter((record) => record.key === key);
          expect(new Set(ofKey.map(({ partition }) => partition)).size).toBe(1);
          const expected = sent.filter((each) => each.key === key);
          expect(ofKey.map(({ value }) => value)).toEqual(expected.map(({ bytes }) => bytes.toString()));
          expect(ofKey.map(({ headers }) => headers)).toEqual(expected.map(({ headers }) => headers));
        }
      }),
  );

  it('sends at most 1,000 records, and less than a broker refuses, at a time', () =>
    brokered(async (broker) => {
      broker.faults.add({ on: 'Produce', delay: '0ms' });
      const requests = () => broker.faults.applied().length;
      await withSink(broker, { compression: 'none' }, async (write) => {
        await write(emissions(2001));
        expect(requests()).toBe(3);
        const large = Buffer.from(JSON.stringify({ text: 'x'.repeat(400_000) }));
        await write([1, 2, 3].map((n) => emission(n, { bytes: large })));
        expect(requests()).toBe(6);
      });
    }));

  it.each([
    ['domain', 'mine.account'],
    ['type', 'mine.account.created'],
  ] as const)('names topics after %s', (topicPer, topic) =>
    brokered(async (broker) => {
      await withSink(broker, { topic: 'mine', topicPer }, (write) => write(emissions(2)));
      expect(await read(broker, 2, topic)).toHaveLength(2);
    }),
  );

  it('sends event types of a domain without dots to one topic', () =>
    brokered(async (broker) => {
      const list = ['dunning_path_started', 'dunning_path_paused'].map((event_type, n) => {
        const { envelope, ...event } = emission(n);
        return { ...event, envelope: { ...envelope, event_type } };
      });
      await withSink(broker, { topic: 'mine', topicPer: 'domain' }, (write) => write(list));
      expect(broker.inspect().topics.map(({ name }) => name)).toEqual([
        'platform.events',
        'mine.dunning_path',
      ]);
    }));

  it('continues after a broker failure without loss or duplicates', () =>
    brokered(async (broker) => {
      broker.faults.add({ on: 'Produce', times: 1, cut: 'before' });
      broker.faults.add({ on: 'Produce', times: 1, error: 'NOT_LEADER_OR_FOLLOWER' });
      broker.faults.add({ on: 'Produce', times: 1, cut: 'answer' });
      const sent = emissions(300);
      await withSink(broker, {}, (write) => write(sent));
      expect(broker.faults.list().map(({ applied }) => applied)).toEqual([1, 1, 1]);
      const ids = (await read(broker, sent.length)).map(({ headers }) => headers['event-id']);
      expect(new Set(ids).size).toBe(sent.length);
      const { topics } = broker.inspect();
      const ends = topics
        .find(({ name }) => name === 'platform.events')
        ?.partitions.map(({ endOffset }) => endOffset);
      expect(ends?.reduce((sum, end) => sum + end, 0)).toBe(sent.length);
    }));

  it('continues after a cut within a response', () =>
    brokered(async (broker) => {
      const connecting = vi.spyOn(Socket.prototype, 'connect');
      onTestFinished(() => {
        connecting.mockRestore();
      });
      await withSink(broker, { logger: silentLogger }, async (write) => {
        await write([emission(0)]);
        for (const socket of connecting.mock.contexts as Socket[]) {
          // The length of a response, and its first byte.
          socket.emit('data', Buffer.from([0, 0, 0, 9, 1]));
          socket.destroy(new Error('read ECONNRESET'));
        }
        await write([emission(1)]);
        expect(await read(broker, 2)).toHaveLength(2);
      });
    }));

  it('fails if the broker is gone, and reports how to resume', () =>
    brokered(async (broker) => {
      const sink = await kafkaSink({
        brokers: [broker.bootstrapServers],
        retries: 1,
        logger: silentLogger,
      });
      let batches = 0;
      const failing = {
        ...sink,
        async write(list: readonly OutgoingEvent[]) {
          if (++batches === 2) await broker.stop();
          await sink.write(list);
        },
      };
      const emulator = await startEmulator({
        scenario: 'house-move',
        instances: 200,
        speed: 'instant',
        sinks: [failing],
        logger: silentLogger,
      });
      const error: unknown = await emulator.finished.catch((reason: unknown) => reason);
      await emulator.stop();
      expect(error).toMatchObject({ code: 'connection-failed' });
      expect(String(error)).toMatch(
        /Kafka at "127.0.0.1:\d+" did not accept the events \(.*\)\. Check the addresses, the network, "ssl" and "sasl"\. The run ends after 1\d{3} events, at virtual time 2026-03-\S+Z\. Only a run with --record/,
      );
    }));

  it('encrypts and authenticates, as a consumer does', async () => {
    const pem = (name: string) =>
      readFileSync(new URL(`../broker/tls/localhost-${name}.pem`, import.meta.url), 'utf8');
    const broker = await startEmbeddedBroker({
      port: 0,
      topics: [{ name: 'platform.events', partitions: 1 }],
      tls: { cert: pem('cert'), key: pem('key') },
      sasl: { users: { emulator: 'a-secret' } },
      logger: silentLogger,
    });
    onTestFinished(() => broker.stop());
    const ssl = { ca: pem('cert'), servername: 'localhost' };
    const sasl = { mechanism: 'plain', username: 'emulator', password: 'a-secret' } as const;
    await withSink(broker, { ssl, sasl }, (write) => write([emission(0)]));
    expect(broker.inspect().topics[0]?.partitions.map(({ endOffset }) => endOffset)).toEqual([1]);
    await expect(kafkaSink({ brokers: [broker.bootstrapServers], sasl, retries: 1 })).rejects.toMatchObject({
      code: 'connection-failed',
    });
  });

  it('reports a failed login without the password', async () => {
    const broker = await startEmbeddedBroker({
      port: 0,
      sasl: { users: { emulator: 'a-secret' } },
      logger: silentLogger,
    });
    onTestFinished(() => broker.stop());
    const sasl = { mechanism: 'plain', username: 'emulator', password: 'wrong-secret' } as const;
    const refused = kafkaSink({ brokers: [broker.bootstrapServers], sasl, retries: 1 });
    await expect(refused).rejects.toMatchObject({
      code: 'not-authorized',
      message: expect.not.stringContaining('secret') as string,
    });
  });

  it('says at once that no broker can be reached, and after the last retry why', async () => {
    const bootstrapServers = `127.0.0.1:${await restartPort()}`;
    const logged: string[] = [];
    const logger = { ...silentLogger, warn: (message: string) => void logged.push(message) };
    await expect(kafkaSink({ brokers: [bootstrapServers], retries: 1, logger })).rejects.toMatchObject({
      code: 'connection-failed',
      message: `Kafka at "${bootstrapServers}" could not be reached (Connection error: connect ECONNREFUSED ${bootstrapServers}). Check the addresses, the network, "ssl" and "sasl".`,
    });
    expect(logged).toEqual(['kafka accepts no events, trying again']);
  });

  it('says at once that the topic is missing, and waits for it', async () => {
    const broker = await startEmbeddedBroker({ port: 0, autoCreateTopics: false, logger: silentLogger });
    onTestFinished(() => broker.stop());
    const admin = new Kafka({ brokers: [broker.bootstrapServers], logLevel: logLevel.NOTHING }).admin();
    let created: Promise<boolean> | undefined;
    const warn = vi.fn(() => {
      created ??= admin.createTopics({ topics: [{ topic: 'platform.events' }] });
    });
    await admin.connect();
    onTestFinished(() => admin.disconnect());
    await withSink(broker, { logger: { ...silentLogger, warn } }, (write) => write([emission(0)]));
    await created;
    const error = 'This server does not host this topic-partition';
    expect(warn.mock.calls).toMatchObject([['kafka accepts no events, trying again', { error }]]);
  });

  it('connects to a broker that starts later, and says so', async () => {
    const port = await restartPort();
    let broker: EmbeddedBroker | undefined;
    const startBroker = async () => void (broker = await startEmbeddedBroker({ port, logger: silentLogger }));
    const logger = { ...silentLogger, info: vi.fn(), warn: () => void startBroker() };
    const sink = await kafkaSink({ brokers: [`127.0.0.1:${port}`], retries: 100, logger });
    await sink.close();
    await broker?.stop();
    expect(logger.info.mock.calls).toMatchObject([['kafka accepts events again', {}]]);
  });

  it.each([
    [{ brokers: ['localhost'] }, '"brokers[0]" must be a broker as "host:port", not "localhost"'],
    [{ brokers: ['a:1'], retries: 0 }, '"retries" must be a whole number from 1 to 100, not 0'],
    [{ brokers: ['a:1'], topic: 'my topic' }, '"topic" must be a topic: 1 to 120 letters'],
  ])('refuses %j before it connects', async (options, message) => {
    await expect(kafkaSink(options)).rejects.toThrow(message);
  });
});
