import { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { guest, realSecuredKafka } from '../../../interop/kafka/secured-listener.js';
import { credentials, type SecuredTopic, securedTopic } from './secured-kafka.js';

type Right = readonly [
  resource: 'topic' | 'dead letters' | 'group',
  operation: keyof typeof AclOperationTypes,
];

/** The permissions in docs/guides/kafka.md. */
const needed: readonly Right[] = [
  ['topic', 'READ'],
  ['topic', 'DESCRIBE_CONFIGS'],
  ['group', 'READ'],
  ['dead letters', 'WRITE'],
  ['dead letters', 'DESCRIBE_CONFIGS'],
];

// The embedded broker lets everybody do everything: bad-input.test.ts has it refuse.
describe.skipIf(realSecuredKafka === undefined)('kafka() as a user with few rights', () => {
  it('needs exactly the documented permissions', async () => {
    const topic = await securedTopic();
    await grant(topic, needed);
    await topic.send('one');
    const { collected, subscription } = await topic.open({ sasl });
    const [record] = await collected.received(1);
    await subscription.deadLetter!(record!, cause);
    subscription.commit(collected.batches[0]!.partition, 1);
    await subscription.stop();
    expect(await topic.committed()).toBe(1);
    expect(topic.log.lines.filter((line) => !line.startsWith('debug'))).toEqual([]);
  });

  it.each<
    [what: string, missing: Right, alsoGranted: readonly Right[], named: (topic: SecuredTopic) => string]
  >([
    ['the topic', ['topic', 'READ'], [], ({ name }) => name],
    ['the topic, which it may see', ['topic', 'READ'], [['topic', 'DESCRIBE']], ({ name }) => name],
    ['its group', ['group', 'READ'], [], ({ group }) => group],
    ['the dead letters', ['dead letters', 'WRITE'], [], ({ name }) => `${name}.dead-letter`],
  ])('reports missing permission at the start: %s', async (_, missing, alsoGranted, named) => {
    const topic = await securedTopic();
    await grant(topic, [...without(missing), ...alsoGranted]);
    await expect(topic.open({ sasl })).rejects.toMatchObject({
      code: 'not-authorized',
      message: expect.stringContaining(`"${named(topic)}"`) as string,
    });
  });

  it('says that it may not create the topic for dead letters', async () => {
    const topic = await securedTopic();
    await grant(topic, needed);
    const missing = `${topic.name}.set-aside`;
    await grant(topic, [['dead letters', 'DESCRIBE']], missing);
    const options = { deadLetterTopic: () => missing, createDeadLetterTopics: true };
    await expect(topic.open({ sasl, ...options })).rejects.toMatchObject({
      code: 'not-authorized',
      message: expect.stringContaining(`"${missing}"`) as string,
    });
  });

  it('rejects a dead letter that it is not allowed to write', async () => {
    const topic = await securedTopic();
    await grant(topic, [...without(['dead letters', 'WRITE']), ['dead letters', 'DESCRIBE']]);
    await topic.send('one');
    const { collected, subscription } = await topic.open({ sasl });
    const [record] = await collected.received(1);
    await expect(subscription.deadLetter!(record!, cause)).rejects.toMatchObject({
      code: 'not-authorized',
      message: expect.stringContaining(`"${topic.name}.dead-letter"`) as string,
    });
    expect(subscription.status!().deadLettersFailing).toBeUndefined();
  });

  it('consumes without permission to read record limits, with a warning', async () => {
    const topic = await securedTopic();
    await grant(topic, without(['topic', 'DESCRIBE_CONFIGS']));
    await topic.send('one');
    const { collected } = await topic.open({ sasl });
    await collected.received(1);
    expect(topic.log.lines.filter((line) => !line.startsWith('debug'))).toEqual([
      expect.stringMatching(/^warn: maximum dead letter size unknown/),
    ]);
  });
});

const sasl = credentials('plain', guest);

const without = (one: Right) => needed.filter((right) => String(right) !== String(one));

const cause = { code: 'invalid-event', message: 'It is invalid.', attempts: 0 };

async function grant(
  { admin, name, group }: SecuredTopic,
  rights: readonly Right[],
  deadLetters = `${name}.dead-letter`,
): Promise<void> {
  const resources = {
    topic: [AclResourceTypes.TOPIC, name],
    'dead letters': [AclResourceTypes.TOPIC, deadLetters],
    group: [AclResourceTypes.GROUP, group],
  } as const;
  await admin.createAcls({
    acl: rights.map(([resource, operation]) => ({
      resourceType: resources[resource][0],
      resourceName: resources[resource][1],
      resourcePatternType: ResourcePatternTypes.LITERAL,
      principal: `User:${guest.name}`,
      host: '*',
      operation: AclOperationTypes[operation],
      permissionType: AclPermissionTypes.ALLOW,
    })),
  });
}
