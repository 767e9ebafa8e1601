import { once } from 'node:events';
import { createServer } from 'node:net';
import { Kafka, logLevel, Partitioners } from 'kafkajs';
import { readDeadLetter } from '../../../../src/dead-letter.js';
import { silentLogger } from '../../../../src/base/logger.js';
import { systemClock } from '../../../../src/base/clock.js';
import { kafka } from '../../../../src/transports/kafka/index.js';
import { collector } from '../collector.js';
import type { SentRecord, SetAside, SourceUnderTest, TransportHarness } from '../conformance.js';

let sources = 0;

/** Kafka, as the conformance suite wants to have it: a topic, a group and a producer of its own for each test. */
export function kafkaHarness(address: () => Promise<string>): TransportHarness {
  return {
    capabilities: { commit: true, redelivery: true, keys: true, deadLetters: true },
    skips: {
      end: 'a topic has no end',
      'order of headers': 'kafkajs puts the headers of one name together',
    },
    start: async () => kafkaSource(await address()),
    async unreachable() {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = `127.0.0.1:${(server.address() as { port: number }).port}`;
      await new Promise((resolve) => server.close(resolve));
      return {
        transport: kafka({ brokers: [address], groupId: 'conformance', topics: ['events'] }),
        address,
      };
    },
  };
}

export async function kafkaSource(address: string): Promise<SourceUnderTest> {
  const topic = `conformance-${process.pid}-${++sources}`;
  const deadLetterTopic = `${topic}.dead-letter`;
  const client = new Kafka({ brokers: [address], clientId: 'source', logLevel: logLevel.NOTHING });
  const admin = client.admin();
  const producer = client.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await Promise.all([admin.connect(), producer.connect()]);
  await admin.createTopics({ topics: [{ topic, numPartitions: 3 }] });

  const consume = (name: string, groupId: string) =>
    kafka({
      brokers: [address],
      groupId,
      topics: [name],
      fromBeginning: true,
      maxWait: 50,
      createDeadLetterTopics: true,
    });
  return {
    transport: () => consume(topic, `readers of ${topic}`),
    async send(records) {
      const messages = records.map(({ key, value, headers }) => ({
        key: key === null ? null : Buffer.from(key),
        value: value === null ? null : Buffer.from(value),
        headers: grouped(headers),
      }));
      await producer.send({ topic, messages });
    },
    async deadLetters() {
      const found = collector();
      const subscription = await consume(deadLetterTopic, `dead letters of ${topic}`).open(found, {
        clock: systemClock,
        logger: silentLogger,
      });
      const offsets = await admin.fetchTopicOffsets(deadLetterTopic);
      const count = offsets.reduce((sum, { high }) => sum + Number(high), 0);
      const records = await found.received(count);
      await subscription.stop();
      return records.map(
        ({ key, value, headers }): SetAside => ({
          key,
          value,
          headers: [...headers],
          cause: readDeadLetter(headers)!,
        }),
      );
    },
    async stop() {
      await Promise.all([admin.disconnect(), producer.disconnect()]);
    },
  };
}

function grouped(headers: SentRecord['headers']): Record<string, Buffer[]> {
  const names: Record<string, Buffer[]> = {};
  for (const [name, value] of headers) (names[name] ??= []).push(Buffer.from(value));
  return names;
}
