import { createConsumer, type RunningConsumer, type RunOptions, silentLogger } from 'busbar';
import { kafka } from 'busbar/kafka';
import { type Admin, Kafka, logLevel, Partitioners } from 'kafkajs';
import { onTestFinished } from 'vitest';
import { type Finished, run } from '../../command.js';
import { brokerWithEvents } from '../../emulator/broker/topics-for-tests.js';
import { type account, catalogue } from '../account-consumer.js';

/** A topic that commands are about, with one for its dead letters. */
export interface ConsumedTopic {
  readonly brokers: string;
  readonly topic: string;
  readonly admin: Admin;
  send(...messages: readonly ReturnType<typeof account>[]): Promise<unknown>;
  /** Hands each account's number and the event's id to `handle`, once even when that throws. */
  consume(
    groupId: string,
    handle: (number: string, id?: string) => void,
    options?: RunOptions,
  ): Promise<RunningConsumer>;
  /** Returns the number of records of a topic; 0 if it does not exist. */
  sizeOf(topic: string): Promise<number>;
  busbar(...args: string[]): Promise<Finished>;
}

let topics = 0;

/** On a real Kafka where `npm run test:kafka` has one, else on an embedded broker. */
export async function consumedTopic(): Promise<ConsumedTopic> {
  const brokers =
    process.env['KAFKA_BROKERS'] ?? (await brokerWithEvents({ logger: silentLogger })).bootstrapServers;
  const topic = `commands-${process.pid}-${++topics}`;
  const client = new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING });
  const admin = client.admin();
  const producer = client.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await Promise.all([admin.connect(), producer.connect()]);
  onTestFinished(async () => {
    await Promise.all([admin.disconnect(), producer.disconnect()]);
  });
  await admin.createTopics({
    waitForLeaders: true,
    topics: [topic, `${topic}.dead-letter`].map((name) => ({ topic: name, numPartitions: 2 })),
  });
  return {
    brokers,
    topic,
    admin,
    send: (...messages) => producer.send({ topic, messages: [...messages] }),
    async consume(groupId, handle, options = {}) {
      const consumer = createConsumer({ catalogue, logger: silentLogger, retry: { attempts: 1 } });
      consumer.on('account.created', 'v1', ({ payload, id }) => handle(payload.account_number, id));
      const times = { maxWait: 50, commitInterval: 50 };
      const transport = kafka({
        brokers: [brokers],
        groupId,
        topics: [topic],
        fromBeginning: true,
        ...times,
      });
      const running = await consumer.run(transport, options);
      onTestFinished(() => running.stop());
      return running;
    },
    async sizeOf(name) {
      const offsets = await admin.fetchTopicOffsets(name).catch(() => []);
      return offsets.reduce((sum, { high }) => sum + Number(high), 0);
    },
    busbar: (...args) => run('busbar', [...args, '--brokers', brokers]),
  };
}

export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
