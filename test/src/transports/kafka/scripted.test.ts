import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../../src/base/clock.js';
import { readDeadLetter } from '../../../../src/dead-letter.js';
import { createConsumer } from '../../../../src/consumer.js';
import { BusbarError } from '../../../../src/base/errors.js';
import { healthOf } from '../../../../src/running/health.js';
import { kafka, type KafkaConsumeOptions } from '../../../../src/transports/kafka/index.js';
import type { Subscription } from '../../../../src/transports/transport.js';
import { recordHeaders } from '../../../../src/transports/record-headers.js';
import { cases } from '../../../cases.js';
import { gate } from '../../account-consumer.js';
import { accountCreated, envelope, headersOf, recordOf } from '../../records.js';
import { logLines } from '../../log-lines.js';
import { type CollectorOptions, collector } from '../collector.js';
import { range } from './opened.js';
import { type ScriptedClient, scriptedClient } from './scripted-client.js';

const one = { topic: 'events', partition: 1 };

describe('kafka(): fetches of an assignment', () => {
  it('refuses records between two assignments', async () => {
    const { client, collected, offsets, logger } = await running();
    expect(client.fetch(0, 5)).toBe(true);
    await client.member.release({ evicted: false, within: 1_000 });
    expect(client.fetch(5, 5)).toBe(false);
    client.member.assigned([{ ...one, position: 2 }]);
    expect(client.fetch(2, 3)).toBe(true);
    expect(client.fetch(5, 5)).toBe(true);
    expect(offsets()).toEqual([...range(0, 5), ...range(2, 10)]);
    expect(collected.revoked).toEqual([one]);
    expect(logger.lines.filter((line) => line.startsWith('warn'))).toEqual([]);
  });

  it('adds a partition to the assignment, and commits where it begins', async () => {
    const { client, clock, subscription, offsets, logger } = await running();
    const partitions = () => subscription.status!().partitions.map(({ partition }) => partition);
    const { member } = client;
    await member.release({ evicted: false, within: 1_000 });
    member.assigned([]);
    expect(client.fetch(0, 2)).toBe(false);
    expect(partitions()).toEqual([]);
    member.began({ ...one, position: 0 });
    expect(partitions()).toEqual([1]);
    clock.advance(1_000);
    await turns();
    expect(client.commits).toEqual([[{ ...one, offset: 0 }]]);
    expect(client.fetch(0, 2)).toBe(true);
    expect(offsets()).toEqual([0, 1]);
    expect(logger.lines.filter((line) => line.startsWith('warn'))).toEqual([]);
  });

  it('continues at a later offset when records expired, with a warning', async () => {
    const { client, offsets, logger } = await running();
    expect(client.fetch(700, 2)).toBe(true);
    expect(offsets()).toEqual([700, 701]);
    expect(logger.lines).toContainEqual(
      expect.stringMatching(/^warn: records expired, continuing.*"from":0,"to":700/),
    );
  });

  it('starts again at an earlier offset, without commits of the old records', async () => {
    const { client, clock, collected, subscription, offsets, logger } = await running();
    client.fetch(0, 9);
    const { partition } = collected.batches[0]!;
    subscription.commit(partition, 7);
    clock.advance(1_000);
    await turns();
    let end: () => void = () => undefined;
    collected.revoke = () => new Promise((resolve) => void (end = resolve));
    expect(client.fetch(3, 2)).toBe(false);
    expect(client.fetch(3, 2)).toBe(false);
    expect(logger.lines.filter((line) => line.startsWith('warn'))).toEqual([
      expect.stringMatching(/^warn: partition was truncated or replaced, starting again.*"from":9,"to":3/),
    ]);
    subscription.commit(partition, 9);
    end();
    await turns();
    expect(client.fetch(3, 2)).toBe(true);
    expect(offsets()).toEqual([...range(0, 9), 3, 4]);
    subscription.commit(partition, 4);
    clock.advance(1_000);
    await turns();
    expect(client.commits).toEqual([[{ ...one, offset: 7 }], [{ ...one, offset: 4 }]]);
  });

  it('starts again once at an earlier offset, however often it is offered', async () => {
    const { client, offsets, logger } = await running();
    client.fetch(0, 9);
    while (!client.fetch(3, 2)) await Promise.resolve();
    await turns();
    expect(client.fetch(5, 1)).toBe(true);
    expect(offsets()).toEqual([...range(0, 9), 3, 4, 5]);
    expect(logger.lines.filter((line) => line.startsWith('warn'))).toHaveLength(1);
  });

  it('waits for the handlers of a truncated partition before it is released', async () => {
    const { client, collected, offsets } = await running();
    client.fetch(0, 9);
    const ends: (() => void)[] = [];
    collected.revoke = () => new Promise((resolve) => void ends.push(resolve));
    client.fetch(3, 2);
    let isReleased = false;
    const released = client.member
      .release({ evicted: false, within: 1_000 })
      .then(() => void (isReleased = true));
    await turns();
    expect(isReleased).toBe(false);
    // The group went on without waiting.
    client.member.assigned([{ ...one, position: 3 }]);
    expect(client.fetch(3, 2)).toBe(false);
    for (const end of ends) end();
    await released;
    expect(client.fetch(3, 2)).toBe(true);
    expect(offsets()).toEqual([...range(0, 9), 3, 4]);
  });

  it('fetches again a paused partition that starts at an earlier offset', async () => {
    const { client } = await running({ maxBytesPerPartition: 2_000 }, { room: 0 });
    client.fetch(0, 9, 300);
    expect(client.paused).toBe(true);
    client.fetch(3, 1);
    await turns();
    expect(client.paused).toBe(false);
  });

  it('counts an assignment as a response of the broker', async () => {
    const { client, clock, subscription } = await running();
    clock.advance(3_600_000);
    expect(subscription.status!().lastHeard).toBe(0);
    await client.member.release({ evicted: false, within: 1_000 });
    client.member.assigned([{ ...one, position: 0 }]);
    expect(subscription.status!().lastHeard).toBe(3_600_000);
    client.member.fetched();
    expect(subscription.status!()).toMatchObject({ connected: true, lastHeard: 3_600_000 });
  });

  it('skips control records', async () => {
    const { client, offsets, logger } = await running();
    client.fetch(0, 2);
    client.member.batch({ ...one, from: 2, next: 7, highWatermark: 8, records: [] });
    expect(client.fetch(7, 1)).toBe(true);
    expect(offsets()).toEqual([0, 1, 7]);
    expect(logger.lines.filter((line) => line.startsWith('warn'))).toEqual([]);
  });

  it('delivers nothing while handlers of an earlier assignment run', async () => {
    const { client, collected, subscription, offsets } = await running();
    client.fetch(0, 1);
    let end: () => void = () => undefined;
    collected.revoke = () =>
      new Promise((resolve) => {
        end = resolve;
      });
    const released = client.member.release({ evicted: false, within: 1_000 });
    // The group went on without waiting.
    client.member.assigned([{ ...one, position: 0 }]);
    expect(client.fetch(0, 1)).toBe(false);
    subscription.commit(collected.batches[0]!.partition, 1);
    end();
    await released;
    expect(client.commits).toEqual([]);
    expect(client.fetch(0, 1)).toBe(true);
    expect(offsets()).toEqual([0, 0]);
  });
});

describe('kafka(): a lost connection', () => {
  const away = new Error('connect ECONNREFUSED 127.0.0.1:9092');
  const assignment = [{ ...one, position: 0 }];

  it('logs its loss, every half minute of it, and its end', async () => {
    const { client, clock, logger } = await running();
    for (let second = 0; second < 75; second++) {
      client.member.interrupted(away, -3_000);
      clock.advance(1_000);
    }
    client.member.assigned(assignment);
    clock.advance(600_000);
    const error = away.message;
    const at = (outageMs: number) => JSON.stringify({ group: 'readers', outageMs, error });
    expect(logger.lines.filter((line) => !line.startsWith('debug'))).toEqual([
      `warn: kafka connection lost ${at(3_000)}`,
      `warn: kafka connection still lost ${at(33_000)}`,
      `warn: kafka connection still lost ${at(63_000)}`,
      'info: kafka connection restored {"group":"readers","outageMs":78000}',
    ]);
  });

  it('logs no more often when it comes and goes', async () => {
    const { client, clock, logger } = await running();
    for (let second = 0; second < 60; second++) {
      client.member.interrupted(away, clock.now());
      clock.advance(500);
      client.member.assigned(assignment);
      clock.advance(500);
    }
    const lines = logger.lines.filter((line) => !line.startsWith('debug'));
    expect(lines.map((line) => line.replace(/ \{.*/, ''))).toEqual([
      'warn: kafka connection lost',
      'info: kafka connection restored',
      'warn: kafka connection lost',
      'info: kafka connection restored',
    ]);
  });

  it('logs a second loss within half a minute, though the clock was set back', async () => {
    const { client, clock, logger } = await running();
    client.member.interrupted(away, clock.now());
    client.member.assigned(assignment);
    const { now } = clock;
    vi.spyOn(clock, 'now').mockImplementation(() => now() - 28_800_000);
    client.member.interrupted(away, clock.now());
    clock.advance(30_000);
    expect(logger.lines.filter((line) => line.includes('connection lost'))).toHaveLength(2);
  });

  it('logs a second loss that outlasts the half minute', async () => {
    const { client, clock, logger } = await running();
    client.member.interrupted(away, clock.now());
    client.member.assigned(assignment);
    clock.advance(20_000);
    client.member.interrupted(away, clock.now());
    clock.advance(9_999);
    const lost = () => logger.lines.filter((line) => line.includes('connection lost'));
    expect(lost()).toHaveLength(1);
    clock.advance(1);
    expect(lost()[1]).toContain('"outageMs":10000');
  });

  it.each([
    ['has stopped', (subscription: Subscription) => subscription.stop()],
    [
      'has failed',
      (_: Subscription, { member }: ScriptedClient) => {
        member.failed(away);
        return Promise.resolve();
      },
    ],
  ])('stops logging when the run %s', async (_, end) => {
    const { client, clock, logger, subscription } = await running();
    client.member.interrupted(away, clock.now());
    await end(subscription, client);
    clock.advance(600_000);
    expect(logger.lines.filter((line) => line.includes('kafka connection'))).toHaveLength(1);
    expect(clock.next).toBeUndefined();
  });
});

describe('kafka(): waiting records', () => {
  it('pause fetching above half of maxBytesPerPartition', async () => {
    const { client, collected, subscription } = await running({ maxBytesPerPartition: 10_000 }, { room: 1 });
    client.fetch(0, 11, 300);
    expect(client.paused).toBe(false);
    client.fetch(11, 1, 300);
    expect(client.paused).toBe(true);
    expect(subscription.status!().partitions).toMatchObject([
      { waiting: 11, position: 1, highWatermark: 1_000 },
    ]);
    collected.makeRoom(2);
    collected.resume(collected.batches[0]!.partition);
    await collected.received(3);
    expect(client.paused).toBe(false);
  });

  it('excuse a broker that is not asked meanwhile', async () => {
    const { client, clock, collected, subscription } = await running(
      { maxBytesPerPartition: 2_000 },
      { room: 1 },
    );
    const problems = () =>
      healthOf({
        works: [],
        running: new Set(),
        failure: undefined,
        isEnding: false,
        source: subscription.status!(),
        now: clock.now(),
      }).reasons;
    client.fetch(0, 9, 300);
    clock.advance(60_000);
    expect(problems()).toEqual([]);
    collected.makeRoom(9);
    collected.resume(collected.batches[0]!.partition);
    await collected.received(9);
    expect(problems()).toEqual([]);
    clock.advance(60_000);
    expect(problems()).toEqual(['The source is connected, but has not responded for 60 s.']);
  });

  it('arrive in order, however many are taken at a time', async () => {
    const law = fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
      fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 8 }),
      async (batches, rooms) => {
        const { client, collected, offsets } = await running(
          { maxBytesPerPartition: 2_000 },
          { room: rooms[0]! },
        );
        let sent = 0;
        for (const [at, count] of batches.entries()) {
          expect(client.fetch(sent, count)).toBe(true);
          sent += count;
          collected.makeRoom(rooms[at % rooms.length]!);
          collected.resume(one);
        }
        collected.makeRoom(Number.POSITIVE_INFINITY);
        collected.resume(one);
        const [partition] = collected.batches.map((batch) => batch.partition);
        if (partition !== undefined) collected.resume(partition);
        await collected.received(sent);
        expect(offsets()).toEqual(range(0, sent));
      },
    );
    await fc.assert(law, { numRuns: cases(40, 200) });
  });
});

describe('kafka(): commits', () => {
  it('collect for an interval, and write the last offset per partition', async () => {
    const { client, clock, collected, subscription } = await running({ commitInterval: 500 });
    client.fetch(0, 10);
    const { partition } = collected.batches[0]!;
    for (let offset = 1; offset <= 8; offset++) subscription.commit(partition, offset);
    clock.advance(499);
    expect(client.commits).toEqual([]);
    clock.advance(1);
    expect(client.commits).toEqual([[{ ...one, offset: 8 }]]);
    await turns();
    subscription.commit(partition, 3);
    expect(clock.advanceToNext()).toBe(false);
    expect(subscription.status!().partitions).toMatchObject([{ committed: 8, position: 10 }]);
  });

  it('pass the control records after the last settled record', async () => {
    const { client, clock, collected, subscription } = await running({}, { room: 2 });
    const controls = (from: number, next: number) =>
      client.member.batch({ ...one, from, next, highWatermark: 9, records: [] });
    const passed = async () => {
      clock.advance(1_000);
      await turns();
      return client.commits.flat().map(({ offset }) => offset);
    };
    controls(0, 1);
    expect(await passed()).toEqual([1]);
    client.fetch(1, 2);
    controls(3, 4);
    const { partition } = collected.batches[0]!;
    subscription.commit(partition, 2);
    expect(await passed()).toEqual([1, 2]);
    subscription.commit(partition, 3);
    expect(await passed()).toEqual([1, 2, 4]);
    client.fetch(5, 1);
    controls(6, 9);
    expect(await passed()).toEqual([1, 2, 4, 5]);
  });

  it('retry after a failure', async () => {
    const { client, clock, collected, subscription } = await running({ commitInterval: 500 });
    client.fetch(0, 10);
    client.commitErrors.push(new Error('the coordinator moved'));
    subscription.commit(collected.batches[0]!.partition, 4);
    clock.advance(500);
    await turns();
    expect(subscription.status!().partitions).toMatchObject([{ committed: 0 }]);
    clock.advance(500);
    await turns();
    expect(client.commits).toEqual([[{ ...one, offset: 4 }]]);
  });

  it('precede the release of partitions and the end', async () => {
    const { client, collected, subscription } = await running();
    client.fetch(0, 10);
    const { partition } = collected.batches[0]!;
    collected.revoke = async () => subscription.commit(partition, 6);
    await client.member.release({ evicted: false, within: 1_000 });
    expect(client.commits).toEqual([[{ ...one, offset: 6 }]]);
    client.member.assigned([{ ...one, position: 6 }]);
    client.fetch(6, 4);
    subscription.commit(partition, 10);
    await subscription.stop();
    expect(client.commits).toEqual([[{ ...one, offset: 6 }], [{ ...one, offset: 10 }]]);
  });
});

describe('kafka(): a start', () => {
  it('describes its topics concurrently', async () => {
    const scripted = scriptedClient();
    const asked: string[] = [];
    const { opened, open } = gate();
    const client: typeof scripted = {
      ...scripted,
      connect: async (options) => ({
        ...(await scripted.connect(options)),
        async describeTopic(name) {
          asked.push(name);
          if (asked.length === 2) open();
          await opened;
          return { name, partitions: 4, maxMessageBytes: 1_000 };
        },
      }),
    };
    const transport = kafka({ client, groupId: 'readers', topics: ['bills', 'events'] });
    await transport.open(collector(), { clock: virtualClock(), logger: logLines() });
    expect(asked.slice(0, 2)).toEqual(['bills', 'events']);
  });
});

describe('kafka(): the last commit', () => {
  it('repeats when it fails at a stop', async () => {
    const { client, clock, collected, subscription, logger } = await running();
    client.fetch(0, 3);
    subscription.commit(collected.batches[0]!.partition, 3);
    client.commitErrors.push(new Error('Coordinator not available'), new Error('Not coordinator'));
    const stopped = subscription.stop();
    for (const delay of [100, 200]) {
      await turns();
      clock.advance(delay);
    }
    await stopped;
    expect(client.commits).toEqual([[{ ...one, offset: 3 }]]);
    expect(logger.lines.filter((line) => line.includes('last offsets'))).toEqual([]);
  });

  it('says that it is missing when Kafka does not respond at a stop', async () => {
    const { client, clock, collected, subscription, logger } = await running();
    client.fetch(0, 3);
    subscription.commit(collected.batches[0]!.partition, 3);
    client.commitErrors.push(new Promise<never>(() => undefined));
    const stopped = subscription.stop();
    await turns();
    clock.advance(5_000);
    await stopped;
    expect(logger.lines.filter((line) => line.includes('last offsets'))).toEqual([
      expect.stringMatching(/^warn: last offsets were not committed .*"error":"no response within 5000 ms"/),
    ]);
  });
});

describe('kafka(): held keys', () => {
  it('finish loading before the connection closes', async () => {
    const scripted = scriptedClient();
    const { opened, open } = gate();
    const calls: string[] = [];
    const client: typeof scripted = {
      ...scripted,
      connect: async (options) => ({
        ...(await scripted.connect(options)),
        async rangesOf(topic) {
          calls.push(`reads ${topic}`);
          await opened;
          calls.push('has read');
          return undefined;
        },
        close() {
          calls.push('closes');
          return Promise.resolve();
        },
      }),
    };
    const consumer = createConsumer({ logger: logLines() });
    consumer.onAny(() => undefined);
    const transport = kafka({ client, groupId: 'g', topics: ['events'] });
    const running = await consumer.run(transport, { afterDeadLetter: 'hold-key' });
    scripted.fetch(0, 1);
    const stopped = running.stop();
    open();
    await stopped;
    expect(calls).toEqual(['reads events.dead-letter.replayed', 'has read', 'closes']);
  });

  it('include those of the present assignment when a partition starts again', async () => {
    const scripted = scriptedClient();
    const topic = 'events.dead-letter';
    const letters = () =>
      scripted.produced.map((letter, offset) => {
        return { ...letter, partition: 0, offset, timestamp: 0, headers: recordHeaders(letter.headers) };
      });
    const client: typeof scripted = {
      ...scripted,
      connect: async (options) => ({
        ...(await scripted.connect(options)),
        rangesOf: (name) =>
          Promise.resolve(name === topic ? [{ topic, partition: 0, first: 0, end: 9 }] : undefined),
        async *read() {
          await Promise.resolve();
          yield* letters();
        },
      }),
    };
    const consumer = createConsumer({ logger: logLines(), retry: { attempts: 1 } });
    const handled: number[] = [];
    consumer.on('account.created', 'v1', ({ record }) => {
      handled.push(record.offset);
      if (handled.length === 1) throw new Error('no');
    });
    const transport = kafka({ client, groupId: 'g', topics: ['events'] });
    const running = await consumer.run(transport, { afterDeadLetter: 'hold-key', clock: virtualClock() });
    const fetch = async (from: number) => {
      const record = { ...recordOf(envelope(accountCreated), headersOf(accountCreated)), ...one };
      const records = [{ ...record, offset: from, key: null }];
      const batch = { ...one, from, next: from + 1, highWatermark: 9, records };
      while (!scripted.member.batch(batch)) await turns();
      await running.idle();
      await turns();
    };
    for (const from of [0, 1, 1]) await fetch(from);
    expect(handled).toEqual([0]);
    const codes = letters().map(({ headers }) => readDeadLetter(headers)?.code);
    expect(codes).toEqual(['handler-failed', 'held-key', 'held-key']);
    await running.stop();
  });
});

describe('kafka(): dead letters', () => {
  const cause = { code: 'handler-failed', message: 'Handler "x" failed.', attempts: 3, handler: 'x' };
  const away = new BusbarError('connection-failed', 'No broker is there.');

  it('contain cause, group and origin, and keep their partition without a key', async () => {
    const { client, collected, subscription } = await running();
    client.fetch(0, 1);
    await subscription.deadLetter!(collected.records[0]!, cause);
    const [letter] = client.produced;
    expect(letter).toMatchObject({ topic: 'events.dead-letter', partition: 1, key: null });
    expect(readDeadLetter(recordHeaders(letter!.headers))).toEqual({
      ...cause,
      group: 'readers',
      origin: { ...one, offset: 0, timestamp: 0 },
    });
  });

  it('retry until Kafka accepts them, and the status shows since when', async () => {
    const { client, clock, collected, subscription, logger } = await running();
    client.fetch(0, 1);
    client.produceErrors.push(away, away, away);
    const written = subscription.deadLetter!(collected.records[0]!, cause);
    for (const delay of [100, 200, 400]) {
      await turns();
      expect(subscription.status!().deadLettersFailing).toEqual({ since: 0, reason: away.message });
      clock.advance(delay);
    }
    await written;
    expect(subscription.status!().deadLettersFailing).toBeUndefined();
    expect(client.produced).toHaveLength(1);
    expect(logger.lines.filter((line) => line.startsWith('warn'))).toHaveLength(1);
  });

  it('log every 30 seconds that they cannot be written, and when they can', async () => {
    const { client, clock, collected, subscription, logger } = await running();
    client.fetch(0, 1);
    client.produceErrors.push(...Array.from({ length: 14 }, () => away));
    const written = subscription.deadLetter!(collected.records[0]!, cause);
    for (let passed = 0; passed < 100; passed++) {
      await turns();
      clock.advance(1_000);
    }
    await written;
    const lines = logger.lines.filter((line) => line.includes('dead letters'));
    expect(lines.map((line) => line.replace(/ \{.*/, ''))).toEqual([
      'warn: dead letters cannot be written, retrying',
      'warn: dead letters still cannot be written',
      'warn: dead letters still cannot be written',
      'info: dead letters can be written again',
    ]);
  });

  it('reject immediately when Kafka never accepts them', async () => {
    const { client, clock, collected, subscription } = await running();
    client.fetch(0, 1);
    client.produceErrors.push(away, new BusbarError('record-refused', 'Too large.'));
    const written = subscription.deadLetter!(collected.records[0]!, cause).catch((error: unknown) => error);
    await turns();
    clock.advance(100);
    expect(await written).toMatchObject({ code: 'record-refused' });
    // Kafka was reached.
    expect(subscription.status!().deadLettersFailing).toBeUndefined();
  });

  it('stay unwritten once their partitions are released', async () => {
    const { client, clock, running } = await deadLettering();
    client.produceErrors.push(away, away);
    client.fetch(0, 1);
    await turns();
    const released = client.member.release({ evicted: false, within: 60_000 });
    clock.advance(9_999);
    await turns();
    clock.advance(1);
    await released;
    expect(running.health().source?.deadLettersFailing).toBeUndefined();
    client.produceErrors.length = 0;
    clock.advance(60_000);
    await turns();
    expect(client.produced).toEqual([]);
    client.member.assigned([{ ...one, position: 0 }]);
    client.fetch(0, 1);
    await turns();
    expect(client.produced).toHaveLength(1);
    await running.stop();
  });

  it('stay unwritten once their partition was truncated, but not those of others', async () => {
    const { client, clock, running } = await deadLettering();
    const other = { topic: 'events', partition: 0 };
    client.member.assigned([
      { ...other, position: 0 },
      { ...one, position: 0 },
    ]);
    client.produceErrors.push(...Array<typeof away>(20).fill(away));
    client.fetch(0, 5);
    const record = { ...other, offset: 0, timestamp: 0, key: null, value: null, headers: recordHeaders() };
    client.member.batch({ ...other, from: 0, next: 1, highWatermark: 1, records: [record] });
    await turns();
    expect(client.fetch(0, 1)).toBe(false);
    for (let passed = 0; passed < 10; passed++) {
      clock.advance(1_000);
      await turns();
    }
    expect(running.health().source?.deadLettersFailing).toBeDefined();
    client.produceErrors.length = 0;
    clock.advance(60_000);
    await turns();
    const origins = client.produced.map(({ headers }) => readDeadLetter(recordHeaders(headers))?.origin);
    expect(origins).toMatchObject([other]);
    await running.stop();
  });

  it('stay unsettled when the run stops before they are written', async () => {
    const { client, collected, subscription } = await running();
    client.fetch(0, 1);
    client.produceErrors.push(away);
    const stopped = new AbortController();
    const { signal } = stopped;
    const written = subscription.deadLetter!(collected.records[0]!, cause, signal);
    const refused = expect(written).rejects.toThrow('stopped');
    await turns();
    stopped.abort(new Error('stopped'));
    await refused;
    expect(subscription.status!().deadLettersFailing).toBeUndefined();
    await subscription.stop();
    expect(client.produced).toEqual([]);
  });
});

async function running(options: Partial<KafkaConsumeOptions> = {}, receiver: CollectorOptions = {}) {
  const client = scriptedClient();
  const clock: VirtualClock = virtualClock();
  const collected = collector(receiver);
  const logger = logLines();
  const transport = kafka({ client, groupId: 'readers', topics: ['events'], ...options });
  const subscription = await transport.open(collected, { clock, logger });
  collected.attach(subscription);
  const offsets = () => collected.records.map(({ offset }) => offset);
  return { client, clock, collected, logger, subscription, offsets };
}

/** Runs a consumer that dead-letters every record. */
async function deadLettering() {
  const client = scriptedClient();
  const clock = virtualClock();
  const consumer = createConsumer({ logger: logLines(), policies: { undecodableRecords: 'dead-letter' } });
  consumer.onAny(() => undefined);
  const transport = kafka({ client, groupId: 'readers', topics: ['events'] });
  return { client, clock, running: await consumer.run(transport, { clock }) };
}

/** Lets pending promises and immediates run. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
