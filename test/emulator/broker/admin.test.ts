import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Broker } from '../../../emulator/broker/broker.js';
import { LogRecorder } from './log-recorder.js';
import { type AnyResponse, WireClient } from './wire-client.js';

const METADATA = 3;
const CREATE_TOPICS = 19;
const DELETE_TOPICS = 20;
const DELETE_RECORDS = 21;
const OFFSET_FOR_LEADER_EPOCH = 23;
const DESCRIBE_CONFIGS = 32;
const ALTER_CONFIGS = 33;
const CREATE_PARTITIONS = 37;
const INCREMENTAL_ALTER_CONFIGS = 44;
const DESCRIBE_CLUSTER = 60;

const NO_ID = 'A'.repeat(22);
const TOPIC = 2;

let broker: Broker;
let client: WireClient;
let log: LogRecorder;

beforeEach(() => start());
afterEach(() => broker.stop());

describe('CreateTopics', () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7])('creates a topic in version %i', async (version) => {
    expect(await create({ numPartitions: 3 }, version)).toMatchObject({ name: 'made', errorCode: 0 });
    expect(broker.inspect().topics.find(({ name }) => name === 'made')?.partitions).toHaveLength(3);
  });

  it('applies the broker’s defaults for -1 and returns them', async () => {
    const response = await create({ numPartitions: -1, replicationFactor: -1 });
    expect(response).toMatchObject({ errorCode: 0, numPartitions: 1, replicationFactor: 1 });
    expect(response.configs).toContainEqual({
      name: 'retention.ms',
      value: '604800000',
      readOnly: false,
      configSource: 5,
      isSensitive: false,
    });
    const { topics } = await client.request(METADATA, 12, { topics: [{ topicId: NO_ID, name: 'made' }] });
    expect(topics[0]).toMatchObject({ errorCode: 0, topicId: response.topicId });
  });

  it.each([
    ['that exists', { name: 'events' }, 36],
    ['whose name only differs by a dot from one that exists', { name: 'with_dot' }, 17],
    ['without a name', { name: '' }, 17],
    ['with a space in its name', { name: 'a b' }, 17],
    ['with a name of 250 characters', { name: 'x'.repeat(250) }, 17],
    ['without partitions', { numPartitions: 0 }, 37],
    ['with more partitions than the broker holds', { numPartitions: 100_000 }, 44],
    ['with two replicas, on one broker', { replicationFactor: 2 }, 38],
    ['with no replica', { replicationFactor: 0 }, 38],
    ['with a configuration that does not exist', { configs: [{ name: 'retention.msec', value: '1' }] }, 40],
    ['with a value that Kafka would not take', { configs: [{ name: 'retention.ms', value: 'soon' }] }, 40],
    ['with a configuration of null', { configs: [{ name: 'retention.ms', value: null }] }, 40],
    ['with both assignments and a count', { assignments: [{ partition: 0, brokerIds: [1] }] }, 42],
    [
      'on a broker that does not exist',
      { numPartitions: -1, replicationFactor: -1, assignments: [{ partition: 0, brokerIds: [9] }] },
      39,
    ],
    [
      'with a gap in its partitions',
      { numPartitions: -1, replicationFactor: -1, assignments: [{ partition: 1, brokerIds: [1] }] },
      39,
    ],
  ])('refuses a topic %s, with a message', async (_, options, errorCode) => {
    const response = await create(options);
    expect(response).toMatchObject({ errorCode, errorMessage: expect.stringMatching(/.{10}/) });
    expect(broker.inspect().topics).toHaveLength(2);
  });

  it('refuses a topic that a request names twice', async () => {
    const one = { name: 'twice', numPartitions: 1, replicationFactor: 1, assignments: [], configs: [] };
    const { topics } = await client.request(CREATE_TOPICS, 4, {
      topics: [one, one],
      timeoutMs: 0,
      validateOnly: false,
    });
    expect(topics).toMatchObject([{ name: 'twice', errorCode: 42 }]);
  });

  it('creates nothing when it only validates', async () => {
    expect(await create({}, 4, true)).toMatchObject({ errorCode: 0 });
    expect(broker.inspect().topics).toHaveLength(2);
  });
});

describe('Metadata', () => {
  const names = ({ topics }: AnyResponse) => (topics as { name: string }[]).map(({ name }) => name);

  it('lists all topics for null, and in version 0 for an empty list', async () => {
    expect(names(await client.request(METADATA, 0, { topics: [] }))).toEqual(['events', 'with.dot']);
    expect(names(await client.request(METADATA, 1, { topics: [] }))).toEqual([]);
    expect(names(await client.request(METADATA, 1, { topics: null }))).toEqual(['events', 'with.dot']);
  });

  it('creates an unknown topic only if client and broker allow it', async () => {
    const ask = async (name: string, allowAutoTopicCreation: boolean): Promise<AnyResponse> =>
      (await client.request(METADATA, 4, { topics: [{ name }], allowAutoTopicCreation })).topics[0];
    expect(await ask('new', false)).toMatchObject({ errorCode: 3, partitions: [] });
    expect(await ask('new', true)).toMatchObject({
      errorCode: 0,
      partitions: [{ partition: 0, leaderId: 1, isrNodes: [1] }],
    });
    expect(await ask('not a name', true)).toMatchObject({ errorCode: 17 });
    await start({ autoCreateTopics: false });
    expect(await ask('new', true)).toMatchObject({ errorCode: 3 });
  });

  it('refuses to create Kafka’s topic of committed offsets for a client that reads it', async () => {
    const topics = [{ name: '__consumer_offsets' }];
    const response = await client.request(METADATA, 4, { topics, allowAutoTopicCreation: true });
    expect(response.topics).toMatchObject([{ errorCode: 29, partitions: [] }]);
    expect(log.matching(/committed offsets are in no topic.*__consumer_offsets/)).toHaveLength(1);
  });

  it('returns an error for an unknown topic id', async () => {
    const { topics } = await client.request(METADATA, 12, {
      topics: [{ topicId: 'B'.repeat(21) + 'A', name: null }],
    });
    expect(topics).toMatchObject([{ errorCode: 100, name: null }]);
  });

  it('describes the cluster as one broker', async () => {
    for (const version of [0, 1]) {
      expect(await client.request(DESCRIBE_CLUSTER, version, {})).toMatchObject({
        errorCode: 0,
        controllerId: 1,
        brokers: [{ brokerId: 1, host: 'broker.test', port: 9092 }],
      });
    }
  });

  it('describes no broker as fenced to tools that list fenced ones', async () => {
    const { brokers } = await client.request(DESCRIBE_CLUSTER, 2, { includeFencedBrokers: true });
    expect(brokers).toMatchObject([{ brokerId: 1, isFenced: false }]);
  });
});

describe('DeleteTopics', () => {
  it('deletes topics by name and by id', async () => {
    const byName = await client.request(DELETE_TOPICS, 1, { topicNames: ['events', 'none'], timeoutMs: 0 });
    expect(byName.responses).toMatchObject([{ errorCode: 0 }, { name: 'none', errorCode: 3 }]);
    const { topicId } = await create({}, 7);
    const byId = await client.request(DELETE_TOPICS, 6, {
      topics: [
        { name: null, topicId },
        { name: null, topicId: 'B'.repeat(21) + 'A' },
        { name: 'both', topicId },
      ],
      timeoutMs: 0,
    });
    expect(byId.responses).toMatchObject([
      { name: 'made', errorCode: 0 },
      { errorCode: 100 },
      { errorCode: 42 },
    ]);
    expect(broker.inspect().topics.map(({ name }) => name)).toEqual(['with.dot']);
  });

  it('frees its memory and its partitions', async () => {
    await start({ maxPartitions: 4 });
    broker.append('events', [{ value: 'x' }]);
    expect(broker.topics.capacity.totalBytes).toBeGreaterThan(0);
    await client.request(DELETE_TOPICS, 1, { topicNames: ['events'], timeoutMs: 0 });
    expect(broker.topics.capacity.totalBytes).toBe(0);
    expect(await create({ numPartitions: 3 })).toMatchObject({ errorCode: 0 });
  });
});

describe('DeleteRecords', () => {
  it('moves the log start offset up to the end of the log', async () => {
    for (let index = 0; index < 5; index += 1) broker.append('events', [{ value: 'x', partition: 0 }]);
    const remove = async (offset: number): Promise<AnyResponse> => {
      const topics = [{ name: 'events', partitions: [{ partition: 0, offset }] }];
      const response = await client.request(DELETE_RECORDS, 2, { topics, timeoutMs: 0 });
      return response.topics[0].partitions[0];
    };
    expect(await remove(3)).toMatchObject({ errorCode: 0, lowWatermark: 3 });
    expect(await remove(1)).toMatchObject({ errorCode: 0, lowWatermark: 3 });
    expect(await remove(6)).toMatchObject({ errorCode: 1 });
    expect(await remove(-1)).toMatchObject({ errorCode: 0, lowWatermark: 5 });
    expect(broker.inspect().topics[0]?.partitions[0]).toMatchObject({
      startOffset: 5,
      endOffset: 5,
      bytes: 0,
    });
  });

  it('refuses to delete records that only compaction may remove', async () => {
    await create({ configs: [{ name: 'cleanup.policy', value: 'compact' }] });
    const topics = [{ name: 'made', partitions: [{ partition: 0, offset: 0 }] }];
    const response = await client.request(DELETE_RECORDS, 2, { topics, timeoutMs: 0 });
    expect(response.topics[0].partitions).toMatchObject([{ errorCode: 44, lowWatermark: -1 }]);
  });
});

describe('CreatePartitions', () => {
  it.each([
    ['more than there are', 'events', { count: 3, assignments: null }, 0],
    ['as many as there are', 'events', { count: 2, assignments: null }, 37],
    ['fewer than there are', 'events', { count: 1, assignments: null }, 37],
    ['to a topic that does not exist', 'none', { count: 3, assignments: null }, 3],
    ['with the right assignments', 'events', { count: 3, assignments: [{ brokerIds: [1] }] }, 0],
    ['with too few assignments', 'events', { count: 4, assignments: [{ brokerIds: [1] }] }, 39],
    ['on another broker', 'events', { count: 3, assignments: [{ brokerIds: [2] }] }, 39],
  ])('handles partitions %s', async (_, name, wanted, errorCode) => {
    const body = { topics: [{ name, ...wanted }], timeoutMs: 0, validateOnly: false };
    const { results } = await client.request(CREATE_PARTITIONS, 3, body);
    expect(results).toMatchObject([{ name, errorCode }]);
    expect(broker.inspect().topics[0]?.partitions).toHaveLength(errorCode === 0 ? 3 : 2);
  });
});

describe('the configuration APIs', () => {
  const describeTopic = async (
    keys: string[] | null,
    version = 4,
    resourceName = 'events',
    resourceType = TOPIC,
  ): Promise<AnyResponse> => {
    const resources = [{ resourceType, resourceName, configurationKeys: keys }];
    const response = await client.request(DESCRIBE_CONFIGS, version, { resources, includeSynonyms: true });
    return response.results[0];
  };
  const incrementally = async (
    name: string,
    configOperation: number,
    value: string | null,
    validateOnly = false,
  ) => {
    const resources = [
      { resourceType: TOPIC, resourceName: 'events', configs: [{ name, configOperation, value }] },
    ];
    const response = await client.request(INCREMENTAL_ALTER_CONFIGS, 1, { resources, validateOnly });
    return response.responses[0].errorCode as number;
  };
  const value = async (name: string) => (await describeTopic([name])).configs[0]?.value as string;

  it('describe configurations with their defaults and sources', async () => {
    for (const version of [0, 1, 2, 3, 4]) {
      const { errorCode, configs } = await describeTopic(['max.message.bytes'], version);
      expect({ errorCode, configs }).toMatchObject({
        errorCode: 0,
        configs: [{ name: 'max.message.bytes', value: '1048588', readOnly: false }],
      });
    }
    expect((await describeTopic(null)).configs.length).toBeGreaterThan(25);
    expect(await describeTopic(null, 4, 'none')).toMatchObject({ errorCode: 3, configs: [] });
  });

  it('describe the broker’s configuration and refuse to change it', async () => {
    const { configs } = await describeTopic(['group.initial.rebalance.delay.ms'], 4, '1', 4);
    expect(configs).toMatchObject([{ value: '0', readOnly: true }]);
    const resources = [
      { resourceType: 4, resourceName: '1', configs: [{ name: 'num.partitions', value: '3' }] },
    ];
    const { responses } = await client.request(ALTER_CONFIGS, 1, { resources, validateOnly: false });
    expect(responses).toMatchObject([{ errorCode: 42 }]);
  });

  it('set, delete, extend and shorten single configurations', async () => {
    expect(await incrementally('retention.ms', 0, '5000')).toBe(0);
    expect(await value('retention.ms')).toBe('5000');
    expect(await incrementally('retention.ms', 1, null)).toBe(0);
    expect(await value('retention.ms')).toBe('604800000');
    expect(await incrementally('cleanup.policy', 2, 'compact')).toBe(0);
    expect(await value('cleanup.policy')).toBe('delete,compact');
    expect(await incrementally('cleanup.policy', 3, 'delete')).toBe(0);
    expect(await value('cleanup.policy')).toBe('compact');
    expect(await incrementally('retention.ms', 2, '1')).toBe(40);
    expect(await incrementally('retention.ms', 0, 'x')).toBe(40);
    expect(await incrementally('retention.ms', 0, '1', true)).toBe(0);
    expect(await value('retention.ms')).toBe('604800000');
  });

  it('replace all configurations in AlterConfigs', async () => {
    await incrementally('retention.ms', 0, '5000');
    const configs = [{ name: 'segment.ms', value: '9' }];
    const resources = [{ resourceType: TOPIC, resourceName: 'events', configs }];
    await client.request(ALTER_CONFIGS, 2, { resources, validateOnly: false });
    expect([await value('segment.ms'), await value('retention.ms')]).toEqual(['9', '604800000']);
  });
});

describe('OffsetForLeaderEpoch', () => {
  it('returns the end of the log for epoch 0', async () => {
    broker.append('events', [{ value: 'x', partition: 0 }]);
    for (const version of [2, 3, 4]) {
      const ask = async (leaderEpoch: number, currentLeaderEpoch = -1): Promise<AnyResponse> => {
        const topics = [{ topic: 'events', partitions: [{ partition: 0, leaderEpoch, currentLeaderEpoch }] }];
        const response = await client.request(OFFSET_FOR_LEADER_EPOCH, version, { topics });
        return response.topics[0].partitions[0];
      };
      expect(await ask(0)).toMatchObject({ errorCode: 0, leaderEpoch: 0, endOffset: 1 });
      expect(await ask(1)).toMatchObject({ errorCode: 0, leaderEpoch: -1, endOffset: -1 });
      expect(await ask(0, 1)).toMatchObject({ errorCode: 75 });
    }
  });
});

async function start(options: { autoCreateTopics?: boolean; maxPartitions?: number } = {}): Promise<void> {
  await (broker as Broker | undefined)?.stop();
  const topics = [{ name: 'events', partitions: 2 }, { name: 'with.dot' }];
  log = new LogRecorder();
  broker = new Broker({ topics, logger: log, ...options });
  client = WireClient.to(broker);
}

async function create(
  options: Record<string, unknown>,
  version = 7,
  validateOnly = false,
): Promise<AnyResponse> {
  const topic = {
    name: 'made',
    numPartitions: 1,
    replicationFactor: 1,
    assignments: [],
    configs: [],
    ...options,
  };
  const response = await client.request(CREATE_TOPICS, version, {
    topics: [topic],
    timeoutMs: 0,
    validateOnly,
  });
  return response.topics[0];
}
