import { Kafka, logLevel, Partitioners } from 'kafkajs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Broker, createBroker, startBroker } from '../../../emulator/broker/index.js';
import { apis } from '../../../emulator/broker/apis/all.js';
import { batchOf } from './batches.js';
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
  broker = createBroker({ topics: [{ name: 'events', partitions: 1 }], clock, logger: new LogRecorder() });
  client = WireClient.to(broker);
});
afterEach(() => broker.stop());

describe('an interceptor', () => {
  it('sees the decoded request and lets it pass when it returns nothing', async () => {
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

  it('has an error answered without anything being done, until it is removed', async () => {
    const remove = broker.intercept(PRODUCE, () => ({ errorCode: 6 }));
    expect(await produce()).toMatchObject({ errorCode: 6 });
    expect(end()).toBe(0);
    remove();
    expect(await produce()).toMatchObject({ errorCode: 0 });
    expect(end()).toBe(1);
  });

  it('delays by the broker’s clock', async () => {
    broker.intercept(PRODUCE, () => ({ delayMs: 1000 }));
    void produce();
    await clock.advance(999);
    expect(end()).toBe(0);
    await clock.advance(1);
    expect(end()).toBe(1);
  });

  it('holds a request up for as long as its promise is pending', async () => {
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

  it('drops the connection before or after the request is carried out', async () => {
    let when: 'before' | 'after' = 'before';
    broker.intercept(PRODUCE, () => ({ close: when }));
    expect(await produce()).toBeUndefined();
    expect(end()).toBe(0);
    client = WireClient.to(broker);
    when = 'after';
    expect(await produce()).toBeUndefined();
    expect(end()).toBe(1);
  });

  it.each([...apis.values()].map(({ key, name, maxVersion }) => ({ key, name, maxVersion })))(
    'can put an error into every API: $name',
    async ({ key, maxVersion }) => {
      broker.intercept(key, () => ({ errorCode: 41 }));
      const answer = await client.request(key, maxVersion, {
        topics: [{ name: 'events', topic: 'events', numPartitions: 1, partitions: [{ partition: 0 }] }],
        groups: key === 15 ? ['g'] : [{ groupId: 'g', topics: null }],
        groupNames: ['g'],
        coordinatorKeys: ['g'],
        resources: [{ resourceType: 2, resourceName: 'events', configurationKeys: null, configs: [] }],
      });
      expect(JSON.stringify(answer)).toContain('"errorCode":41');
    },
  );

  it('is refused for a key that the broker does not serve', () => {
    expect(() => broker.intercept(24, () => undefined)).toThrow(
      /API key "24" is not served; there are: 0 Produce, 1 Fetch/,
    );
  });
});

describe('kafkajs under faults', () => {
  it('loses nothing and doubles nothing when answers are lost and its producer is idempotent', async () => {
    const running = await startBroker({ port: 0, topics: [{ name: 'events' }], logger: new LogRecorder() });
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

  it('finds its coordinator again and goes on when it moves', async () => {
    const running = await startBroker({ port: 0, topics: [{ name: 'events' }], logger: new LogRecorder() });
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
  const answer = await client.request(PRODUCE, 7, body);
  return answer?.topics[0].partitions[0] as { errorCode: number } | undefined;
}

function end(): number | undefined {
  return broker.inspect().topics[0]?.partitions[0]?.endOffset;
}
