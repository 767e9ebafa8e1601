import {
  cloudEventsEnvelope,
  type ConsumerOptions,
  createConsumer,
  openCatalogue,
  type Policies,
  type Problem,
  type Verdict,
} from 'busbar';
import { memory } from 'busbar/internal/memory';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logLines } from './log-lines.js';
import {
  accountCreated,
  documentIssuedV1,
  envelope,
  headersOf,
  leaveCompleted,
  recordOf,
  type SentEvent,
} from './records.js';

const catalogue = openCatalogue();
const secret = 'A-5EC7E7';
const position = '(topic "platform.events", partition 0, offset 17)';

function consumerOf(options: ConsumerOptions = {}) {
  const log = logLines();
  const consumer = createConsumer({ catalogue, logger: log, ...options });
  consumer.on('account.created', 'v1', () => undefined);
  return { consumer, log };
}

/** A sent event that no record of the catalogue's handlers matches. */
const unheardOf: SentEvent = { type: 'account.vanished', version: 'v1', payload: {} };
const invalid: SentEvent = {
  ...accountCreated,
  payload: { account_number: 7, account_user_emails: [secret, null] },
};

const sent = (event: SentEvent, headers = headersOf(event)) => recordOf(envelope(event), headers);

describe('dispatch', () => {
  it('returns the event as its handler receives it', async () => {
    const { consumer } = consumerOf();
    const record = sent(accountCreated);
    const verdict = await consumer.verdictOn(record);
    expect(verdict).toEqual({
      action: 'handle',
      registration: expect.objectContaining({ name: 'account.created-v1' }),
      event: {
        id: '018f3c2e-0000-7000-8000-000000000001',
        type: 'account.created',
        version: 'v1',
        occurredAt: '2026-03-01T00:00:00.000Z',
        payload: accountCreated.payload,
        record,
      },
    });
  });

  it('returns synchronously when the validator is loaded, with or without headers', async () => {
    const { consumer } = consumerOf();
    await consumer.verdictOn(sent(accountCreated));
    for (const headers of [headersOf(accountCreated), {}, { 'event-type': 'account.created' }]) {
      expect(consumer.verdictOn(sent(accountCreated, headers))).toMatchObject({ action: 'handle' });
    }
  });

  it('skips an event without a handler by its headers alone', () => {
    const { consumer, log } = consumerOf();
    for (const value of [envelope(leaveCompleted), 'not JSON', '', null]) {
      expect(consumer.verdictOn(recordOf(value, headersOf(leaveCompleted)))).toEqual({
        action: 'skip',
        reason: 'unhandled',
      });
    }
    expect(consumer.verdictOn(sent(leaveCompleted, {}))).toEqual({ action: 'skip', reason: 'unhandled' });
    expect(log.lines).toEqual([]);
  });

  it('returns synchronously for a validator that another consumer has loaded', async () => {
    const shared = openCatalogue();
    await consumerOf({ catalogue: shared }).consumer.verdictOn(sent(accountCreated));
    expect(consumerOf({ catalogue: shared }).consumer.verdictOn(sent(accountCreated))).toMatchObject({
      action: 'handle',
    });
  });

  it('skips a superseded version by its headers alone', () => {
    const consumer = createConsumer({ catalogue, preferLatest: true });
    consumer.on('billing.billing_document.issued', ['v1', 'v2'] as never, () => undefined);
    expect(consumer.verdictOn(recordOf('not JSON', headersOf(documentIssuedV1)))).toEqual({
      action: 'skip',
      reason: 'superseded',
    });
  });

  it('returns the same verdict whether headers or the value name the event', async () => {
    const { consumer } = consumerOf();
    const verdictOn = async (event: SentEvent, headers: Record<string, string>) => {
      const verdict = await consumer.verdictOn(sent(event, headers));
      return verdict.action === 'handle' ? 'handle' : verdict.reason;
    };
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (payload) => {
        const event = { ...accountCreated, payload };
        expect(await verdictOn(event, headersOf(event))).toBe(await verdictOn(event, {}));
      }),
      { numRuns: 50 },
    );
  });
});

describe('a consumer that starts', () => {
  it('loads the validators of the events with a handler of their own', async () => {
    const loading = openCatalogue();
    const { consumer } = consumerOf({ catalogue: loading });
    consumer.onMatching('billing.*', () => undefined);
    const running = await consumer.run(memory());
    const isLoaded = (type: string, version: string) =>
      loading.loadedValidator(loading.find(type, version)!) !== undefined;
    expect(isLoaded('account.created', 'v1')).toBe(true);
    expect(isLoaded(documentIssuedV1.type, 'v1')).toBe(false);
    await running.stop();
  });
});

describe('an undecodable record', () => {
  const cases: Record<string, [value: string | Uint8Array | null, message: string]> = {
    'a tombstone': [null, 'The record has no value (a tombstone).'],
    'an empty value': ['', 'The value is empty.'],
    'text that is not JSON': [`{"event_type": ${secret}`, 'The value is not JSON'],
    'JSON that breaks off': ['{"event_type":"account.created"', 'The value is not JSON'],
    'bytes that are not UTF-8': [
      Buffer.from(envelope(accountCreated), 'latin1').fill(0xff, 80, 82),
      'The value is not UTF-8 text.',
    ],
    'JSON that is not an object': [`["${secret}"]`, 'The value is JSON, but not an object.'],
    'JSON null': ['null', 'The value is JSON, but not an object.'],
    'no event type': [
      `{"version":"v1","payload":{"account_number":"${secret}"}}`,
      'The value has no string "event_type".',
    ],
    'an event type that is not text': [
      '{"event_type":7,"version":"v1","payload":{}}',
      'The value has no string "event_type".',
    ],
    'no version': ['{"event_type":"account.created","payload":{}}', 'The value has no string "version".'],
    'no payload': ['{"event_type":"account.created","version":"v1"}', 'The value has no "payload".'],
    'an id that is not text': [
      '{"id":1,"event_type":"account.created","version":"v1","payload":{}}',
      'The value has an "id" that is not text.',
    ],
    'nesting of 100,000 levels': [
      `{"event_type":"account.created","version":"v1","payload":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      'The value is nested deeper than 1000 levels.',
    ],
  };

  it.each(Object.entries(cases))(
    'becomes a dead letter with a clear error: %s',
    async (_, [value, message]) => {
      const { consumer } = consumerOf();
      const verdict = await consumer.verdictOn(recordOf(value));
      expect(verdict).toMatchObject({
        action: 'dead-letter',
        reason: 'undecodable',
        error: { code: 'undecodable-record' },
      });
      const text = 'error' in verdict ? verdict.error.message : '';
      expect(text).toContain(message);
      expect(text).toMatch(/ \(topic "platform\.events", partition 0, offset 17\)$/);
      expect(text).not.toContain(secret);
      expect(text).not.toContain('\n');
    },
  );

  it('includes a record whose headers and value name different events', async () => {
    const { consumer } = consumerOf();
    const verdict = await consumer.verdictOn(sent(leaveCompleted, headersOf(accountCreated)));
    expect(verdict).toMatchObject({
      reason: 'undecodable',
      error: {
        message: expect.stringContaining(
          'The headers name "account.created" "v1", but the value "lifecycle.leave-supplier.completed" "v3".',
        ),
      },
    });
  });

  it('keeps the event that its headers name', async () => {
    const verdict = await consumerOf().consumer.verdictOn(recordOf('not JSON', headersOf(accountCreated)));
    expect(verdict).toMatchObject({
      reason: 'undecodable',
      event: { type: 'account.created', version: 'v1' },
    });
  });

  it('includes a record one byte above the limit, which is not parsed', async () => {
    const record = sent(accountCreated);
    const size = record.value!.byteLength;
    const verdictAt = (maxRecordBytes: number) => consumerOf({ maxRecordBytes }).consumer.verdictOn(record);
    expect(await verdictAt(size)).toMatchObject({ action: 'handle' });
    expect(await verdictAt(size - 1)).toMatchObject({
      reason: 'undecodable',
      error: {
        message: expect.stringMatching(`^The record has ${size} bytes\\. "maxRecordBytes" is ${size - 1}.`),
      },
    });
    const blank = (bytes: number) => consumerOf().consumer.verdictOn(recordOf(Buffer.alloc(bytes, 0x20)));
    expect(await blank(16 * 1024 * 1024)).toMatchObject({
      error: { message: expect.not.stringContaining('maxRecordBytes') },
    });
    expect(await blank(16 * 1024 * 1024 + 1)).toMatchObject({
      error: { message: expect.stringContaining('"maxRecordBytes" is 16777216.') },
    });
  });

  it('reports a failing custom codec without its message', async () => {
    const cause = new TypeError(secret);
    const fail = () => {
      throw cause;
    };
    for (const envelope of [
      { name: 'mine', peek: () => undefined, decode: fail },
      { name: 'mine', peek: fail, decode: () => ({ ...accountCreated, id: '1' }) as never },
    ]) {
      const verdict = await consumerOf({ envelope }).consumer.verdictOn(sent(accountCreated));
      expect(verdict).toMatchObject({
        reason: 'undecodable',
        error: { message: expect.stringContaining('The envelope "mine" failed with TypeError.'), cause },
      });
      expect(JSON.stringify(verdict)).not.toContain(secret);
    }
  });

  it('never crashes the consumer, for random bytes', async () => {
    const { consumer } = consumerOf();
    const headers = fc.array(
      fc.tuple(fc.constantFrom('event-type', 'event-version'), fc.uint8Array({ maxLength: 20 })),
    );
    await fc.assert(
      fc.asyncProperty(fc.uint8Array(), headers, async (value, pairs) => {
        expect(['undecodable', 'unknown']).toContain(
          ((await consumer.verdictOn(recordOf(value, pairs))) as { reason: string }).reason,
        );
      }),
    );
  });
});

describe('an invalid event', () => {
  it('names the payload when it violates the schema as a whole', async () => {
    const verdict = await consumerOf().consumer.verdictOn(sent({ ...invalid, payload: 'text' }));
    expect(verdict).toMatchObject({
      error: { message: expect.stringContaining('"payload" must be object (type)') as string },
    });
  });

  it('becomes a dead letter with event, pointers and rules, but no values', async () => {
    const verdict = await consumerOf().consumer.verdictOn(sent(invalid));
    expect(verdict).toMatchObject({
      action: 'dead-letter',
      reason: 'invalid',
      error: {
        code: 'invalid-event',
        message:
          'Event "account.created-v1" does not match its schema: "/account_number" must be string (type); ' +
          '"/account_user_emails/1" must be string (type). (topic "platform.events", partition 0, offset 17)',
      },
    });
    expect(JSON.stringify(verdict)).not.toContain(secret);
  });

  it('lists only the first of many violations', async () => {
    const payload = { account_number: 'A', account_user_emails: Array.from({ length: 50 }, () => 7) };
    const verdict = await consumerOf().consumer.verdictOn(sent({ ...accountCreated, payload }));
    expect((verdict as { error: Error }).error.message).toMatch(
      /\/2" must be string \(type\); and 47 more\./,
    );
  });

  it('includes unknown fields at every depth when the consumer is strict', async () => {
    const strict = createConsumer({ catalogue, strict: true });
    strict.on('lifecycle.leave-supplier.completed', 'v3', () => undefined);
    const tolerant = createConsumer({ catalogue: openCatalogue() });
    tolerant.on('lifecycle.leave-supplier.completed', 'v3', () => undefined);
    const point = { external_identifier: '1', market_name: 'x', confirmed_supply_end_date: '2026-03-01' };
    const withPoint = (extra: object) =>
      sent({
        ...leaveCompleted,
        payload: { ...(leaveCompleted.payload as object), supply_points: [{ ...point, ...extra }] },
      });

    for (const round of ['first', 'loaded']) {
      expect(await strict.verdictOn(withPoint({})), round).toMatchObject({ action: 'handle' });
      expect(await tolerant.verdictOn(withPoint({ surprise: secret })), round).toMatchObject({
        action: 'handle',
      });
      expect(await strict.verdictOn(withPoint({ surprise: secret })), round).toMatchObject({
        reason: 'invalid',
        error: {
          message: expect.stringContaining(
            '"/supply_points/0/surprise" is not a known field (additionalProperties).',
          ),
        },
      });
    }
  });
});

describe('hostile names', () => {
  it('do no harm as keys of a payload', async () => {
    const { consumer } = consumerOf();
    const payload = `{"account_number":"A","account_user_emails":[],"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}`;
    const value = `{"__proto__":{"polluted":true},"event_type":"account.created","version":"v1","payload":${payload}}`;
    const verdict = (await consumer.verdictOn(recordOf(value))) as Verdict & { event: { payload: object } };
    expect(verdict.action).toBe('handle');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect((verdict.event.payload as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(verdict.event.payload)).toBe(Object.prototype);
  });

  it('do no harm as names of events', async () => {
    for (const type of ['__proto__', 'constructor', 'toString', '']) {
      const event = { type, version: '__proto__', payload: {} };
      const verdict = await consumerOf({ policies: { unknownEvents: 'ignore' } }).consumer.verdictOn(
        sent(event),
      );
      expect(verdict).toEqual({ action: 'skip', reason: 'unknown' });
    }
  });

  it('do no harm in a log line', async () => {
    const { consumer, log } = consumerOf();
    await consumer.verdictOn(sent({ type: `x\n\u001b[31m${'y'.repeat(5000)}`, version: 'v1', payload: {} }));
    expect(log.lines).toHaveLength(1);
    expect(log.lines[0]!.length).toBeLessThan(400);
    expect(log.lines[0]).not.toMatch(/[\u0000-\u001f]/);
  });
});

describe('a policy', () => {
  const problems: [keyof Policies, Problem['reason'], ReturnType<typeof sent>][] = [
    ['unknownEvents', 'unknown', sent(unheardOf)],
    ['unhandledEvents', 'unhandled', sent(leaveCompleted)],
    ['invalidEvents', 'invalid', sent(invalid)],
    ['undecodableRecords', 'undecodable', recordOf('not JSON')],
  ];

  it.each(problems)('decides about %s', async (name, reason, record) => {
    const decide = async (policy: Policies[typeof name]) => {
      const { consumer, log } = consumerOf({ policies: { [name]: policy } });
      return { verdict: await consumer.verdictOn(record), warnings: log.lines.length };
    };
    const skipped = { action: 'skip', reason };
    expect(await decide('ignore')).toEqual({ verdict: skipped, warnings: 0 });
    expect(await decide('warn')).toEqual({ verdict: skipped, warnings: 1 });
    expect(await decide('dead-letter')).toMatchObject({
      verdict: { action: 'dead-letter', reason },
      warnings: 0,
    });
    expect(await decide('fail')).toMatchObject({ verdict: { action: 'fail', reason }, warnings: 0 });
    for (const action of ['ignore', 'warn', 'dead-letter', 'fail'] as const) {
      const asked: Problem[] = [];
      const byFunction = await decide((problem) => {
        asked.push(problem);
        return action;
      });
      expect(byFunction).toEqual(await decide(action));
      expect(asked).toMatchObject([{ reason, record }]);
      expect(asked[0]!.event === undefined).toBe(reason === 'undecodable');
    }
  });

  it('defaults: warns of unknown, ignores unhandled, dead-letters invalid events', async () => {
    const { consumer, log } = consumerOf();
    const reasons = [];
    for (const [, , record] of [...problems, ...problems])
      reasons.push((await consumer.verdictOn(record)).action);
    expect(reasons).toEqual([
      'skip',
      'skip',
      'dead-letter',
      'dead-letter',
      'skip',
      'skip',
      'dead-letter',
      'dead-letter',
    ]);
    expect(log.lines).toEqual([
      `warn: record skipped ${JSON.stringify({
        code: 'unknown-record',
        error:
          'The catalogue has no event "account.vanished" "v1". Update it, or add the event. (topic "platform.events", partition 0, offset 17)',
      })}`,
    ]);
  });

  it('states the event, and its version where the record names one', async () => {
    const messageOf = async (options: ConsumerOptions, record: ReturnType<typeof sent>) =>
      (await consumerOf(options).consumer.verdictOn(record)) as Verdict & { error: Error };
    const dead = { policies: { unhandledEvents: 'dead-letter', unknownEvents: 'dead-letter' } } as const;
    expect((await messageOf(dead, sent(leaveCompleted))).error.message).toBe(
      `Event "lifecycle.leave-supplier.completed-v3" has no handler. ${position}`,
    );
    const unversioned = {
      name: 'mine',
      peek: () => ({ type: 'a.b', version: '' }),
      decode: () => undefined as never,
    };
    expect((await messageOf({ ...dead, envelope: unversioned }, sent(leaveCompleted))).error.message).toBe(
      `The catalogue has no event "a.b". Update it, or add the event. ${position}`,
    );
  });

  it('reports that a record names no version of an event of the catalogue', async () => {
    const { type, payload: data } = accountCreated;
    const record = recordOf(JSON.stringify({ specversion: '1.0', id: '1', source: '/a', type, data }));
    const { consumer } = consumerOf({
      envelope: cloudEventsEnvelope(),
      policies: { unknownEvents: 'dead-letter' },
    });
    expect(await consumer.verdictOn(record)).toMatchObject({
      error: {
        code: 'unknown-record',
        message: `The record names no version of "account.created". Check "envelope". ${position}`,
      },
    });
  });

  it('warns of an unknown name once, of invalid and undecodable records each time', async () => {
    for (const policy of ['warn', () => 'warn'] satisfies Policies['unknownEvents'][]) {
      const policies = { unknownEvents: policy, invalidEvents: policy, undecodableRecords: policy };
      const { consumer, log } = consumerOf({ policies });
      for (const [, , record] of [...problems, ...problems]) await consumer.verdictOn(record);
      const long = 'x'.repeat(300);
      for (const type of [`${long}1`, `${long}2`])
        await consumer.verdictOn(sent({ type, version: 'v1', payload: {} }));
      expect(log.lines.map((line) => /"code":"([^"]+)"/.exec(line)![1])).toEqual([
        'unknown-record',
        'invalid-event',
        'undecodable-record',
        'invalid-event',
        'undecodable-record',
        'unknown-record',
      ]);
    }
  });

  it('warns of each record that is too large, though they have one name', async () => {
    const policies: Policies = { undecodableRecords: 'warn' };
    const { consumer, log } = consumerOf({ policies, maxRecordBytes: 10 });
    for (let n = 0; n < 2; n++) await consumer.verdictOn(sent(accountCreated));
    expect(log.lines).toHaveLength(2);
  });

  it('decides about each record, not once per name', async () => {
    const { consumer } = consumerOf({ policies: { unknownEvents: 'dead-letter' } });
    for (const round of ['first', 'second'])
      expect(await consumer.verdictOn(sent(unheardOf)), round).toMatchObject({ action: 'dead-letter' });
  });

  it('warns of a bounded number of names only', async () => {
    const { consumer, log } = consumerOf();
    for (let n = 0; n < 3000; n++)
      await consumer.verdictOn(sent({ type: `unknown.${n}`, version: 'v1', payload: {} }));
    expect(log.lines).toHaveLength(1001);
    expect(log.lines.filter((line) => line.includes('further'))).toEqual([
      'warn: further event names are not logged {"maxWarned":1000}',
    ]);
  });

  it('rejects an action or an option that does not exist', () => {
    const wrong = (policies: object) => () =>
      void consumerOf({ policies }).consumer.verdictOn(sent(accountCreated));
    expect(wrong({ unknownEvents: 'explode' })).toThrow(
      '"policies.unknownEvents" must be "ignore", "warn", "dead-letter" or "fail" or a function, not "explode".',
    );
    expect(wrong({ unknownEvent: 'warn' })).toThrow(
      'there is no option "policies.unknownEvent". Did you mean "unknownEvents"?',
    );
    const { consumer } = consumerOf({ policies: { unknownEvents: () => 'explode' as never } });
    expect(() => consumer.verdictOn(sent(unheardOf))).toThrow(
      'The policy function for unknown records returned no action. Return one of',
    );
  });
});
