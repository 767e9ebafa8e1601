import { ZERO_UUID } from '../../../../src/kafka-protocol/fields.js';
import type { Dialogue } from '../dialogue.js';
import { createTopic, entries, known, topicRequest } from './prepare.js';

const UNKNOWN_ID = 'AAAAAAAAAAAAAAAAAAAAZg';

/** Topics made, extended, emptied and deleted, rightly and wrongly. */
export async function topics(to: Dialogue): Promise<void> {
  await creation(to);
  await partitions(to);
  await deletion(to);
  await records(to);
}

async function creation(to: Dialogue): Promise<void> {
  const existing = await createTopic(to, 'existing', 1);
  const create = (name: string, wanted: unknown, validateOnly = true) =>
    to.step(`create ${name}`, 'CreateTopics', { topics: wanted, timeoutMs: 10_000, validateOnly });
  await to.inEveryVersion('create validated', 'CreateTopics', (version) => ({
    // Version 0 cannot only validate.
    topics: [topicRequest(version === 0 ? existing.name : to.named('validated'))],
    timeoutMs: 10_000,
    validateOnly: true,
  }));
  const one = (changes: Record<string, unknown>) => [topicRequest(to.named('new'), changes)];
  await create('one that exists', [topicRequest(existing.name)]);
  for (const name of ['', '.', '..', 'a b', 'a/b', 'ä', 'x'.repeat(249), 'x'.repeat(250)]) {
    await create(`"${name.slice(0, 9)}" of ${name.length}`, [topicRequest(name)]);
  }
  await create('one that collides', [topicRequest(existing.name.replace('.', '_'))]);
  for (const count of [0, -1, -2, 3]) await create(`${count} partitions`, one({ numPartitions: count }));
  for (const factor of [0, -1, -2, 2]) {
    await create(`replication factor ${factor}`, one({ replicationFactor: factor }));
  }
  const assigned = (assignments: unknown, changes = {}) =>
    one({ numPartitions: -1, replicationFactor: -1, assignments, ...changes });
  const on = (partition: number, ...brokerIds: number[]) => ({ partition, brokerIds });
  await create('assigned', assigned([on(0, 1), on(1, 1)]));
  await create('assigned, with a count', assigned([on(0, 1)], { numPartitions: 1 }));
  await create('assigned, with a factor', assigned([on(0, 1)], { replicationFactor: 1 }));
  await create('assigned with a gap', assigned([on(0, 1), on(2, 1)]));
  await create('assigned twice', assigned([on(0, 1), on(0, 1)]));
  await create('assigned to an unknown broker', assigned([on(0, 9)]));
  await create('assigned to nobody', assigned([on(0)]));
  await create('assigned to the same broker twice', assigned([on(0, 1, 1)]));
  await create('assigned unevenly', assigned([on(0, 1), on(1)]));
  const configured = (configs: Record<string, string | null>) => one({ configs: entries(configs) });
  await create('with an unknown configuration', configured({ 'no.such': '1' }));
  await create('with a bad number', configured({ 'retention.ms': 'abc' }));
  await create('with a number below the least', configured({ 'retention.ms': '-2' }));
  await create('with a bad choice', configured({ 'compression.type': 'rar' }));
  await create('with a null configuration', configured({ 'retention.ms': null }));
  await create('with an empty configuration', configured({ 'retention.ms': '' }));
  await create('with an unknown and a null configuration', configured({ 'no.such': null }));
  await create('twice in one request', [topicRequest(to.named('twice')), topicRequest(to.named('twice'))]);
  await create('a bad one and a good one', [topicRequest('a b'), topicRequest(to.named('good'))]);
  await create('nothing', []);
  await create('for good', [topicRequest(to.named('for-good'), { numPartitions: 2 })], false);
  await known(to, to.named('for-good'), 2);
  await create('a bad name with 0 partitions', [topicRequest('a b', { numPartitions: 0 })]);
  await create('an existing one with 0 partitions', [topicRequest(existing.name, { numPartitions: 0 })]);
  await create('0 partitions with factor 0', one({ numPartitions: 0, replicationFactor: 0 }));
  await create(
    'a bad factor and a bad configuration',
    one({ replicationFactor: 5, configs: entries({ a: 'b' }) }),
  );
  await create(
    '0 partitions and a bad configuration',
    one({ numPartitions: 0, configs: entries({ a: 'b' }) }),
  );
}

async function partitions(to: Dialogue): Promise<void> {
  const { name } = await createTopic(to, 'extended', 2);
  const extend = (label: string, wanted: Record<string, unknown>, validateOnly = true) =>
    to.step(`extend ${label}`, 'CreatePartitions', {
      topics: [{ name, assignments: null, ...wanted }],
      timeoutMs: 10_000,
      validateOnly,
    });
  await to.inEveryVersion('extend validated', 'CreatePartitions', () => ({
    topics: [{ name, count: 3, assignments: null }],
    timeoutMs: 10_000,
    validateOnly: true,
  }));
  for (const count of [-1, 0, 1, 2]) await extend(`to ${count}`, { count });
  await extend('an unknown topic', { name: to.named('unknown'), count: 3 });
  await extend('a bad name', { name: 'a b', count: 3 });
  await extend('assigned', { count: 3, assignments: [{ brokerIds: [1] }] });
  await extend('assigned too few', { count: 4, assignments: [{ brokerIds: [1] }] });
  await extend('assigned too many', { count: 3, assignments: [{ brokerIds: [1] }, { brokerIds: [1] }] });
  await extend('assigned to an unknown broker', { count: 3, assignments: [{ brokerIds: [9] }] });
  await extend('assigned to nobody', { count: 3, assignments: [{ brokerIds: [] }] });
  await extend('assigned to none', { count: 3, assignments: [] });
  await extend('assigned to two', { count: 3, assignments: [{ brokerIds: [1, 2] }] });
  await to.step('extend one topic twice', 'CreatePartitions', {
    topics: [
      { name, count: 3, assignments: null },
      { name, count: 4, assignments: null },
    ],
    timeoutMs: 10_000,
    validateOnly: true,
  });
  await extend('for good', { count: 4 }, false);
  await known(to, name, 4);
}

async function deletion(to: Dialogue): Promise<void> {
  const byName = await createTopic(to, 'deleted-by-name', 1);
  const byId = await createTopic(to, 'deleted-by-id', 1);
  const twice = await createTopic(to, 'deleted-twice', 1);
  const remove = (label: string, wanted: unknown[]) =>
    to.step(`delete ${label}`, 'DeleteTopics', { topics: wanted, topicNames: [], timeoutMs: 10_000 });
  await to.inEveryVersion('delete an unknown topic', 'DeleteTopics', () => ({
    topics: [{ name: to.named('unknown'), topicId: ZERO_UUID }],
    topicNames: [to.named('unknown')],
    timeoutMs: 10_000,
  }));
  await remove('by unknown id', [{ name: null, topicId: UNKNOWN_ID }]);
  await remove('by nothing', [{ name: null, topicId: ZERO_UUID }]);
  await remove('by both', [{ name: byName.name, topicId: byName.id }]);
  await remove('an invalid name', [{ name: 'a b', topicId: ZERO_UUID }]);
  await remove('no topics', []);
  await remove('by name', [{ name: byName.name, topicId: ZERO_UUID }]);
  await remove('by id', [{ name: null, topicId: byId.id }]);
  await remove('the same twice', [
    { name: twice.name, topicId: ZERO_UUID },
    { name: twice.name, topicId: ZERO_UUID },
  ]);
  await remove('by name and by id', [
    { name: twice.name, topicId: ZERO_UUID },
    { name: null, topicId: twice.id },
  ]);
}

async function records(to: Dialogue): Promise<void> {
  const { name } = await createTopic(to, 'emptied', 1);
  const remove = (label: string, partition: number, offset: number, topic = name) =>
    to.step(`delete records ${label}`, 'DeleteRecords', {
      topics: [{ name: topic, partitions: [{ partition, offset }] }],
      timeoutMs: 10_000,
    });
  await to.inEveryVersion('delete records of an empty log', 'DeleteRecords', () => ({
    topics: [{ name, partitions: [{ partition: 0, offset: 0 }] }],
    timeoutMs: 10_000,
  }));
  await remove('to the end', 0, -1);
  await remove('beyond the end', 0, 1);
  await remove('to a negative offset', 0, -2);
  await remove('of an unknown partition', 5, 0);
  await remove('of an unknown topic', 0, 0, to.named('unknown'));
  const compacted = await createTopic(to, 'only-compacted', 1, { 'cleanup.policy': 'compact' });
  await remove('of a compacted topic', 0, 0, compacted.name);
  await remove('of a compacted topic beyond the end', 0, 1, compacted.name);
}
