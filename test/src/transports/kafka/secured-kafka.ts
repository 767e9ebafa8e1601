import { type Admin, Kafka, logLevel, Partitioners } from 'kafkajs';
import { onTestFinished } from 'vitest';
import {
  kafka,
  type KafkaConnectionOptions,
  type KafkaConsumeOptions,
  type KafkaSasl,
} from '../../../../src/transports/kafka/index.js';
import { brokerWithEvents } from '../../../emulator/broker/topics-for-tests.js';
import { operator, pemOf, realSecuredKafka, type User } from '../../../interop/kafka/secured-listener.js';
import { logLines } from '../../log-lines.js';
import { steadyClock } from '../../../steady-clock.js';
import { collector } from '../collector.js';
import type { Opened } from './opened.js';

type Mechanism = KafkaSasl['mechanism'];

/** A topic and one for its dead letters, on a Kafka that encrypts and asks everybody who they are. */
export interface SecuredTopic {
  readonly address: string;
  readonly name: string;
  /** The consumer group of `open`. */
  readonly group: string;
  /** Log lines of `open`. */
  readonly log: ReturnType<typeof logLines>;
  /** For who may do everything. */
  readonly admin: Admin;
  send(...values: string[]): Promise<void>;
  /** Returns the number of records. */
  sizeOf(topic: string): Promise<number>;
  /** The position of the group. */
  committed(): Promise<number>;
  /** Opens `kafka(...)`. */
  open(options: Pick<KafkaConnectionOptions, 'sasl' | 'ssl'> & Partial<KafkaConsumeOptions>): Promise<Opened>;
}

/** The embedded broker knows one mechanism. */
export const mechanisms: readonly Mechanism[] =
  realSecuredKafka === undefined ? ['plain'] : ['plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'];

const ssl = { ca: pemOf('cert'), servername: 'localhost' };
let topics = 0;

/** On a real Kafka where `npm run test:kafka` has one, else on an embedded broker. */
export async function securedTopic(): Promise<SecuredTopic> {
  const address = realSecuredKafka ?? (await securedBroker());
  const name = `secured-${process.pid}-${++topics}`;
  const { name: username, password } = operator;
  const client = new Kafka({
    brokers: [address],
    ssl,
    sasl: { mechanism: 'plain', username, password },
    logLevel: logLevel.NOTHING,
  });
  const admin = client.admin();
  const producer = client.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await Promise.all([admin.connect(), producer.connect()]);
  onTestFinished(async () => {
    await Promise.all([admin.disconnect(), producer.disconnect()]);
  });
  await admin.createTopics({
    waitForLeaders: true,
    topics: [name, `${name}.dead-letter`].map((topic) => ({ topic, numPartitions: 1 })),
  });
  const group = `readers of ${name}`;
  const log = logLines();
  return {
    address,
    name,
    group,
    log,
    admin,
    async send(...values) {
      await producer.send({ topic: name, messages: values.map((value) => ({ value })) });
    },
    async sizeOf(topic) {
      const [partition] = await admin.fetchTopicOffsets(topic);
      return Number(partition?.high);
    },
    async committed() {
      const [found] = await admin.fetchOffsets({ groupId: group, topics: [name] });
      return Number(found?.partitions[0]?.offset);
    },
    async open(options) {
      const collected = collector();
      const consume = { groupId: group, topics: [name], fromBeginning: true, maxWait: 50 };
      const transport = kafka({ brokers: [address], ssl, ...consume, ...options });
      const subscription = await transport.open(collected, { clock: steadyClock, logger: log });
      onTestFinished(() => subscription.stop());
      collected.attach(subscription);
      return { collected, subscription };
    },
  };
}

/** Credentials of a user by mechanism. */
export function credentials(mechanism: Mechanism, { name, password }: User = operator): KafkaSasl {
  return mechanism === 'oauthbearer'
    ? { mechanism, token: () => Promise.resolve(unsignedToken(name)) }
    : { mechanism, username: name, password };
}

/** A JSON web token without a signature (RFC 7519, section 6), which brokers take that were given no key. */
export function unsignedToken(sub: string, lifetime = 3_600): string {
  const now = Math.floor(Date.now() / 1_000);
  const parts = [{ alg: 'none' }, { sub, iat: now - 10, exp: now + lifetime }];
  return `${parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;
}

async function securedBroker(): Promise<string> {
  const { bootstrapServers } = await brokerWithEvents({
    tls: { cert: pemOf('cert'), key: pemOf('key') },
    sasl: { users: { [operator.name]: operator.password } },
  });
  return bootstrapServers;
}
