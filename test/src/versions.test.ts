import {
  type Consumer,
  type ConsumerOptions,
  createConsumer,
  on,
  openCatalogue,
  run,
  upcast,
  type Verdict,
} from 'busbar';
import { memory } from 'busbar/internal/memory';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { counts } from '../catalogue/counts.js';
import { logLines } from './log-lines.js';
import {
  accountCreated,
  documentIssuedV1,
  documentIssuedV2,
  envelope,
  headersOf,
  recordOf,
} from './records.js';

const catalogue = openCatalogue();
const dispatched = 'billing.billing_document_representation.dispatched';
const v1 = { account_number: 'A-5EC7E7', billing_document_id: 7, billing_document_identifier: 'INV-7' };
const v2 = {
  ...v1,
  billing_document_representation_dispatch_id: 1,
  billing_document_representations_id: [2],
};

const record = (version: string, payload: unknown, type = dispatched) => {
  const event = { type, version, payload };
  return recordOf(envelope(event), headersOf(event));
};

/** A consumer that makes v2 of v1, v3 of v2, and handles v3. */
function climbing(options: ConsumerOptions = {}) {
  const consumer = createConsumer({ catalogue, logger: logLines(), ...options });
  consumer.upcast(dispatched, 'v1', 'v2', (payload) => ({ ...v2, ...payload }));
  consumer.upcast(dispatched, 'v2', 'v3', (payload, { version }) => ({
    ...payload,
    support_user_id: Number(version.slice(1)),
  }));
  consumer.on(dispatched, 'v3', () => undefined);
  return consumer;
}

const outcome = (verdict: Verdict) => (verdict.action === 'handle' ? verdict.event.version : verdict.reason);

describe('an upcast', () => {
  it('converts step by step up to a version with a handler; the record stays', async () => {
    const sent = record('v1', v1);
    const consumer = climbing();
    const verdict = await consumer.verdictOn(sent);
    expect(verdict).toMatchObject({
      action: 'handle',
      event: { type: dispatched, version: 'v3', upcastFrom: 'v1', payload: { ...v2, support_user_id: 2 } },
      registration: { name: `${dispatched}-v3` },
    });
    expect(verdict.action === 'handle' && verdict.event.record).toBe(sent);
    expect(await consumer.verdictOn(record('v2', v2))).toMatchObject({
      event: { version: 'v3', upcastFrom: 'v2' },
    });
    const latest = await consumer.verdictOn(record('v3', { ...v2, support_user_id: 9 }));
    expect(latest).toMatchObject({ action: 'handle', event: { version: 'v3' } });
    expect(latest.action === 'handle' && 'upcastFrom' in latest.event).toBe(false);
  });

  it('does not run for a version with a handler, and precedes patterns', async () => {
    const consumer = climbing();
    consumer.on(dispatched, 'v1', () => undefined);
    consumer.onMatching('billing.*', () => undefined);
    expect(outcome(await consumer.verdictOn(record('v1', v1)))).toBe('v1');
    expect(outcome(await consumer.verdictOn(record('v2', v2)))).toBe('v3');
  });

  it.each<[string, () => unknown, string]>([
    [
      'throws',
      () => {
        throw new TypeError('A-5EC7E7');
      },
      'failed with TypeError.',
    ],
    [
      'gives what does not match',
      () => ({ account_number: 'A-5EC7E7' }),
      'returned a payload that does not match',
    ],
    ['gives a promise', () => Promise.resolve(v2), 'returned a payload that does not match'],
  ])('makes the event invalid with upcast-failed when it %s', async (_, convert, message) => {
    const consumer = createConsumer({ catalogue, logger: logLines() });
    consumer.upcast(dispatched, 'v1', 'v2', convert as never);
    consumer.on(dispatched, 'v2', () => undefined);
    const verdict = await consumer.verdictOn(record('v1', v1));
    expect(verdict).toMatchObject({
      action: 'dead-letter',
      reason: 'invalid',
      event: { version: 'v1' },
      error: { code: 'upcast-failed' },
    });
    if (verdict.action !== 'dead-letter') return;
    expect(verdict.error.message).toContain(`"${dispatched}" from "v1" to "v2" ${message}`);
    expect(verdict.error.message).not.toContain('A-5EC7E7');
  });

  it('does not run for a payload that is invalid in its own version', async () => {
    const verdict = await climbing().verdictOn(record('v1', { account_number: 7 }));
    expect(verdict).toMatchObject({ reason: 'invalid', error: { code: 'invalid-event' } });
  });

  it('rejects a second step, a cycle, and unknown names', () => {
    const consumer = climbing();
    const keep = (payload: unknown) => payload as never;
    expect(() => consumer.upcast(dispatched, 'v1', 'v3', keep)).toThrow(
      'an upcast from "v1" to "v2" already exists',
    );
    expect(() => consumer.upcast(dispatched, 'v3', 'v1', keep)).toThrow('"v3" -> "v1" -> "v2" -> "v3"');
    expect(() => consumer.upcast(dispatched, 'v3', 'v3', keep)).toThrow('"v3" -> "v3"');
    expect(() => consumer.upcast(dispatched, 'v9' as 'v1', 'v2', keep)).toThrow('has no version "v9"');
  });

  it('validates names of the default consumer at run()', async () => {
    on('account.created', 'v1', () => undefined);
    upcast(dispatched, 'v9' as 'v1', 'v2', () => v2);
    await expect(run(memory(), { logger: logLines() })).rejects.toMatchObject({ code: 'unknown-version' });
  });
});

describe('preferLatest', () => {
  const handling = (options: ConsumerOptions, define: (consumer: Consumer) => void) => {
    const consumer = createConsumer({ catalogue, logger: logLines(), ...options });
    define(consumer);
    return consumer;
  };
  const both = (consumer: Consumer) =>
    consumer.on(documentIssuedV1.type as never, ['v1', 'v2'] as never, () => undefined);
  const issued = async (consumer: Consumer) =>
    Promise.all(
      [documentIssuedV1, documentIssuedV2].map(async (event) =>
        outcome(await consumer.verdictOn(recordOf(envelope(event), headersOf(event)))),
      ),
    );

  it('skips the lower of two handled versions, in any order of arrival', async () => {
    const consumer = handling({ preferLatest: true }, both);
    expect(await issued(consumer)).toEqual(['superseded', 'v2']);
    expect(outcome(await consumer.verdictOn(recordOf(envelope(documentIssuedV1))))).toBe('superseded');
    expect(await issued(handling({}, both))).toEqual(['v1', 'v2']);
  });

  it('skips nothing below a version that is unpublished or unhandled', async () => {
    const published = ['billing.billing_document.issued-v1'];
    expect(await issued(handling({ preferLatest: { published } }, both))).toEqual(['v1', 'v2']);
    const older = (consumer: Consumer) =>
      consumer.on(documentIssuedV1.type as never, 'v1' as never, () => undefined);
    expect(await issued(handling({ preferLatest: true }, older))).toEqual(['v1', 'unhandled']);
  });

  it('accepts a catalogue as published, and rejects an unknown name', async () => {
    expect(await issued(handling({ preferLatest: { published: catalogue } }, both))).toEqual([
      'superseded',
      'v2',
    ]);
    const wrong = handling({ preferLatest: { published: ['billing.billing_document.issued-v3'] } }, both);
    expect(() => wrong.verdictOn(record('v1', v1))).toThrow('no event "billing.billing_document.issued-v3"');
  });

  it('counts a version with an upcast as handled', async () => {
    const all = climbing({ preferLatest: true });
    expect(outcome(await all.verdictOn(record('v1', v1)))).toBe('superseded');
    const early = climbing({ preferLatest: { published: [`${dispatched}-v1`] } });
    expect(outcome(await early.verdictOn(record('v1', v1)))).toBe('v3');
  });

  it('orders versions by the catalogue, not alphabetically', async () => {
    const versions = ['v1', 'v2', 'v10', '1.0.0'];
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(versions, { minLength: 1 }), async (order) => {
        const own = openCatalogue({
          events: order.map((version) => ({
            $id: `tariff.changed-${version}`,
            'x-event-type': 'tariff.changed',
            'x-event-version': version,
            description: 'A tariff changed.',
            type: 'object',
          })),
        });
        const consumer = createConsumer({ catalogue: own, preferLatest: true, logger: logLines() });
        consumer.onMatching('tariff.*', () => undefined);
        const known = own.versionsOf('tariff.changed');
        const outcomes = await Promise.all(
          known.map(async (version) =>
            outcome(await consumer.verdictOn(record(version, {}, 'tariff.changed'))),
          ),
        );
        expect(outcomes).toEqual([...known.slice(1).map(() => 'superseded'), known.at(-1)]);
      }),
      { numRuns: 20 },
    );
  });

  it('counts superseded events, and logs them at the start', async () => {
    const logger = logLines();
    const consumer = createConsumer({ catalogue, logger, preferLatest: true });
    both(consumer);
    consumer.on(dispatched, 'v2', () => undefined, { name: 'post' });
    consumer.on('account.created', 'v1', () => undefined);
    const transport = memory({
      records: [documentIssuedV1, documentIssuedV2, accountCreated].map((event) => ({
        value: envelope(event),
      })),
    });
    transport.end();
    const running = await consumer.run(transport);
    await running.finished;
    expect(running.counts).toMatchObject({ handled: 2, skipped: { superseded: 1 } });
    const [line = '', ...others] = logger.starts;
    expect(others).toEqual([]);
    expect(JSON.parse(line.slice(line.indexOf('{')))).toEqual({
      handlers: [
        'billing.billing_document.issued-v1, billing.billing_document.issued-v2',
        'post',
        'account.created-v1',
      ],
      newer: [`${dispatched}-v3`],
      ignored: [`${dispatched}-v1`],
      superseded: ['billing.billing_document.issued-v1'],
      unhandledEvents: counts.versions - 6,
    });
  });
});
