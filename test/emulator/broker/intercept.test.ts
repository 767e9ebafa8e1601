import { Kafka, logLevel, Partitioners } from 'kafkajs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Broker } from '../../../emulator/broker/broker.js';
import { startEmbeddedBroker } from '../../../emulator/broker/start.js';
import { apis } from '../../../emulator/broker/apis/all.js';
import { batchOf } from './batches.js';
import { smallestMessage } from './arbitrary-messages.js';
import { LogRecorder } from './log-recorder.js';
import { ManualClock, settle } from './manual-clock.js';
import { WireClient } from './wire-client.js';

const PRODUCE = 0;
const METADATA = 3;
const OFFSET_COMMIT = 8;
const HEARTBEAT = 12;

let broker: Broker;
let client: WireClient;
let clock: ManualClock;

beforeEach(() => {
  clock = new ManualClock();
  broker = new Broker({ topics: [{ name: 'events', partitions: 1 }], clock, logger: new LogRecorder() });
  client = WireClient.to(broker);
});
afterEach(() => broker.stop());

describe('intercept()', () => {
  it('passes the decoded request, which continues without a fault', async () => {
    const seen: unknown[] = [];
    broker.intercept(METADATA, (request) => void seen.push(request));
    expect(
      (await client.request(METADATA, 4, { topics: [{ name: 'events' }], allowAutoTopicCreation: false }))
        .topics,
    ).toHaveLength(1);
    expect(seen).toMatchObject([
      {
        apiKey: 3,
        apiName: 'Metadata',
        apiVersion: 4,
        clientId: 'wire',
        request: { topics: [{ name: 'events' }], allowAutoTopicCreation: false },
      },
    ]);
  });

  it('refuses requests with an error code until the interceptor is removed', async () => {
    const remove = broker.intercept(PRODUCE, () => ({ errorCode: 6 }));
    expect(await produce()).toMatchObject({ errorCode: 6 });
    expect(end()).toBe(0);
    remove();
    expect(await produce()).toMatchObject({ errorCode: 0 });
    expect(end()).toBe(1);
  });

  it('delays a request by the broker’s clock', async () => {
    broker.intercept(PRODUCE, () => ({ delayMs: 1000 }));
    void produce();
    await clock.advance(999);
    expect(end()).toBe(0);
    await clock.advance(1);
    expect(end()).toBe(1);
  });

  it('delays a request until the promise resolves', async () => {
    let release = (): void => undefined;
    broker.intercept(
      PRODUCE,
      () => new Promise<undefined>((resolve) => (release = () => resolve(undefined))),
    );
    void produce();
    await settle();
    expect(end()).toBe(0);
    release();
    await settle();
    expect(end()).toBe(1);
  });

  it('closes the connection before or after the request is handled', async () => {
    let when: 'before' | 'after' = 'before';
    broker.intercept(PRODUCE, () => ({ close: when }));
    expect(await produce()).toBeUndefined();
    expect(end()).toBe(0);
    client = WireClient.to(broker);
    when = 'after';
    expect(await produce()).toBeUndefined();
    expect(end()).toBe(1);
  });

  it.each(
    [...apis.values()].map(({ key, name, maxVersion, request }) => ({ key, name, maxVersion, request })),
  )('injects an error into every API: $name', async ({ key, maxVersion, request }) => {
    broker.intercept(key, () => ({ errorCode: 41 }));
    const response = await client.request(key, maxVersion, smallestMessage(request));
    expect(JSON.stringify(response)).toContain('"errorCode":41');
  });

  it('throws for an API key that the broker does not serve', () => {
    expect(() => broker.intercept(24, () => undefined)).toThrow(
      /does not serve the API key "24". It serves: 0 Produce, 1 Fetch/,
    );
  });
});

describe('kafkajs under faults', () => {
  it('loses and repeats no record of an idempotent producer when responses are lost', async () => {
    const running = await startEmbeddedBroker({
      port: 0,
      topics: [{ name: 'events' }],
      logger: new LogRecorder(),
    });
    let requests = 0;
    running.intercept(PRODUCE, () => ((requests += 1) % 3 === 0 ? { close: 'after' } : undefined));
    const kafka = clientOf(running.bootstrapServers);
    const producer = kafka.producer({ idempotent: true, createPartitioner: Partitioners.DefaultPartitioner });
    await producer.connect();
    for (let index = 0; index < 9; index += 1) {
      await producer.send({ topic: 'events', messages: [{ value: String(index) }] });
    }
    await producer.disconnect();
    expect(requests).toBeGreaterThan(9);
    expect(running.inspect().topics[0]?.partitions[0]?.endOffset).toBe(9);
    await running.stop();
  });

  it('finds a moved coordinator and continues', async () => {
    const running = await startEmbeddedBroker({
      port: 0,
      topics: [{ name: 'events' }],
      logger: new LogRecorder(),
    });
    let moved = 0;
    for (const key of [OFFSET_COMMIT, HEARTBEAT]) {
      running.intercept(key, () => (moved < 2 ? ((moved += 1), { errorCode: 16 }) : undefined));
    }
    running.append('events', [{ value: 'a' }, { value: 'b' }]);
    const consumer = clientOf(running.bootstrapServers).consumer({ groupId: 'group', maxWaitTimeInMs: 50 });
    await consumer.connect();
    await consumer.subscribe({ topic: 'events', fromBeginning: true });
    await consumer.run({ eachMessage: async () => undefined });
    while (running.inspect().groups[0]?.offsets[0]?.committed !== 2)
      await new Promise((resolve) => setImmediate(resolve));
    expect(moved).toBe(2);
    await consumer.disconnect();
    await running.stop();
  });
});

function clientOf(broker: string): Kafka {
  return new Kafka({
    brokers: [broker],
    logLevel: logLevel.NOTHING,
    retry: { initialRetryTime: 1, maxRetryTime: 20 },
  });
}

async function produce() {
  const partitions = [{ index: 0, records: batchOf(['a']) }];
  const body = { transactionalId: null, acks: -1, timeoutMs: 1000, topics: [{ name: 'events', partitions }] };
  const response = await client.request(PRODUCE, 7, body);
  return response?.topics[0].partitions[0] as { errorCode: number } | undefined;
}

function end(): number | undefined {
  return broker.inspect().topics[0]?.partitions[0]?.endOffset;
}
