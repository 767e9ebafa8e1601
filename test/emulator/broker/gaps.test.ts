import { Consumer } from '@platformatic/kafka';
import {
  AclOperationTypes,
  AclPermissionTypes,
  AclResourceTypes,
  type Admin,
  Kafka,
  logLevel,
  ResourcePatternTypes,
} from 'kafkajs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningBroker, startBroker } from '../../../emulator/broker/index.js';
import { LogRecorder } from './log-recorder.js';

let broker: RunningBroker;
let kafka: Kafka;
const log = new LogRecorder();

beforeAll(async () => {
  const sasl = { users: { user: 'password' } };
  broker = await startBroker({ port: 0, topics: [{ name: 'events' }], sasl, logger: log });
  kafka = clientWith('plain');
});
afterAll(() => broker.stop());

describe('a client that asks for what only Apache Kafka has', () => {
  it('cannot begin a transaction', async () => {
    const producer = kafka.producer({ transactionalId: 'id', idempotent: true, maxInFlightRequests: 1 });
    await producer.connect();
    await expect(producer.transaction()).rejects.toMatchObject({
      type: 'TRANSACTIONAL_ID_AUTHORIZATION_FAILED',
    });
    await producer.disconnect();
  });

  it('cannot join a group by the protocol of KIP-848', async () => {
    const consumer = new Consumer({
      clientId: 'client',
      groupId: 'group',
      groupProtocol: 'consumer',
      bootstrapBrokers: [broker.bootstrapServers],
      sasl: { mechanism: 'PLAIN', username: 'user', password: 'password' },
    });
    await expect(consumer.consume({ topics: ['events'], mode: 'earliest' })).rejects.toMatchObject({
      errors: [expect.objectContaining({ apiId: 'UNSUPPORTED_VERSION' })],
    });
    await new Promise<void>((resolve) => {
      consumer.close(true, () => resolve());
    });
    expect(log.matching(/group.protocol=consumer is not supported .*"groupId":"group"/)).toHaveLength(1);
  });

  it('cannot log in with SCRAM', async () => {
    await expect(clientWith('scram-sha-256').admin().connect()).rejects.toMatchObject({
      type: 'UNSUPPORTED_SASL_MECHANISM',
    });
  });

  it.each([
    [
      'create ACLs',
      { type: 'SECURITY_DISABLED' },
      (admin: Admin) =>
        admin.createAcls({
          acl: [
            {
              resourceType: AclResourceTypes.TOPIC,
              resourceName: 'events',
              resourcePatternType: ResourcePatternTypes.LITERAL,
              principal: 'User:user',
              host: '*',
              operation: AclOperationTypes.ALL,
              permissionType: AclPermissionTypes.ALLOW,
            },
          ],
        }),
    ],
    [
      'move partitions',
      { name: 'KafkaJSServerDoesNotSupportApiKey' },
      (admin: Admin) =>
        admin.alterPartitionReassignments({
          topics: [{ topic: 'events', partitionAssignment: [{ partition: 0, replicas: [2] }] }],
        }),
    ],
    [
      'replicate a topic',
      { errors: [expect.objectContaining({ type: 'INVALID_REPLICATION_FACTOR' })] },
      (admin: Admin) => admin.createTopics({ topics: [{ topic: 'replicated', replicationFactor: 2 }] }),
    ],
  ])('cannot %s', async (_, error, ask) => {
    const admin = kafka.admin();
    await admin.connect();
    await expect(ask(admin)).rejects.toMatchObject(error);
    await admin.disconnect();
  });
});

function clientWith(mechanism: 'plain' | 'scram-sha-256'): Kafka {
  const sasl = { mechanism, username: 'user', password: 'password' } as const;
  return new Kafka({ brokers: [broker.bootstrapServers], logLevel: logLevel.NOTHING, sasl: sasl as never });
}
