import {
  type Consumer,
  type ConsumerOptions,
  createConsumer,
  envelopeAtPaths,
  type EnvelopePaths,
  openCatalogue,
  silentLogger,
} from 'busbar';
import { kafka } from 'busbar/kafka';
import { describe, expect, it, onTestFinished } from 'vitest';
import { consumedTopic } from '../cli/consumed-topic.js';
import { accountCreated, recordOf } from '../records.js';

/** An event of its own whose schema forbids other fields, and names a field that the envelope reads as well. */
const tariffChanged = {
  $id: 'tariff.changed-v1',
  'x-event-type': 'tariff.changed',
  'x-event-version': 'v1',
  type: 'object',
  allOf: [{ required: ['occurred_at'] }],
  properties: { account_number: { type: 'string' }, occurred_at: { type: 'string' } },
  required: ['account_number'],
  additionalProperties: false,
};
const catalogue = openCatalogue({ events: [tariffChanged] });
const paths: EnvelopePaths = {
  type: '/event_type',
  version: '/meta/v',
  payload: '',
  id: '/id',
  occurredAt: '/occurred_at',
};
const occurredAt = '2026-03-01T00:00:00.000Z';
const fields = (type: string) => ({
  event_type: type,
  meta: { v: 'v1' },
  id: 'x-1',
  occurred_at: occurredAt,
});
const flat = (type: string, payload: object) => JSON.stringify({ ...payload, ...fields(type) });
const changed = flat('tariff.changed', { account_number: 'A-1' });
const changedPayload = { account_number: 'A-1', occurred_at: occurredAt };
const created = flat(accountCreated.type, accountCreated.payload as object);

function consumerOf(options: Partial<ConsumerOptions> = {}) {
  const consumer = createConsumer({
    catalogue,
    envelope: envelopeAtPaths(paths),
    logger: silentLogger,
    ...options,
  });
  consumer.onMatching('*', () => undefined);
  return consumer;
}

/** Returns the payload that the handler of a record gets. */
async function payloadOf(consumer: Consumer, sent: string): Promise<unknown> {
  const verdict = await consumer.verdictOn(recordOf(sent));
  return verdict.action === 'handle' ? verdict.event.payload : verdict;
}

describe('a record that is itself the payload', () => {
  it('leaves fields of its envelope out of the payload unless the schema names them', async () => {
    const consumer = consumerOf();
    expect(await payloadOf(consumer, created)).toEqual(accountCreated.payload);
    expect(await payloadOf(consumer, created)).toEqual(accountCreated.payload);
    expect(await payloadOf(consumer, changed)).toEqual(changedPayload);
    expect(await consumer.verdictOn(recordOf(created))).toMatchObject({ event: { id: 'x-1', occurredAt } });
  });

  it('leaves them out for a second consumer of the same catalogue', async () => {
    for (const consumer of [consumerOf(), consumerOf()])
      expect(await payloadOf(consumer, created)).toEqual(accountCreated.payload);
  });

  it('keeps all other fields in the payload', async () => {
    const consumer = consumerOf({ strict: true });
    const other = recordOf(created.replace('{', '{"surprise":1,'));
    expect(await consumer.verdictOn(other)).toMatchObject({ reason: 'invalid' });
    expect(await consumer.verdictOn(recordOf(created))).toMatchObject({ action: 'handle' });
  });

  it('leaves them out of a payload that is a member of the value', async () => {
    const within = { type: '/data/event_type', version: '/data/meta/v', payload: '/data' };
    const consumer = consumerOf({ envelope: envelopeAtPaths(within), strict: true });
    const { id: _, occurred_at: __, ...rest } = JSON.parse(created) as Record<string, unknown>;
    const sent = JSON.stringify({ data: rest, trace: 'x-2' });
    expect(await payloadOf(consumer, sent)).toEqual(accountCreated.payload);
  });

  it('leaves them out of the payload that an upcast gets', async () => {
    const next = { ...tariffChanged, $id: 'tariff.changed-v2', 'x-event-version': 'v2' };
    const consumer = createConsumer({
      catalogue: openCatalogue({ events: [tariffChanged, next] }),
      envelope: envelopeAtPaths(paths),
      logger: silentLogger,
    });
    consumer.upcast('tariff.changed' as never, 'v1' as never, 'v2' as never, (payload) => payload);
    consumer.on('tariff.changed' as never, 'v2' as never, () => undefined);
    expect(await consumer.verdictOn(recordOf(changed))).toMatchObject({ action: 'handle' });
  });

  it('keeps the fields of the payload when it is sent', () => {
    const { encode } = envelopeAtPaths(paths);
    const event = { type: 'tariff.changed', version: 'v1', id: 'x-1', occurrenceId: 'x-0', occurredAt };
    const { value } = encode({ ...event, payload: { id: 7 } });
    const { id: _, ...rest } = fields('tariff.changed');
    expect(JSON.parse(value as string)).toEqual({ ...rest, id: 7 });
  });

  it('reaches the handlers of a running consumer from Kafka', async () => {
    const { brokers, topic, send } = await consumedTopic();
    await send(...[created, changed].map((value) => ({ key: 'A-1', value, headers: {} })));
    const consumer = createConsumer({
      catalogue,
      envelope: envelopeAtPaths(paths),
      logger: silentLogger,
      strict: true,
      policies: { invalidEvents: 'fail' },
    });
    const handled: unknown[] = [];
    const both = new Promise<void>((resolve) =>
      consumer.onMatching('*', ({ type, payload }) => {
        if (handled.push([type, payload]) === 2) resolve();
      }),
    );
    const running = await consumer.run(
      kafka({ brokers: [brokers], groupId: 'flat', topics: [topic], fromBeginning: true }),
    );
    onTestFinished(() => running.stop());
    await Promise.race([both, running.finished]);
    expect(handled).toEqual([
      ['account.created', accountCreated.payload],
      ['tariff.changed', changedPayload],
    ]);
  });
});
