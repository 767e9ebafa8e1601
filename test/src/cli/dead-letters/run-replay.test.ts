import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planReplay, runDiscard, runReplay } from '../../../../src/cli/dead-letters/run-replay.js';
import { resolveSelection, type Selection } from '../../../../src/cli/dead-letters/select.js';
import { deadLetterHeaders } from '../../../../src/dead-letter.js';
import { readReplay } from '../../../../src/replay.js';
import { recordHeaders } from '../../../../src/transports/record-headers.js';
import type { ConsumerRecord } from '../../../../src/transports/transport.js';
import { findHeldLetters } from '../../../../src/transports/kafka/held-letters.js';
import { MemoryKafka } from '../../transports/kafka/memory-kafka.js';
import { cases } from '../../../cases.js';

const marks = 'events.dead-letter.replayed';

function kafkaWithTopics(): MemoryKafka {
  return new MemoryKafka().addTopic('events', 3).addTopic('events.dead-letter', 2).addTopic('repairs', 1);
}

/** A dead letter of the record at that offset; partitions go by key. */
function setAside(
  kafka: MemoryKafka,
  offset: number,
  { key = 'a', group = 'billing', event = 'account.created-v1', headers = {} }: Partial<Letter> = {},
): void {
  const record: ConsumerRecord = {
    topic: 'events',
    partition: 1,
    offset,
    timestamp: 0,
    key: Buffer.from(key),
    value: Buffer.from([0xff, offset]),
    headers: recordHeaders({ 'event-id': `id-${offset}`, ...headers }),
  };
  const cause = { code: 'handler-failed', message: 'It failed.', attempts: 3, event };
  kafka.append({
    topic: 'events.dead-letter',
    key: record.key,
    value: record.value,
    headers: deadLetterHeaders(record, cause, group),
  });
}

interface Letter {
  readonly key: string;
  readonly group: string;
  readonly event: string;
  readonly headers: Record<string, string>;
}

async function replay(
  kafka: MemoryKafka,
  options: Partial<Selection> & { to?: string } = {},
): Promise<number> {
  const connection = await kafka.connect();
  const selection = resolveSelection({ topic: 'events', ...options });
  const plan = await planReplay(connection, selection);
  const { signal } = new AbortController();
  return runReplay(connection, plan, { selection, to: options.to, signal });
}

const ids = (records: readonly ConsumerRecord[]) =>
  records.map(({ headers }) => text(headers.get('event-id')));
const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();

describe('a replay', () => {
  it('sends bytes, key and headers to the original partition, for the group', async () => {
    const kafka = kafkaWithTopics();
    setAside(kafka, 7);
    expect(await replay(kafka)).toBe(1);
    const [record] = kafka.records('events');
    expect(record).toMatchObject({ partition: 1, key: Buffer.from('a'), value: Buffer.from([0xff, 7]) });
    expect([...record!.headers].map(([name, value]) => `${name}: ${text(value)}`)).toEqual([
      'event-id: id-7',
      'busbar-replay-group: billing',
      'busbar-replay-topic: events',
      'busbar-replay-partition: 1',
      'busbar-replay-offset: 7',
      'busbar-replay-first: 7',
      'busbar-replay-count: 1',
    ]);
    expect(kafka.policyOf(marks)).toBe('compact');
  });

  it('replays in the order of the platform, and copies once', async () => {
    const kafka = kafkaWithTopics();
    for (const [offset, key] of [
      [9, 'a'],
      [3, 'b'],
      [9, 'a'],
      [4, 'a'],
      [12, 'b'],
    ] as const)
      setAside(kafka, offset, { key });
    expect(await replay(kafka)).toBe(4);
    expect(ids(kafka.records('events'))).toEqual(['id-3', 'id-4', 'id-9', 'id-12']);
  });

  it('replays each record that dispatch got without an offset, once', async () => {
    const kafka = kafkaWithTopics();
    for (const key of ['a', 'b', 'a']) setAside(kafka, -1, { key });
    expect(await replay(kafka)).toBe(3);
    expect(await replay(kafka)).toBe(0);
    setAside(kafka, -1);
    expect(await replay(kafka)).toBe(1);
  });

  it('replays a repeated failure at its first offset, and counts', async () => {
    const kafka = kafkaWithTopics();
    setAside(kafka, 8);
    const again = { topic: 'events', partition: '1', offset: '5', first: '5', count: '2', group: 'billing' };
    const headers = Object.fromEntries(
      Object.entries(again).map(([name, value]) => [`busbar-replay-${name}`, value]),
    );
    setAside(kafka, 20, { headers });
    await replay(kafka);
    expect(kafka.records('events').map(({ headers }) => readReplay(headers))).toMatchObject([
      { offset: 20, first: 5, count: 3 },
      { offset: 8, first: 8, count: 1 },
    ]);
  });

  it('replays to another topic for any group, and marks it', async () => {
    const kafka = kafkaWithTopics();
    setAside(kafka, 7);
    expect(await replay(kafka, { to: 'repairs' })).toBe(1);
    const note = readReplay(kafka.records('repairs')[0]!.headers);
    expect(note).toMatchObject({ topic: 'events', offset: 7 });
    expect(note).not.toHaveProperty('group');
    expect(await replay(kafka)).toBe(0);
  });

  it('selects by event, group or time', async () => {
    const kafka = kafkaWithTopics();
    setAside(kafka, 1, { event: 'account.updated-v1' });
    setAside(kafka, 2, { group: 'mailing' });
    setAside(kafka, 3);
    // What MemoryKafka stamps is one second after the epoch.
    expect(await replay(kafka, { since: '1970-01-01T00:00:02Z' })).toBe(0);
    expect(await replay(kafka, { only: 'account.updated-v1' })).toBe(1);
    expect(await replay(kafka, { group: 'mailing' })).toBe(1);
    expect(await replay(kafka, { since: '1970-01-01T01:00:01+01:00' })).toBe(1);
    expect(ids(kafka.records('events'))).toEqual(['id-1', 'id-2', 'id-3']);
  });

  it('sends one dead letter by its id, and no discarded one', async () => {
    const kafka = kafkaWithTopics();
    for (const offset of [1, 2, 3]) setAside(kafka, offset);
    const idAt = (index: number) => {
      const { topic, partition, offset } = kafka.records('events.dead-letter')[index]!;
      return `${topic}/${partition}/${offset}`;
    };
    expect(await replay(kafka, { id: idAt(1) })).toBe(1);
    const connection = await kafka.connect();
    const selection = resolveSelection({ topic: 'events', id: idAt(0) });
    const { signal } = new AbortController();
    const discard = async () =>
      runDiscard(connection, await planReplay(connection, selection), { selection, signal });
    expect([await discard(), await discard()]).toEqual([1, 0]);
    expect(await planReplay(connection, resolveSelection({ topic: 'events' }))).toMatchObject({
      letters: [{ note: { offset: 3 } }],
      replayedBefore: 1,
      discardedBefore: 1,
    });
    expect(await replay(kafka)).toBe(1);
    expect(ids(kafka.records('events'))).toEqual(['id-2', 'id-3']);
    const held = await findHeldLetters({
      connection,
      groupId: 'billing',
      topicFor: (topic) => `${topic}.dead-letter`,
      positions: [{ topic: 'events', partition: 1, offset: 0 }],
      signal,
    });
    // The group has still to handle the replayed ones.
    expect(held.map((letters) => letters.map(({ offset }) => offset))).toEqual([[2, 3]]);
  });

  it.each(['2026-03-01', '2026-03-01T12:00:00', 'yesterday', '2026-13-01T12:00Z'])(
    'rejects a time without its zone: %j',
    (since) => {
      expect(() => resolveSelection({ topic: 'events', since })).toThrow(/takes a time with its zone/);
    },
  );

  it('rejects a marks topic that deletes marks, and unknown topics', async () => {
    const kafka = kafkaWithTopics().addTopic(marks, 1, 'delete');
    setAside(kafka, 1);
    await expect(replay(kafka)).rejects.toMatchObject({ code: 'invalid-option' });
    await expect(replay(kafka, { to: 'nowhere' })).rejects.toMatchObject({ code: 'unknown-topic' });
    await expect(replay(kafka, { topic: 'other' })).rejects.toMatchObject({ code: 'unknown-topic' });
    expect(kafka.records('events')).toEqual([]);
  });

  it('resumes after kills at any point, with at most one duplicate each', async () => {
    const letters = fc.array(
      fc.record({ key: fc.constantFrom('a', 'b'), copies: fc.integer({ min: 1, max: 2 }) }),
      {
        maxLength: 8,
      },
    );
    await fc.assert(
      fc.asyncProperty(letters, fc.array(fc.nat(20), { maxLength: 6 }), async (given, kills) => {
        const kafka = kafkaWithTopics();
        given.forEach(({ key, copies }, offset) => {
          for (let n = 0; n < copies; n++) setAside(kafka, offset, { key });
        });
        let inFlight = 0;
        for (const kill of kills) {
          let left = kill;
          kafka.step = () => {
            if (left-- === 0) throw new Error('killed');
          };
          const before = kafka.records('events').length - kafka.records(marks).length;
          await replay(kafka).catch((error: unknown) => expect((error as Error).message).toBe('killed'));
          inFlight += kafka.records('events').length - kafka.records(marks).length - before;
          expect(inFlight).toBeLessThanOrEqual(kills.length);
        }
        kafka.step = () => undefined;
        await replay(kafka);
        const sent = ids(kafka.records('events'));
        // Neighbours alone repeat, so that the order stands without them.
        const once = sent.filter((id, at) => id !== sent[at - 1]);
        expect(once).toEqual(given.map((_, offset) => `id-${offset}`));
        expect(sent.length - once.length).toBe(inFlight);
        expect(await replay(kafka)).toBe(0);
      }),
      { numRuns: cases(60, 300) },
    );
  });
});
