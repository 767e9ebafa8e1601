import {
  type CloudEventsOptions,
  cloudEventsEnvelope,
  createConsumer,
  type HeaderInput,
  openCatalogue,
  type Verdict,
} from 'busbar';
import { CloudEvent, Kafka } from 'cloudevents';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logLines } from '../log-lines.js';
import { accountCreated, recordOf } from '../records.js';
import { cases } from '../../cases.js';

const catalogue = openCatalogue();
const secret = 'A-5EC7E7';

/** Returns the record that the SDK of CloudEvents makes of an event. */
function sentBySdk(event: CloudEvent<unknown>, mode: 'structured' | 'binary') {
  const { headers, value } = mode === 'binary' ? Kafka.binary(event) : Kafka.structured(event);
  const given = Object.entries(headers as Record<string, unknown>)
    .filter(([, text]) => text !== undefined)
    .map(([name, text]): [string, string] => [name, String(text)]);
  return recordOf(typeof value === 'string' ? value : JSON.stringify(value), given);
}

const accountEvent = (overrides: object = {}, version: object = { eventversion: 'v1' }) =>
  new CloudEvent({
    id: '018f3c2e-0000-7000-8000-000000000001',
    source: '/platform',
    type: accountCreated.type,
    ...version,
    time: '2026-03-01T00:00:00.000Z',
    datacontenttype: 'application/json',
    data: accountCreated.payload,
    ...overrides,
  });

function consumerOf(options?: CloudEventsOptions) {
  const consumer = createConsumer({
    catalogue,
    envelope: cloudEventsEnvelope(options),
    logger: logLines(),
  });
  consumer.on('account.created', 'v1', () => undefined);
  return consumer;
}

const handled = {
  action: 'handle',
  event: {
    id: '018f3c2e-0000-7000-8000-000000000001',
    type: 'account.created',
    version: 'v1',
    occurredAt: '2026-03-01T00:00:00.000Z',
    payload: accountCreated.payload,
  },
};

describe.each(['structured', 'binary'] as const)('a %s CloudEvent of the SDK', (mode) => {
  it('decodes in its own mode and with "either"', async () => {
    for (const options of [{}, { mode }, { mode: 'either' as const }]) {
      expect(await consumerOf(options).verdictOn(sentBySdk(accountEvent(), mode))).toMatchObject(handled);
    }
    const other = mode === 'binary' ? 'structured' : 'binary';
    expect(await consumerOf({ mode: other }).verdictOn(sentBySdk(accountEvent(), mode))).toMatchObject({
      reason: 'undecodable',
    });
  });

  it('reads the version from another attribute, or from a catalogue name', async () => {
    const named = accountEvent({}, { schemaversion: 'v1' });
    expect(
      await consumerOf({ versionAttribute: 'schemaversion' }).verdictOn(sentBySdk(named, mode)),
    ).toMatchObject(handled);
    const whole = accountEvent({ type: 'account.created-v1' }, {});
    expect(await consumerOf().verdictOn(sentBySdk(whole, mode))).toMatchObject(handled);
    const unknown = accountEvent({ type: 'account.created-v7' }, {});
    expect(await consumerOf().verdictOn(sentBySdk(unknown, mode))).toEqual({
      action: 'skip',
      reason: 'unknown',
    });
  });

  it('returns the attributes and data of the event', () => {
    const codec = cloudEventsEnvelope();
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(text, fc.webPath(), fc.jsonValue({ maxDepth: 4 }), (id, path, value) => {
        const source = `/platform${path}`;
        const data = { value };
        const record = sentBySdk(accountEvent({ id, source, data }), mode);
        expect(codec.decode(record, codec.peek(record, catalogue), catalogue)).toEqual({
          id,
          type: 'account.created',
          version: 'v1',
          occurredAt: '2026-03-01T00:00:00.000Z',
          payload: JSON.parse(JSON.stringify(data)),
        });
      }),
      { numRuns: cases(25, 100) },
    );
  });
});

describe('a binary CloudEvent', () => {
  it('needs only its headers to be skipped without a handler', async () => {
    const headers = { ce_type: 'account.updated', ce_eventversion: 'v1' };
    expect(await consumerOf().verdictOn(recordOf('no JSON', headers))).toEqual({
      action: 'skip',
      reason: 'unhandled',
    });
  });
});

describe('a structured CloudEvent', () => {
  it.each([{}, { 'content-type': 'application/json' }])(
    'decodes without its content type: %j',
    async (headers) => {
      const record = recordOf(JSON.stringify(accountEvent()), headers);
      expect(await consumerOf().verdictOn(record)).toMatchObject(handled);
      expect(await consumerOf({ mode: 'structured' }).verdictOn(record)).toMatchObject(handled);
      expect(await consumerOf({ mode: 'binary' }).verdictOn(record)).toMatchObject({ reason: 'undecodable' });
    },
  );

  it('decodes data in base64', async () => {
    const { data: _, ...rest } = accountEvent().toJSON();
    const encoded = Buffer.from(JSON.stringify(accountCreated.payload)).toString('base64');
    const record = recordOf(JSON.stringify({ ...rest, data_base64: encoded }), {
      'content-type': 'application/cloudevents+json; charset=utf-8',
    });
    expect(await consumerOf().verdictOn(record)).toMatchObject(handled);
  });
});

describe('a record that isn’t a CloudEvent', () => {
  const attributes = { ce_specversion: '1.0', ce_id: 'a', ce_source: '/p', ce_type: 'account.created-v1' };
  const json = JSON.stringify(accountCreated.payload);
  const structured = { 'content-type': 'application/cloudevents+json' };
  const body = { specversion: '1.0', id: 'a', source: '/p', type: 'account.created-v1' };
  const value = (members: object) => JSON.stringify({ ...body, data: {}, ...members });
  const deep = '['.repeat(5000) + ']'.repeat(5000);

  it.each<[string, HeaderInput, string | null, string]>([
    ['no attributes', {}, json, 'The value has no string "specversion".'],
    [
      'another specification',
      { ...attributes, ce_specversion: '0.3' },
      json,
      'another "ce_specversion" than "1.0"',
    ],
    ['no source', { ...attributes, ce_source: '' }, json, 'The headers have no string "ce_source".'],
    ['no type', { ...attributes, ce_type: '' }, json, 'The headers have no string "ce_type".'],
    [
      'a header twice',
      [...Object.entries(attributes), ['ce_id', secret]],
      json,
      'The header "ce_id" occurs more than once.',
    ],
    [
      'a header that is not text',
      { ...attributes, ce_id: Buffer.from([0xff]) },
      json,
      '"ce_id" is not UTF-8 text',
    ],
    ['a tombstone', attributes, null, 'The record has no value (a tombstone).'],
    [
      'data of another format',
      { ...attributes, 'content-type': 'text/xml' },
      '<a/>',
      'a format other than JSON',
    ],
    ['data that is nested too deep', attributes, deep, 'nested deeper than 1000 levels'],
    ['a batch', { 'content-type': 'application/cloudevents-batch+json' }, '[]', 'or a batch'],
    [
      'another event format',
      { 'content-type': 'application/cloudevents+avro' },
      'x',
      'a format other than JSON',
    ],
    ['a value that is not an object', structured, `["${secret}"]`, 'not an object'],
    ['an id that is not text', structured, value({ id: 5 }), 'The value has a "id" that is not text.'],
    [
      'a version that is not text',
      structured,
      value({ eventversion: [secret] }),
      '"eventversion" that is not text',
    ],
    ['a time that is not text', structured, value({ time: {} }), 'The value has a "time" that is not text.'],
    ['no data', structured, JSON.stringify(body), 'The value has no "data".'],
    ['data twice', structured, value({ data_base64: 'e30=' }), 'both "data" and "data_base64"'],
    ['false base64', structured, JSON.stringify({ ...body, data_base64: '?' }), 'not base64'],
    ['inherited attributes', structured, '{"__proto__":{"specversion":"1.0"}}', 'no string "specversion"'],
    [
      'headers that name another event',
      { ...structured, ce_type: 'account.created-v1' },
      value({ type: 'account.updated-v1' }),
      'The headers name "account.created" "v1", but the value "account.updated" "v1".',
    ],
  ])('counts as undecodable: %s', async (_, headers, given, message) => {
    const verdict: Verdict = await consumerOf().verdictOn(recordOf(given, headers));
    expect(verdict).toMatchObject({ action: 'dead-letter', reason: 'undecodable' });
    if (verdict.action !== 'dead-letter') return;
    expect(verdict.error.message).toContain(message);
    expect(verdict.error.message).not.toContain(secret);
  });

  it('always yields a verdict, for random content', async () => {
    const consumer = consumerOf();
    const name = fc.constantFrom(
      ...Object.keys(attributes),
      'ce_time',
      'ce_eventversion',
      'content-type',
      'x',
    );
    const text = fc.constantFrom(
      '1.0',
      'account.created',
      'v1',
      '',
      structured['content-type'],
      'text/json',
      '\ud800',
    );
    const headers = fc.array(fc.tuple(name, fc.oneof(text, fc.uint8Array({ maxLength: 9 }))), {
      maxLength: 8,
    });
    const values = fc.oneof(
      fc.json(),
      fc.string(),
      fc.constant(null),
      fc.jsonValue().map((each) => value({ data: each, type: each })),
    );
    await fc.assert(
      fc.asyncProperty(headers, values, async (given, sent) => {
        const verdict = await consumer.verdictOn(recordOf(sent, given));
        expect(['handle', 'skip', 'dead-letter']).toContain(verdict.action);
        if (verdict.action === 'dead-letter') expect(verdict.error.message).not.toContain('failed with');
      }),
    );
  });
});

describe('the options', () => {
  it('reject invalid values', () => {
    expect(() => cloudEventsEnvelope({ mode: 'batch' as never })).toThrow('"mode" must be');
    expect(() => cloudEventsEnvelope({ versionAttribute: 'Event-Version' })).toThrow(
      '"versionAttribute" must be a CloudEvents attribute',
    );
  });
});
