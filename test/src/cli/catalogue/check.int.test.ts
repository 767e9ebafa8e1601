import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  cloudEventsEnvelope,
  type EnvelopeCodec,
  envelopeAtPaths,
  eventBridgeEnvelope,
  openEnvelope,
} from 'busbar';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../../command.js';
import { consumedTopic } from '../consumed-topic.js';
import { account } from '../../account-consumer.js';
import { accountCreated, type SentEvent } from '../../records.js';

const folder = mkdtempSync(join(tmpdir(), 'busbar-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function file(content: string | Buffer): string {
  const path = join(folder, `${++files}.json`);
  writeFileSync(path, content);
  return path;
}

const check = (...args: string[]) => run('busbar', ['catalogue', 'check', ...args]);
async function checkJson(content: string | Buffer, ...args: string[]) {
  const { stdout, stderr, code } = await check(file(content), '--json', ...args);
  expect(stderr).toBe('');
  return { ...(JSON.parse(stdout) as Report), code };
}

interface Report {
  records: number;
  envelope?: { name: string; setting: unknown };
  problems: Record<string, number>;
  coverage: { seen: number; of: number };
  undecodable: object[];
  events: { event: string; records: number; findings: object[]; optional: object[]; keys: object }[];
}

const about = { id: 'x-1', occurrenceId: 'x-0', occurredAt: '2026-03-01T00:00:00.000Z' };
function line(event: Partial<SentEvent> = {}, more: Partial<typeof about> = {}): string {
  const payload = event.payload ?? accountCreated.payload;
  return eventBridgeEnvelope().encode({ ...accountCreated, ...event, payload, ...about, ...more }).value;
}

/** A record with headers and key, as a recording has it. */
function record(codec: EnvelopeCodec, key: string | null = null): string {
  const { value, headers } = codec.encode!({ ...accountCreated, ...about });
  return JSON.stringify({ key, headers, value });
}

describe('busbar catalogue check', () => {
  it.each([
    ['busbar', "Busbar's own"],
    ['cloudevents', 'CloudEvents'],
    ['cloudevents-binary', 'CloudEvents'],
    ['eventbridge', 'EventBridge'],
  ])('recognises the envelope %s', async (name, title) => {
    const report = await checkJson(`${record(await openEnvelope(name))}\n`);
    expect(report).toMatchObject({ records: 1, envelope: { name: title }, coverage: { seen: 1 }, code: 0 });
    expect(Object.values(report.problems).every((count) => count === 0)).toBe(true);
  });

  it('recognises a structured CloudEvent without headers', async () => {
    const { value } = cloudEventsEnvelope().encode({ ...accountCreated, ...about });
    expect(await checkJson(value as string)).toMatchObject({ envelope: { setting: 'cloudevents' } });
    const configured = await checkJson(value as string, '--envelope', 'cloudevents');
    expect(configured).toMatchObject({ problems: { undecodable: 0 } });
  });

  it.each([
    { type: 'header:event', version: 'header:v', payload: '' },
    { type: '/name', payload: '/data', id: '/meta/event_id', occurredAt: '/meta/time' },
    { type: '/meta/type', version: '/meta/version', payload: '/body', id: 'header:id' },
  ])('finds the paths of an envelope of its own: %j', async (paths) => {
    const report = await checkJson(record(envelopeAtPaths(paths)));
    expect(report).toMatchObject({ envelope: { setting: paths }, coverage: { seen: 1 } });
  });

  it.each([
    [{ tenant_id: 'acme', trace_id: 't-1', event_id: 'e-' }, { id: '/meta/event_id' }],
    [{ tenant_id: 'acme', id: 'acme' }, {}],
    [
      { expires_at: '2030-01-01T00:00:00Z', created_at: about.occurredAt, occurred_at: about.occurredAt },
      { occurredAt: '/meta/occurred_at' },
    ],
  ])('takes no other id and no other time for those of the event: %j', async (more, found) => {
    const lines = Array.from({ length: 4 }, (_, n) => {
      const meta = { type: 'account.created-v1', ...more };
      const unique = 'event_id' in meta ? { ...meta, event_id: `e-${n}` } : meta;
      return JSON.stringify({ meta: unique, data: accountCreated.payload });
    });
    const setting = { type: '/meta/type', payload: '/data', ...found };
    expect((await checkJson(lines.join('\n'))).envelope?.setting).toEqual(setting);
  });

  it('reads lines that are not JSON with a codec for them', async () => {
    const codec = join(folder, 'prefixed.mjs');
    const decode = `({ value }) => {
      const [type, ...rest] = Buffer.from(value).toString().split(' ');
      return { type, version: 'v1', payload: JSON.parse(rest.join(' ')) };
    }`;
    writeFileSync(codec, `export const envelope = { name: 'p', peek: () => undefined, decode: ${decode} };`);
    const sent = `account.created ${JSON.stringify(accountCreated.payload)}`;
    const report = await checkJson(`${sent}\n${sent}\n`, '--envelope', codec);
    expect(report).toMatchObject({ records: 2, coverage: { seen: 1 }, problems: { undecodable: 0 } });
  });

  it('names the class of the error that a codec throws, and not its message', async () => {
    const codec = join(folder, 'throwing.mjs');
    const decode = "() => { throw new TypeError('jane.doe@example.com'); }";
    writeFileSync(codec, `export const envelope = { name: 't', peek: () => undefined, decode: ${decode} };`);
    const { undecodable } = await checkJson(line(), '--envelope', codec);
    expect(undecodable).toEqual([
      { reason: 'The codec failed with TypeError.', count: 1, places: ['line 1'] },
    ]);
  });

  it('takes no id and no time from a payload that is the whole value', async () => {
    const payload = { charge_period: { start_at: about.occurredAt }, entry: { id: 7 }, id: 7 };
    const headers = { event: 'billing.charging.supply-point.triggered-v1' };
    const { envelope } = await checkJson(JSON.stringify({ headers, value: payload }));
    expect(envelope?.setting).toEqual({ type: 'header:event', payload: '' });
    const flat = { event: { name: headers.event, id: 'e-1' }, ...payload };
    expect((await checkJson(JSON.stringify(flat))).envelope?.setting).toEqual({
      type: '/event/name',
      payload: '',
      id: '/event/id',
    });
  });

  it('prints the configuration that reads the envelope', async () => {
    const { stdout } = await check(file(line()));
    expect(stdout).toContain("export default defineConfig({ envelope: 'eventbridge' });");
    expect(stdout).toContain('const consumer = createConsumer({ envelope: eventBridgeEnvelope() });');
  });

  it.each([
    ['lines', (lines: string[]) => lines.join('\n')],
    ['a list', (lines: string[]) => `[${lines.join(',')}]`],
    ['a list in each line', (lines: string[]) => lines.map((each) => `[${each}]`).join('\n')],
    ['a list over lines', (lines: string[]) => `[\n${lines.join(',\n')}\n]\n`],
    ['an indented object', ([first = '']: string[]) => JSON.stringify(JSON.parse(first), null, 2)],
    ['gzip', (lines: string[]) => gzipSync(lines.join('\n'))],
    ['lines of Windows', (lines: string[]) => `\uFEFF${lines.join('\r\n')}\r\n`],
    ['a document of Windows', (lines: string[]) => `\uFEFF[\r\n${lines.join(',\r\n')}\r\n]\r\n`],
    ['blank lines', (lines: string[]) => `\n${lines.join('\n\n')}\n\n`],
  ])('reads %s', async (_form, write) => {
    const report = await checkJson(write([line(), line({}, { id: 'x-2' })]));
    expect(report.events).toMatchObject([{ event: 'account.created-v1' }]);
  });

  it('reads what kcat -J prints, and a recording', async () => {
    const { value, headers } = (await openEnvelope('cloudevents-binary')).encode!({
      ...accountCreated,
      ...about,
    });
    const place = { topic: 't', partition: 0, offset: 3 };
    const kcat = { ...place, key: 'A-1B2C3D4E', headers: Object.entries(headers).flat(), payload: value };
    expect(await checkJson(JSON.stringify(kcat))).toMatchObject({
      envelope: { name: 'CloudEvents' },
      events: [{ keys: { equal: 1, different: 0 } }],
    });
    const recording = [
      '{"busbar-recording":1,"options":{},"catalogue":"","files":{}}',
      record(await openEnvelope('busbar'), 'A-OTHER'),
      '{"input":{"kind":"faults"}}',
    ];
    expect(await checkJson(recording.join('\n'))).toMatchObject({ records: 1, problems: { key: 1 } });
  });

  it.each([
    ['a message of SQS', (text: string) => ({ Messages: [{ ReceiptHandle: 'A', Body: text }] })],
    ['a call of Lambda by SQS', (text: string) => ({ Records: [{ receiptHandle: 'A', body: text }] })],
    ['a notification of SNS', (text: string) => ({ TopicArn: 'arn:aws:sns:x', Message: text })],
    ['a call of Lambda by SNS', (text: string) => ({ Records: [{ Sns: { TopicArn: 'x', Message: text } }] })],
    [
      'a notification of SNS in a message of SQS',
      (text: string) => [
        { ReceiptHandle: 'A', Body: JSON.stringify({ TopicArn: 'arn:aws:sns:x', Message: text }) },
      ],
    ],
  ])('reads the event in %s', async (_form, wrap) => {
    for (const space of [undefined, 2]) {
      const content = JSON.stringify(wrap(line()), null, space);
      expect(await checkJson(content)).toMatchObject({
        envelope: { setting: 'eventbridge' },
        records: 1,
        coverage: { seen: 1 },
      });
    }
  });

  it.each([
    ['headers', 'HEADERS\t', {}],
    ['headers and key', 'HEADERS\tA-1B2C3D4E\t', { equal: 1 }],
    ['time and headers', 'CreateTime:1795807777476\tHEADERS\t', {}],
    ['all', 'CreateTime:1795807777476\tPartition:2\tOffset:0\tHEADERS\tA-1B2C3D4E\t', { equal: 1 }],
  ])('reads the %s that kafka-console-consumer prints before a value', async (_parts, before, keys) => {
    const { value, headers } = (await openEnvelope('cloudevents-binary')).encode!({
      ...accountCreated,
      ...about,
    });
    const pairs = Object.entries(headers).map((pair) => pair.join(':'));
    const content = `${before.replace('HEADERS', pairs.join(','))}${value as string}\n`;
    const { envelope, events } = await checkJson(`${content}${before}null\nProcessed 2 messages\n`);
    expect(envelope).toMatchObject({ name: 'CloudEvents' });
    expect(events).toMatchObject([{ event: 'account.created-v1', records: 1, keys }]);
  });

  it('reads the key that kafka-console-consumer prints without headers', async () => {
    for (const before of ['', 'NO_HEADERS\t', 'NO_TIMESTAMP\tPartition:0\tNO_HEADERS\t'])
      expect(await checkJson(`${before}A-1B2C3D4E\t${line()}`)).toMatchObject({
        events: [{ event: 'account.created-v1', keys: { equal: 1 } }],
      });
  });

  it('reads headers that are a list of names and values', async () => {
    const { value, headers } = (await openEnvelope('cloudevents-binary')).encode!({
      ...accountCreated,
      ...about,
    });
    for (const name of ['key', 'name']) {
      const pairs = Object.entries(headers).map(([header, text]) => ({ [name]: header, value: text }));
      const report = await checkJson(JSON.stringify({ value, headers: pairs }));
      expect(report).toMatchObject({ envelope: { name: 'CloudEvents' }, coverage: { seen: 1 } });
    }
  });

  it('compares the key with an identifier at any depth of the payload', async () => {
    const schema = {
      'x-event-type': 'house_move.announced',
      'x-event-version': 'v1',
      'x-busbar-key': 'account',
      type: 'object',
      properties: { move: { $ref: '#/$defs/Move' } },
      $defs: {
        Move: {
          type: 'object',
          properties: { account: { type: 'object', properties: { number: { type: 'string' } } } },
        },
      },
    };
    const payload = { move: { account: { number: 'A-1' } } };
    const value = { id: 'x', event_type: 'house_move.announced', version: 'v1', payload };
    const lines = ['A-1', 'A-2', 'A-1'].map((key) => JSON.stringify({ key, headers: {}, value }));
    const { events } = await checkJson(lines.join('\n'), '--catalogue', file(JSON.stringify(schema)));
    expect(events).toMatchObject([{ keys: { equal: 2, different: 1 } }]);
  });

  it('compares a numeric id only with a key that is a number', async () => {
    const lines = (['U-1', 'U-2', '7', '8'] as const).flatMap((key) => {
      const removed = { user_id: 7, user_email: '', user_number: 'U-1', linked_accounts: [] };
      const payloads = { 'account_user.removed': removed, 'account_user.password_changed': { user_id: 7 } };
      return Object.entries(payloads).map(([type, payload]) =>
        JSON.stringify({
          key,
          headers: {},
          value: { id: key + type, event_type: type, version: 'v1', payload },
        }),
      );
    });
    const { events } = await checkJson(lines.join('\n'));
    expect(events.map(({ keys }) => keys)).toEqual([
      { equal: 1, different: 3 },
      { equal: 1, different: 1 },
    ]);
  });

  it('reports every difference with its number, and no value', async () => {
    const secret = 'jane.doe@example.com';
    const payloads = [
      { account_number: 7, account_user_emails: [secret, null], is_imported: null },
      { account_number: secret, brand: secret, [secret]: 1, 'A-1B2C3D4E': 2 },
      accountCreated.payload,
    ];
    const lines = [
      ...payloads.map((payload, n) => line({ payload }, { id: `${secret}-${n}` })),
      line({ type: 'account.vanished' }, { id: 'x-9' }),
      line({ type: secret }, { id: 'x-9', occurredAt: '2025-03-01T00:00:00.000Z' }),
      line({}, { id: 'x-10', occurredAt: '2025-03-01T00:00:00.000Z' }),
      '{"detail-type":7}',
    ];
    const report = await checkJson(lines.join('\n'));
    expect(report.problems).toEqual({
      undecodable: 1,
      'unknown-event': 2,
      missing: 1,
      extra: 2,
      retyped: 1,
      null: 2,
      invalid: 0,
      key: 0,
      duplicate: 1,
      disorder: 1,
    });
    const kind = (findings: object[]) => findings.map((each) => Object.values(each).slice(0, 3).join(' '));
    expect(kind(report.events[0]!.findings).sort()).toEqual([
      'extra /? 1',
      'extra /brand 1',
      'missing /account_user_emails 1',
      'null /account_user_emails/* 1',
      'null /is_imported 1',
      'retyped /account_number 1',
    ]);
    const { stdout } = await check(file(lines.join('\n')));
    expect(JSON.stringify(report) + stdout).not.toMatch(/jane|example|1B2C3D4E/);
    expect(stdout).toContain('account.vanished-v1');
  });

  it('counts a record that is not UTF-8 as undecodable, and reads those around it', async () => {
    const broken = Buffer.concat([Buffer.from('{"a": "'), Buffer.from([0xff]), Buffer.from('"}\n')]);
    const whole = Buffer.from(`${line({}, { id: 'Zürich' })}\n`);
    const { records, problems, events } = await checkJson(Buffer.concat([whole, whole, broken, whole]));
    expect({ records, undecodable: problems['undecodable'], duplicate: problems['duplicate'] }).toEqual({
      records: 4,
      undecodable: 1,
      duplicate: 2,
    });
    expect(events).toMatchObject([{ event: 'account.created-v1', records: 3 }]);
  });

  it.each([
    ['values', line()],
    ['records', record(eventBridgeEnvelope())],
    ['lists', `[${line()}]`],
  ])('counts and names broken lines among %s, and reads those around them', async (_form, whole) => {
    const lines = ['CONSUMER started', `{+`, whole, `${whole},`, whole, '', `+${whole}`];
    const { records, events, problems } = await checkJson(lines.join('\n'));
    expect({ records, undecodable: problems['undecodable'] }).toEqual({ records: 6, undecodable: 4 });
    expect(events).toMatchObject([{ event: 'account.created-v1', records: 2 }]);
    const { stdout } = await check(file(lines.join('\n')));
    expect(stdout).toMatch(/undecodable +4 +The value is not JSON\. +line 1, line 2, line 4, line 7\n/);
    expect(stdout).toContain('  undecodable  4  A record does not have the envelope.\n');
    expect((await check(file(lines.join('\n')), '--fail-on', 'undecodable')).code).toBe(1);
  });

  it('names the records of a document that have no envelope, at most five', async () => {
    const { undecodable } = await checkJson(`[\n${line()},\n${'{},\n'.repeat(6)}${line()}]`);
    const places = [2, 3, 4, 5, 6].map((number) => `record ${number}`);
    expect(undecodable).toEqual([{ reason: 'The value has no string "detail-type".', count: 6, places }]);
  });

  it('reads lines that are longer than a chunk of the file, and many that are shorter', async () => {
    const long = line({ payload: { ...(accountCreated.payload as object), unknown: 'ü'.repeat(200_000) } });
    const short = Array.from({ length: 3_000 }, () => line());
    const { records, problems } = await checkJson([...short, long, ...short, long].join('\n'));
    expect({ records, undecodable: problems['undecodable'], extra: problems['extra'] }).toEqual({
      records: 6_002,
      undecodable: 0,
      extra: 2,
    });
  });

  it('finds an unknown field in each of many records', async () => {
    const content = line({ payload: { ...(accountCreated.payload as object), brand: 'x' } });
    const report = await checkJson(`${line()}\n${`${content}\n`.repeat(999)}`);
    expect(report).toMatchObject({ records: 1000, problems: { extra: 999, missing: 0, retyped: 0 } });
  });

  it('names the versions of an event whose version is unknown', async () => {
    const ofType = (event: object) => JSON.stringify({ ...event, data: accountCreated.payload });
    for (const sent of [{ type: 'account.created', version: '1' }, { type: 'account.created' }]) {
      const { stdout } = await check(file(ofType(sent)));
      expect(stdout).toMatch(/account\.created(-1)? +1 +unknown version; the catalogue has v1\n/);
    }
  });

  it('names the event of the catalogue that is written another way', async () => {
    for (const type of ['AccountCreated', 'com.acme.account_created']) {
      const { stdout } = await check(file(line({ type, version: '1' })));
      expect(stdout).toMatch(
        new RegExp(`${type}-1 +1 +unknown event; the catalogue has account.created-v1\n`),
      );
    }
  });

  it('names as many unknown events as the catalogue has', async () => {
    const letters = Array.from({ length: 20 }, (_, n) => String.fromCharCode(97 + n));
    const types = letters.flatMap((one) => letters.map((other) => `own.${one}.${other}`));
    const { events } = await checkJson(types.map((type) => line({ type })).join('\n'));
    expect(events.map(({ event }) => event)).toEqual(types.map((type) => `${type}-v1`));
  });

  it('shows unknown events in camel case or with a slash, and no identifiers', async () => {
    const shown = [
      'AccountCreated',
      'accountCreated',
      'MTDReceived',
      'tariff/changed',
      'com.acme.AccountCreated',
    ];
    const hidden = ['A-1B2C3D4E', 'A1B2C3D4', 'Jane Doe', 'SMITH'];
    const { events } = await checkJson([...shown, ...hidden].map((type) => line({ type })).join('\n'));
    expect(events.map(({ event }) => event)).toEqual([...shown.map((type) => `${type}-v1`), '?']);
    const { envelope } = await checkJson('{"eventType":"AccountCreated","data":{}}');
    expect(envelope?.setting).toEqual({ type: '/eventType', payload: '/data' });
  });

  it('reads a record without a value as a tombstone, also as the first', async () => {
    const tombstone = JSON.stringify({ key: 'A-1', headers: {}, value: null });
    const { stdout } = await check(file([tombstone, record(await openEnvelope('busbar'))].join('\n')));
    expect(stdout).toContain('undecodable         1  The record has no value (a tombstone).  line 1\n');
    expect(stdout).toContain('account.created-v1  1  0\n');
  });

  it('sets the exit code for the problems of --fail-on', async () => {
    const content = line({ payload: { ...(accountCreated.payload as object), brand: 'x' } });
    expect((await checkJson(content, '--fail-on', 'missing,retyped')).code).toBe(0);
    expect((await checkJson(content, '--fail-on', 'missing,extra')).code).toBe(1);
    expect((await check(file(content), '--fail-on', 'mising')).stderr).toContain('Did you mean "missing"?');
  });

  it('writes schemas with which the records have no differences', async () => {
    const into = join(folder, 'proposed');
    const content = [
      line({ payload: { account_number: null, brand: { name: 'x' } } }),
      line({ type: 'account.vanished', payload: { list: [1, 'a', { b: null }] } }),
    ].join('\n');
    await checkJson(content, '--propose', into);
    expect(readdirSync(into).sort()).toEqual(['account.created-v1.json', 'account.vanished-v1.json']);
    const report = await checkJson(content, '--catalogue', into);
    expect(report).toMatchObject({ coverage: { seen: 2 }, problems: { 'unknown-event': 0, missing: 0 } });
    expect(report.events.flatMap(({ findings }) => findings)).toEqual([]);
    const before = readFileSync(join(into, 'account.created-v1.json'), 'utf8');
    const again = await check(file(content), '--propose', into);
    expect(again.stderr).toContain('account.created-v1.json" cannot be written: it exists.');
    expect(readFileSync(join(into, 'account.created-v1.json'), 'utf8')).toBe(before);
  });

  it('names the events for which it writes no schema, with the reason', async () => {
    const events = ['MeterReadSubmitted', 'A-1B2C3D4E'].map((name) =>
      JSON.stringify({ ...(JSON.parse(line()) as object), 'detail-type': name }),
    );
    const { stdout } = await check(file(events.join('\n')), '--propose', join(folder, 'none-written'));
    expect(stdout).toContain(
      '\nNot written: MeterReadSubmitted, ?. These names lack a version, or may be values. ',
    );
    expect(existsSync(join(folder, 'none-written'))).toBe(false);
  });

  it('leaves fields of the envelope out of a payload that is the whole value', async () => {
    const fields = { event_type: 'account.created', version: 'v1', id: 'x-1', occurred_at: about.occurredAt };
    const flat = { ...(accountCreated.payload as object), ...fields };
    const other = { ...flat, event_type: 'account.vanished', id: 'x-2' };
    const started = { ...flat, event_type: 'contracts.created', version: 'v1', id: 'x-3' };
    const envelope = { type: '/event_type', version: '/version', payload: '' };
    const content = [flat, other, started].map((each) => JSON.stringify(each)).join('\n');
    const into = join(folder, 'flat');
    const recognised = await checkJson(content, '--propose', into);
    const setting = { ...envelope, id: '/id', occurredAt: '/occurred_at' };
    expect(recognised.envelope?.setting).toEqual(setting);
    const extra = recognised.events.map(({ event, findings }) => [event, findings]);
    expect(extra).toMatchObject([
      ['account.created-v1', []],
      [
        'contracts.created-v1',
        expect.not.arrayContaining([{ kind: 'missing', pointer: '/occurred_at', count: 1 }]),
      ],
      ['account.vanished-v1', []],
    ]);
    expect(readdirSync(into).sort()).toEqual(['account.vanished-v1.json', 'contracts.created-v1.json']);
    const proposed = JSON.parse(readFileSync(join(into, 'account.vanished-v1.json'), 'utf8')) as object;
    expect(proposed).toMatchObject({ required: Object.keys(accountCreated.payload as object) });
    const config = file(JSON.stringify({ envelope: setting, catalogue: into }));
    const configured = await checkJson(content, '--config', config);
    expect(configured.events.flatMap(({ findings }) => findings)).toEqual([]);
  });

  it.each<[string, string | Buffer, RegExp]>([
    ['an empty file', '', /has no records\. Name one with a record\.\n$/],
    ['no envelope', '{"a":1}\n{"b":2}', /has no envelope that Busbar recognises\. Name the envelope with/],
    [
      'a manifest of npm',
      '{"name":"my-service","version":"0.1.0","scripts":{"test":"x"}}',
      /has no envelope that Busbar recognises\. Name the envelope with/,
    ],
    [
      'only broken lines',
      'id,type\n{"id"\n',
      /has no records in JSON\. Write one in each line, or name a module/,
    ],
    ['values of another format', '{"headers":{},"base64":"AAAAAAca"}', /has no records in JSON\. /],
    ['a broken document', '{\n"a": 1,\n}', /is not JSON in line 3\./],
    [
      'two documents',
      '{\n"a": 1\n}\n{\n"a": 2\n}\n',
      /has another JSON document in line 4\. Write one record in a line, for example with: jq -c \.\n$/,
    ],
    ['text', 'hello\nworld', /has no records in JSON\. /],
    ['a schema id before the JSON', `\0\0\0\0\u0005${line()}\n`, /has no records in JSON\. /],
    ['UTF-16', Buffer.from(`\uFEFF${line()}\n`, 'utf16le'), /is UTF-16 text\. Convert it to UTF-8\.\n$/],
    ['UTF-16 without its mark', Buffer.from(line(), 'utf16le'), /is UTF-16 text\. Convert it to UTF-8\.\n$/],
    [
      'truncated gzip',
      gzipSync(`${line()}\n`.repeat(9)).subarray(0, -12),
      /ends in the middle of gzip data, after line \d+\. Copy the file again\.\n$/,
    ],
  ])('rejects %s in one line, and writes nothing', async (_what, content, message) => {
    const into = join(folder, 'nothing');
    const { stdout, stderr, code } = await check(file(content), '--propose', into);
    expect(stderr).toMatch(message);
    expect(stderr.split('\n')).toHaveLength(2);
    expect({ stdout, code, isWritten: existsSync(into) }).toEqual({ stdout: '', code: 1, isWritten: false });
  });

  it('names the configuration file whose envelope is wrong', async () => {
    const config = file(JSON.stringify({ envelope: 7 }));
    const { stdout, stderr, code } = await check(file(line()), '--config', config);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr).toMatch(/^busbar: Configuration file ".*\.json": "envelope" must be a name \(.*\n$/);
  });

  it('reports that the folder for proposals is a file', async () => {
    const into = file('{}');
    const sent = line({ payload: { account_number: null } });
    const { stderr, code } = await check(file(sent), '--propose', into);
    expect(stderr).toContain('cannot be written: its folder is a file. Name another folder with --propose.');
    expect(code).toBe(1);
  });

  it('rejects an empty file also if its envelope is known', async () => {
    const { stderr, code } = await check(file('\n'), '--envelope', 'eventbridge');
    expect(stderr).toMatch(/has no records\. Name one with a record\.\n$/);
    expect(code).toBe(1);
  });

  it('rejects a file that does not exist, a folder, and a source that is not one', async () => {
    expect((await check(folder)).stderr).toContain('cannot be read: it is a folder.');
    expect(await check(join(folder, 'none'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('none" cannot be read: ENOENT.'),
    });
    expect((await check()).stderr).toContain('Name either a file, or a topic with --brokers and --topic.');
    expect(await check(file(line()), '--max', '5')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"--max" needs a --topic. A file is read to its end.'),
    });
  });

  it('reads a file, or else the only topic of the configuration file', async () => {
    const { brokers, topic, send } = await consumedTopic();
    await send(account('A-1'), account('A-2'));
    const config = file(JSON.stringify({ kafka: { brokers: [brokers] }, topics: [topic] }));
    expect(await checkJson(line(), '--config', config)).toMatchObject({ records: 1 });
    const { stdout } = await check('--config', config, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ records: 2 });
    const both = await check(file(line()), '--config', config, '--topic', topic);
    expect(both.stderr).toContain('Name either a file, or a topic with --brokers and --topic.');
  });

  it('reads the newest records of a topic', async () => {
    const { topic, send, busbar } = await consumedTopic();
    await send(...Array.from({ length: 20 }, (_, n) => account(`A-${n}`)));
    const { stdout } = await busbar('catalogue', 'check', '--topic', topic, '--json', '--max', '6');
    expect(JSON.parse(stdout)).toMatchObject({ records: 6, coverage: { seen: 1 } });
    const missing = await busbar('catalogue', 'check', '--topic', 'none');
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toContain('Kafka has no topic "none". Check the name in --topic.');
  });
});
