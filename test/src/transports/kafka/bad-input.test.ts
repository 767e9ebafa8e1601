import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createConsumer } from '../../../../src/consumer.js';
import type { LogFields } from '../../../../src/base/logger.js';
import { systemClock, type VirtualClock, virtualClock } from '../../../../src/base/clock.js';
import {
  kafka,
  type KafkaConnectionOptions,
  type KafkaConsumeOptions,
  type KafkaOptions,
} from '../../../../src/transports/kafka/index.js';
import { GroupPositions } from '../../../../src/transports/kafka/kafkajs/group-positions.js';
import { brokerWithEvents, type EventsBroker } from '../../../emulator/broker/topics-for-tests.js';
import { logLines } from '../../log-lines.js';
import { collector } from '../collector.js';
import { numbered, opened } from './opened.js';

type FaultRule = Parameters<EventsBroker['faults']['add']>[0];

const opening = (options: KafkaOptions, logger = logLines()) =>
  kafka(options).open(collector(), { clock: systemClock, logger });

describe('kafka(): options', () => {
  const fine = { brokers: ['localhost:9092'], groupId: 'readers', topics: ['events'] };
  it.each<[what: string, options: Partial<KafkaConsumeOptions & KafkaConnectionOptions>, message: RegExp]>([
    ['no brokers', { brokers: [] }, /"brokers" must be .* not an empty list/],
    [
      'a broker without a port',
      { brokers: ['localhost'] },
      /"brokers\[0\]" must be a broker as "host:port", not "localhost"/,
    ],
    ['a broker as a URL', { brokers: ['kafka://localhost:9092'] }, /"kafka:\/\/localhost:9092"/],
    ['no group', { groupId: '' }, /"groupId" must be a non-empty string, not an empty string/],
    ['no topics', { topics: [] }, /"topics" must be .* not an empty list/],
    ['a heartbeat too slow for its session', { heartbeatInterval: 20_000 }, /"sessionTimeout".*60000/],
    ['no time for handlers in a rebalance', { rebalanceTimeout: 4_000 }, /"rebalanceTimeout"/],
    ['a fetch that looks like a silent broker', { maxWait: 60_000 }, /"maxWait".*30000.*60000/],
    ['half a millisecond', { commitInterval: 0.5 }, /"commitInterval".*0.5/],
  ])('rejects with the reason: %s', (_, options, message) => {
    expect(() => kafka({ ...fine, ...options })).toThrow(
      expect.objectContaining({ code: 'invalid-option', message: expect.stringMatching(message) as string }),
    );
  });
});

describe('kafka(): a start that cannot succeed', () => {
  it.each<[who: string, open: (brokers: string[], clock: VirtualClock) => Promise<unknown>]>([
    [
      'a consumer',
      (brokers, clock) =>
        kafka({ brokers, groupId: 'readers', topics: ['events'] }).open(collector(), {
          clock,
          logger: logLines(),
        }),
    ],
    ['a reset of offsets', (brokers, clock) => GroupPositions.from({ brokers }, clock)],
  ])('names the address that does not respond, within 10 seconds: %s', async (_, open) => {
    // Accepts, and never says a word.
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const address = `127.0.0.1:${(server.address() as { port: number }).port}`;
    const clock = virtualClock();
    const connected = once(server, 'connection');
    const failure = open([address], clock).catch((reason: unknown) => reason);
    await connected;
    clock.advance(10_000);
    expect(await failure).toMatchObject({
      code: 'connection-failed',
      message: expect.stringContaining(`"${address}"`) as string,
    });
  });

  it('names a missing topic, and how to create a dead-letter topic', async () => {
    const broker = await brokerWithEvents({ topics: [{ name: 'alone', partitions: 4 }] });
    const options = { brokers: [broker.bootstrapServers], groupId: 'readers' };
    await expect(opening({ ...options, topics: ['absent'] })).rejects.toMatchObject({
      code: 'unknown-topic',
      message: expect.stringContaining('"absent"') as string,
    });
    await expect(opening({ ...options, topics: ['alone'] })).rejects.toMatchObject({
      code: 'unknown-topic',
      message: expect.stringMatching(
        /"alone\.dead-letter".*partitions=4, max\.message\.bytes=1064972.*createDeadLetterTopics/,
      ) as string,
    });
    expect(broker.inspect().topics.map(({ name }) => name)).toEqual(['alone']);
  });

  it('rejects a name that no topic can have as that of a missing topic', async () => {
    const broker = await brokerWithEvents();
    const options = { brokers: [broker.bootstrapServers], groupId: 'readers', topics: ['platform.*'] };
    await expect(opening(options)).rejects.toMatchObject({
      code: 'unknown-topic',
      message: expect.stringContaining('"platform.*"') as string,
    });
  });

  it('creates dead-letter topics with as many partitions and room for headers', async () => {
    const broker = await brokerWithEvents({
      topics: [{ name: 'events', partitions: 4, config: { 'max.message.bytes': '5000' } }],
    });
    await opened(broker, { createDeadLetterTopics: true, deadLetterTopic: (topic) => `dead.${topic}` });
    const created = broker.inspect().topics.find(({ name }) => name === 'dead.events');
    expect(created!.partitions).toHaveLength(4);
    // What the next start reads back.
    await expect(
      opened(broker, { groupId: 'others', deadLetterTopic: (topic) => `dead.${topic}` }),
    ).resolves.toBeDefined();
  });

  it('reports missing permission to create the dead-letter topic', async () => {
    const broker = await brokerWithEvents({ topics: [{ name: 'events' }] });
    broker.faults.add({ on: 'CreateTopics', error: 'TOPIC_AUTHORIZATION_FAILED' });
    await expect(opened(broker, { createDeadLetterTopics: true })).rejects.toMatchObject({
      code: 'not-authorized',
      message: expect.stringContaining('"events.dead-letter"') as string,
    });
  });

  it('names a dead-letter topic that is deleted while it consumes', async () => {
    const broker = await brokerWithEvents();
    let warn!: (message: string, fields?: LogFields) => void;
    const warned = new Promise<unknown>((resolve) => {
      warn = (_, fields) => resolve(fields?.['error']);
    });
    const { collected, subscription } = await opened(broker, {}, { logger: { ...logLines(), warn } });
    broker.append('events', numbered(1));
    const [record] = await collected.received(1);
    broker.faults.add({ on: 'Metadata', topic: 'events.dead-letter', error: 'UNKNOWN_TOPIC_OR_PARTITION' });
    const given = new AbortController();
    const cause = { code: 'handler-failed', message: '', attempts: 1 };
    const written = subscription.deadLetter!(record!, cause, given.signal);
    expect(await warned).toMatch(
      /"events\.dead-letter" \(UNKNOWN_TOPIC_.*\)\. Check that the topic exists\.$/,
    );
    given.abort(new Error('given up'));
    await expect(written).rejects.toThrow('given up');
  });

  it('rejects a dead-letter topic with a smaller record limit', async () => {
    const broker = await brokerWithEvents({
      topics: [
        { name: 'events', config: { 'max.message.bytes': '5000000' } },
        { name: 'events.dead-letter', config: { 'max.message.bytes': '1000000' } },
      ],
    });
    await expect(opened(broker)).rejects.toMatchObject({
      code: 'record-refused',
      message: expect.stringMatching(/"events" .*5000000.*"events\.dead-letter".*1000000.*5016384/) as string,
    });
  });

  it('reports a failed login', async () => {
    const broker = await brokerWithEvents({ sasl: { users: { alice: 'secret' } } });
    const options = { brokers: [broker.bootstrapServers], groupId: 'readers', topics: ['events'] };
    const as = (password: string) => ({ mechanism: 'plain', username: 'alice', password }) as const;
    const error: unknown = await opening({ ...options, sasl: as('wrong-password') }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({
      code: 'not-authorized',
      message: expect.stringContaining(broker.bootstrapServers) as string,
    });
    expect((error as Error).message).not.toContain('wrong-password');
    const subscription = await opening({ ...options, sasl: as('secret') });
    await subscription.stop();
  });

  it.each<[what: string, fault: FaultRule, code: string, name: string]>([
    [
      'a topic',
      { on: 'Metadata', topic: 'events', error: 'TOPIC_AUTHORIZATION_FAILED' },
      'not-authorized',
      '"events"',
    ],
    ['a group', { on: 'JoinGroup', error: 'GROUP_AUTHORIZATION_FAILED' }, 'not-authorized', '"readers"'],
    [
      'a group at all',
      { on: 'FindCoordinator', error: 'GROUP_AUTHORIZATION_FAILED' },
      'not-authorized',
      '"readers"',
    ],
    [
      'a topic that it sees',
      { on: 'OffsetCommit', error: 'TOPIC_AUTHORIZATION_FAILED' },
      'not-authorized',
      '"events"',
    ],
    [
      'a group of another protocol',
      { on: 'JoinGroup', error: 'INCONSISTENT_GROUP_PROTOCOL' },
      'group-mismatch',
      '"readers"',
    ],
  ])('reports missing permission for %s, and closes its connections', async (_, fault, code, name) => {
    const broker = await brokerWithEvents();
    broker.faults.add(fault);
    await expect(opened(broker)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(name) as string,
    });
    expect(broker.inspect().groups.flatMap(({ members }) => members)).toEqual([]);
  });
});

describe('kafka(): records', () => {
  it('arrive without key, value and headers', async () => {
    const broker = await brokerWithEvents();
    broker.append('events', [{ partition: 0, key: null, value: null, headers: {} }]);
    const { collected } = await opened(broker);
    const [record] = await collected.received(1);
    expect(record).toMatchObject({ key: null, value: null });
    expect([...record!.headers]).toEqual([]);
  });

  it('become dead letters unchanged when they are not events', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const key = Buffer.from('A-1');
    const valueOf = (number: string) =>
      Buffer.from(
        JSON.stringify({
          id: number,
          event_type: 'account.created',
          version: 'v1',
          occurred_at: '2026-01-01T00:00:00.000Z',
          payload: { account_number: number, account_user_emails: [] },
        }),
      );
    const unfit = [
      { key, value: null },
      { key, value: Buffer.from([0xff, 0xfe, 0x00]) },
      { key: null, value: Buffer.from('{"half": ') },
      { key, value: Buffer.from(valueOf('A-1').toString(), 'utf16le') },
      { key, value: Buffer.alloc(5_000, 'x') },
    ];
    const records = [...unfit, { key: null, value: valueOf('A-2') }];
    broker.append(
      'events',
      records.map((record) => ({ ...record, partition: 0, headers: {} })),
    );
    const handled: string[] = [];
    const consumer = createConsumer({ logger: logLines(), maxRecordBytes: 1_000 });
    consumer.on('account.created', 'v1', ({ payload }) => void handled.push(payload.account_number));
    const running = await consumer.run(
      kafka({
        brokers: [broker.bootstrapServers],
        groupId: 'accounts',
        topics: ['events'],
        fromBeginning: true,
      }),
    );
    const { collected } = await opened(broker, {
      topics: ['events.dead-letter'],
      deadLetterTopic: () => 'events',
    });
    await collected.received(unfit.length);
    await running.stop();
    expect(handled).toEqual(['A-2']);
    expect(running.counts).toMatchObject({ handled: 1, deadLettered: unfit.length });
    const bytes = (value: Uint8Array | null) => (value === null ? null : Buffer.from(value).toString('hex'));
    const shown = ({ key: name, value }: { key: Uint8Array | null; value: Uint8Array | null }) =>
      `${bytes(name)} ${bytes(value)}`;
    expect(collected.records.map(shown).toSorted()).toEqual(unfit.map(shown).toSorted());
    const codes = collected.records.map(({ headers }) =>
      Buffer.from(headers.get('busbar-dead-letter-code')!).toString(),
    );
    expect(new Set(codes)).toEqual(new Set(['undecodable-record']));
  });
});

describe('kafka(): its log', () => {
  it('stays empty without problems, and reports a lost broker once', async () => {
    const broker = await brokerWithEvents();
    broker.append('events', numbered(3));
    const logger = logLines();
    const { collected, subscription } = await opened(broker, {}, { logger });
    await collected.received(3);
    await subscription.deadLetter!(collected.records[0]!, {
      code: 'invalid-event',
      message: 'no',
      attempts: 0,
    });
    await subscription.stop();
    expect(logger.lines.filter((line) => !line.startsWith('debug'))).toEqual([]);
  });
});
