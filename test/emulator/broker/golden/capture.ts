// Records what independent clients really send: one request per API key and version, as bytes.
// Run by hand after a client is updated: npx tsx test/emulator/broker/golden/capture.ts
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { Admin, Consumer, Producer, stringDeserializers, stringSerializers } from '@platformatic/kafka';
import kafkajs, { type EachMessagePayload } from 'kafkajs';
import { apis } from '../../../../emulator/broker/apis/all.js';
import { startBroker } from '../../../../emulator/broker/index.js';
import { FrameSplitter } from '../../../../src/kafka-protocol/frames.js';

// A CommonJS module whose exports Node does not find by name.
const { ConfigResourceTypes, Kafka, logLevel, Partitioners } = kafkajs;

await capture('kafkajs-2.2.4', withKafkajs);
await capture('platformatic-kafka-1.22.0', withPlatformatic);

/** Runs the client against a broker behind a proxy that listens in. */
async function capture(
  origin: string,
  useClient: (bootstrapServers: string) => Promise<void>,
): Promise<void> {
  const requests = new Map<string, { api: string; version: number; hex: string }>();
  const proxy = createServer((client) => {
    const broker = connect(brokerPort, '127.0.0.1');
    const frames = new FrameSplitter(1024 * 1024);
    client.on('data', (chunk: Buffer) => {
      for (const frame of frames.push(chunk)) {
        const [key, version] = [frame.readInt16BE(0), frame.readInt16BE(2)];
        const api = apis.get(key)?.name ?? `key ${key}`;
        const name = `${api} ${version}`;
        // The first request of a kind may be an empty one: the longest short one tells most.
        const known = requests.get(name)?.hex.length ?? 0;
        if (frame.length < 1500 && frame.length * 2 > known)
          requests.set(name, { api, version, hex: frame.toString('hex') });
      }
    });
    client.pipe(broker).pipe(client);
    client.on('error', () => broker.destroy());
    broker.on('error', () => client.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const running = await startBroker({
    port: 0,
    topics: [{ name: 'events', partitions: 2 }],
    advertised: { host: '127.0.0.1', port },
    sasl: { users: { user: 'password' } },
  });
  const brokerPort = running.port;
  await useClient(`127.0.0.1:${port}`);
  await running.stop();
  proxy.close();
  const sorted = [...requests.values()].sort((a, b) => a.api.localeCompare(b.api) || a.version - b.version);
  writeFileSync(
    new URL(`./${origin}.json`, import.meta.url),
    `${JSON.stringify({ origin, requests: sorted }, null, 2)}\n`,
  );
}

async function withKafkajs(server: string): Promise<void> {
  const kafka = new Kafka({
    brokers: [server],
    clientId: 'kafkajs',
    logLevel: logLevel.NOTHING,
    sasl: { mechanism: 'plain', username: 'user', password: 'password' },
  });
  const admin = kafka.admin();
  await admin.connect();
  const configEntries = [{ name: 'retention.ms', value: '1000' }];
  await admin.createTopics({ topics: [{ topic: 'made', numPartitions: 1, configEntries }] });
  await admin.createPartitions({ topicPartitions: [{ topic: 'made', count: 2 }] });
  const resource = { type: ConfigResourceTypes.TOPIC, name: 'made' };
  await admin.describeConfigs({
    includeSynonyms: true,
    resources: [{ ...resource, configNames: ['retention.ms'] }],
  });
  await admin.alterConfigs({ validateOnly: false, resources: [{ ...resource, configEntries }] });
  const producer = kafka.producer({ idempotent: true, createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  await producer.send({ topic: 'events', messages: [{ key: 'k', value: 'v', headers: { trace: 'abc' } }] });
  await producer.disconnect();
  const consumer = kafka.consumer({ groupId: 'group', heartbeatInterval: 1, maxWaitTimeInMs: 50 });
  await consumer.connect();
  await consumer.subscribe({ topic: 'events', fromBeginning: true });
  await new Promise<void>((resolve) => {
    const eachMessage = async (payload: EachMessagePayload) => {
      await payload.heartbeat();
      resolve();
    };
    void consumer.run({ eachMessage });
  });
  await admin.describeGroups(['group']);
  await admin.listGroups();
  await consumer.disconnect();
  await admin.fetchOffsets({ groupId: 'group', topics: ['events'] });
  await admin.fetchTopicOffsetsByTimestamp('events', 5);
  await admin.deleteTopicRecords({ topic: 'events', partitions: [{ partition: 0, offset: '0' }] });
  await admin.deleteGroups(['group']);
  await admin.deleteTopics({ topics: ['made'] });
  await admin.disconnect();
}

async function withPlatformatic(server: string): Promise<void> {
  const options = {
    clientId: 'platformatic',
    bootstrapBrokers: [server],
    sasl: { mechanism: 'PLAIN' as const, username: 'user', password: 'password' },
  };
  const admin = new Admin(options);
  await admin.createTopics({ topics: ['made'], partitions: 1, replicas: 1 });
  const producer = new Producer({ ...options, serializers: stringSerializers, idempotent: true });
  await producer.send({ messages: [{ topic: 'events', key: 'k', value: 'v', headers: { trace: 'abc' } }] });
  await producer.close();
  const consumer = new Consumer({
    ...options,
    groupId: 'group',
    deserializers: stringDeserializers,
    maxWaitTime: 50,
    heartbeatInterval: 20,
    sessionTimeout: 10_000,
  });
  const stream = await consumer.consume({ topics: ['events'], mode: 'earliest', autocommit: false });
  for await (const message of stream) {
    await message.commit();
    break;
  }
  await once(consumer, 'consumer:heartbeat:end');
  await admin.describeGroups({ groups: ['group'] });
  await admin.listGroups();
  await once(stream.destroy(), 'close');
  await consumer.listCommittedOffsets({ topics: [{ topic: 'events', partitions: [0, 1] }] });
  await new Promise((resolve) => consumer.close(true, resolve));
  await admin.deleteGroups({ groups: ['group'] });
  await admin.deleteTopics({ topics: ['made'] });
  await admin.close();
}
