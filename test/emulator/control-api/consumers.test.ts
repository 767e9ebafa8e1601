import { describe, expect, it, onTestFinished } from 'vitest';
import type { Consumers, DeadLetters, Sample } from '../../../emulator/control-api/generated/operations.js';
import { openCatalogue } from '../../../catalogue/index.js';
import { createConsumer, silentLogger } from '../../../src/index.js';
import { websocket } from '../../../src/transports/websocket.js';
import { cases } from '../../cases.js';
import { liveMemory } from '../../live-memory.js';
import { failingGroup } from '../dashboard/failing-group.js';
import { serve } from './serve.js';
import { writeDeadLetters } from './write-dead-letters.js';

const event = 'account.created';
const withBroker = { kafka: { port: 0 } };

const downFrom = (highest: number, count: number) =>
  Array.from({ length: count }, (_, index) => highest - index);

describe('GET /consumers', () => {
  it('lists groups with members, partitions, committed and end offsets and lag', async () => {
    const { emulator, ask } = await serve(withBroker);
    expect(await ask<Consumers>('/consumers')).toMatchObject({ groups: [], stream: [] });
    const { handler } = await failingGroup(emulator, 'billing');
    handler.isFixed = true;
    await emulator.trigger(`${event}-v1`, { count: 12 });
    await expect
      .poll(async () => {
        const { groups } = await ask<Consumers>('/consumers');
        const partitions = groups[0]?.partitions ?? [];
        return [groups[0]?.state, partitions.reduce((sum, { committed }) => sum + (committed ?? 0), 0)];
      })
      .toEqual(['Stable', 12]);
    const { groups, topics, bootstrap_servers } = await ask<Consumers>('/consumers');
    const [group] = groups;
    expect(bootstrap_servers).toBe(emulator.bootstrapServers);
    expect(topics).toContainEqual(expect.objectContaining({ name: 'platform.events', records: 12 }));
    expect(group).toMatchObject({ id: 'billing', lag: 0, members: [{}], waiting_since: null });
    expect(Date.parse(group!.committed_at!)).toBeGreaterThan(0);
    expect(group!.partitions.map(({ topic }) => topic)).toEqual(Array(6).fill('platform.events'));
    expect(new Set(group!.partitions.map(({ member }) => member))).toEqual(new Set([group!.members[0]!.id]));
  });

  it('lists consumers of the stream next to the groups', async () => {
    const { emulator, ask } = await serve(withBroker);
    const consumer = createConsumer({ logger: silentLogger });
    consumer.onAny(() => undefined);
    const running = await consumer.run(websocket({ url: emulator.streamUrl!, consumer: 'letters' }));
    onTestFinished(() => running.stop());
    await emulator.trigger(`${event}-v1`);
    await expect
      .poll(async () => (await ask<Consumers>('/consumers')).stream)
      .toMatchObject([{ name: 'letters', connected: true, end: 1, lag: 0 }]);
  });
});

describe('/dead-letters', () => {
  it('lists dead letters with reason and origin, and replays them once for their group', async () => {
    const { emulator, ask } = await serve(withBroker);
    const { handled, handler } = await failingGroup(emulator, 'billing');
    const accounts = ['A-00000001', 'A-00000002'];
    for (const account of accounts)
      await emulator.trigger(`${event}-v1`, { set: [`account_number=${account}`] });
    await expect.poll(async () => (await ask<DeadLetters>('/dead-letters')).total).toBe(2);
    const { letters } = await ask<DeadLetters>('/dead-letters');
    for (const letter of letters) {
      expect(letter).toMatchObject({
        code: 'handler-failed',
        event: `${event}-v1`,
        group: 'billing',
        attempts: 1,
        state: 'pending',
        replays: 0,
        origin: { topic: 'platform.events' },
        error: {
          class: 'TypeError',
          code: 'ECONNREFUSED',
          at: expect.stringMatching(/^test\/emulator\/dashboard\/failing-group\.ts:\d+:\d+$/) as string,
        },
      });
    }
    expect(JSON.stringify(letters)).not.toContain(accounts[0]);

    handler.isFixed = true;
    const [first] = letters;
    expect(await ask('/dead-letters/replay', { id: first!.id })).toMatchObject({ replayed: 1, selected: 1 });
    await expect.poll(() => handled.length).toBe(1);
    expect(await ask('/dead-letters/replay', {})).toMatchObject({ replayed: 1, replayed_before: 1 });
    await expect.poll(() => [...handled].sort()).toEqual(accounts);
    expect(await ask('/dead-letters/replay', {})).toMatchObject({ replayed: 0, replayed_before: 2 });
    const after = await ask<DeadLetters>('/dead-letters');
    expect(after.letters.map(({ state, replays }) => [state, replays])).toEqual([
      ['replayed', 1],
      ['replayed', 1],
    ]);
  });

  it('counts a record that fails again once, and replays its last dead letter', async () => {
    const { emulator, ask } = await serve(withBroker);
    const { handled, handler } = await failingGroup(emulator, 'billing');
    await emulator.trigger(`${event}-v1`);
    const counts = async () => {
      const { pending, replayed, failed_again, letters } = await ask<DeadLetters>('/dead-letters');
      return [pending, replayed, failed_again, letters.length];
    };
    await expect.poll(counts).toEqual([1, 0, 0, 1]);
    const before = await ask<DeadLetters>('/dead-letters');
    await ask('/dead-letters/replay', {});
    await expect.poll(counts).toEqual([0, 0, 1, 1]);
    const { letters } = await ask<DeadLetters>('/dead-letters?state=failed-again');
    expect(letters).toMatchObject([{ replays: 1 }]);
    expect(letters[0]!.id).not.toBe(before.letters[0]!.id);
    handler.isFixed = true;
    expect(await ask('/dead-letters/replay', {})).toMatchObject({ replayed: 1, replayed_before: 0 });
    await expect.poll(() => handled.length).toBe(1);
    expect(await counts()).toEqual([0, 1, 0, 1]);
    expect((await ask<DeadLetters>('/dead-letters')).letters).toMatchObject([{ replays: 2 }]);
  });

  it('groups dead letters by cause, and replays or discards those of one cause', async () => {
    const { emulator, ask } = await serve(withBroker);
    await emulator.trigger(`${event}-v1`, { count: 30 });
    writeDeadLetters(emulator, 0, 3);
    writeDeadLetters(emulator, 3, 2, { event: 'account.updated-v1', handler: 'update' });
    const { causes } = await ask<DeadLetters>('/dead-letters');
    expect(causes).toMatchObject([
      { group: 'billing', event: `${event}-v1`, handler: null, code: 'handler-failed', pending: 3 },
      { event: 'account.updated-v1', handler: 'update', pending: 2, replayed: 0, discarded: 0 },
    ]);
    const [created, updated] = causes.map(({ id }) => id);
    expect(await ask<DeadLetters>(`/dead-letters?cause=${updated}`)).toMatchObject({ total: 2, pending: 2 });
    expect(await ask('/dead-letters/discard', { cause: updated })).toMatchObject({
      discarded: 2,
      selected: 2,
    });
    expect(await ask('/dead-letters/replay', { cause: created })).toMatchObject({ replayed: 3 });
    const after = await ask<DeadLetters>('/dead-letters?state=discarded');
    expect(after).toMatchObject({ total: 5, pending: 0, replayed: 3, discarded: 2, letters: [{}, {}] });
    expect(await ask('/dead-letters/replay', {})).toMatchObject({ replayed: 0, selected: 0 });
    expect(await ask('/dead-letters/discard', {})).toMatchObject({ status: 400 });
  });

  it('lists many dead letters page by page, newest first', async () => {
    const { emulator, ask } = await serve(withBroker);
    const all = cases(2_000, 50_000);
    writeDeadLetters(emulator, 0, all);
    const first = await ask<DeadLetters>('/dead-letters?limit=200');
    expect(first).toMatchObject({ total: all, pending: all, replayed: 0, failed_again: 0 });
    expect(first.letters.map(({ origin: { offset } }) => offset)).toEqual(downFrom(all - 1, 200));
    const next = `/dead-letters?limit=200&before=${first.letters.at(-1)!.number}`;
    const { letters } = await ask<DeadLetters>(next);
    // Letters that arrive meanwhile move no page.
    writeDeadLetters(emulator, all, 10);
    expect((await ask<DeadLetters>(next)).letters).toEqual(letters);
    expect(letters.map(({ origin: { offset } }) => offset)).toEqual(downFrom(all - 201, 200));
    expect(await ask<DeadLetters>('/dead-letters?limit=1')).toMatchObject({
      total: all + 10,
      letters: [{ origin: { offset: all + 9 } }],
    });
    expect(await ask<DeadLetters>('/dead-letters?state=replayed')).toMatchObject({ letters: [] });
  });

  it('forgets dead letters that the broker has deleted', async () => {
    const { emulator, ask } = await serve(withBroker);
    writeDeadLetters(emulator, 0, 5);
    expect(await ask<DeadLetters>('/dead-letters')).toMatchObject({ total: 5 });
    emulator.broker!.truncate({ topic: 'platform.events.dead-letter', partition: 0, before: 3 });
    expect(await ask<DeadLetters>('/dead-letters')).toMatchObject({ total: 2 });
  });

  it('keeps nothing of the causes of deleted dead letters', async () => {
    const { emulator, ask } = await serve(withBroker);
    const deleted = async (first: number, count: number) => {
      for (let offset = first; offset < first + count; offset++) {
        const text = `${offset} `.repeat(200);
        writeDeadLetters(emulator, offset, 1, { handler: text, event: text, code: text });
      }
      expect(await ask<DeadLetters>('/dead-letters?limit=1')).toMatchObject({ total: count });
      emulator.broker!.truncate({ topic: 'platform.events.dead-letter', partition: 0 });
      expect(await ask<DeadLetters>('/dead-letters')).toMatchObject({ total: 0 });
      return liveMemory().heap;
    };
    const before = await deleted(0, 1_000);
    // The causes of a thousand letters are 6 MB.
    expect((await deleted(1_000, 1_000)) - before).toBeLessThan(2e6);
  });

  it('refuses unknown dead letters by name', async () => {
    const { ask } = await serve(withBroker);
    expect(await ask('/dead-letters/replay', { id: 'platform.events.dead-letter/0/7' })).toMatchObject({
      status: 400,
      message: expect.stringContaining('"platform.events.dead-letter/0/7"') as string,
    });
    expect(await ask('/dead-letters?topic=other')).toMatchObject({ status: 404, error: 'unknown-topic' });
    expect(await ask('/dead-letters/replay', { group: 'biling' })).toMatchObject({
      status: 404,
      error: 'unknown-group',
    });
  });
});

describe('GET /samples', () => {
  it('sends a payload that is a list or a string', async () => {
    const named = (type: string, schema: object) => ({
      'x-event-type': type,
      'x-event-version': 'v1',
      ...schema,
    });
    const catalogue = openCatalogue({
      events: [
        named('meter.read', { type: 'array', items: { type: 'integer' } }),
        named('host.pinged', { type: 'string' }),
      ],
    });
    const { call } = await serve({ catalogue });
    const send = (body: object) => call('POST', '/trigger', body);
    const { payload } = (await call('GET', '/samples/meter.read-v1')).body;
    for (const body of [
      { event: 'meter.read-v1', payload },
      { event: 'meter.read-v1', payload: [], set: [] },
      { event: 'host.pinged-v1', payload: 'host-1' },
    ])
      expect(await send(body)).toMatchObject({ status: 202 });
    const refused = await send({ event: 'meter.read-v1', payload: {} });
    expect(refused.body.message).toContain('"payload" must be array (rule "type")');
  });

  it('sets a value of a map by the schema of its values', async () => {
    const rates = {
      type: 'object',
      additionalProperties: { type: 'object', properties: { pence: { type: 'integer' } } },
    };
    const tariff = {
      'x-event-type': 'tariff.changed',
      'x-event-version': 'v1',
      type: 'object',
      properties: { rates },
    };
    const { emulator } = await serve({ catalogue: openCatalogue({ events: [tariff] }) });
    const set = (path: string) => emulator.trigger('tariff.changed-v1', { set: [path] });
    expect(await set('rates.night.pence=4')).toMatchObject([{ payload: { rates: { night: { pence: 4 } } } }]);
    await expect(set('rates.night.penc=4')).rejects.toThrow('the fields of "rates.night" are "pence".');
  });

  it('returns payloads that a trigger accepts, the same for the same number', async () => {
    const { emulator, ask } = await serve(withBroker);
    const sample = await ask<Sample>(`/samples/${event}-v1?nth=3&fields=full`);
    expect(sample).toEqual(await ask(`/samples/${event}-v1?nth=3&fields=full`));
    expect(sample.payload).not.toEqual(
      (await ask<typeof sample>(`/samples/${event}-v1?nth=4&fields=full`)).payload,
    );
    expect(sample.payload).toMatchObject({ account_number: sample.key });
    const [input] = await emulator.trigger(sample.event, { payload: sample.payload });
    expect(input).toMatchObject({ payload: sample.payload });
    expect(await ask(`/samples/${event}-v1?fields=some`)).toMatchObject({ status: 400 });
    expect(await ask('/samples/no.such')).toMatchObject({ status: 400, error: 'unknown-event' });
  });
});
