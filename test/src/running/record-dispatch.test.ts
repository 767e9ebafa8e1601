import {
  type BusbarError,
  type ConsumerOptions,
  type ConsumerRecord,
  createConsumer,
  type DeadLetterCause,
  deadLetterMessage,
  type DispatchOptions,
  type HandlerContext,
  type MessageInput,
  type RecordInput,
  recordHeaders,
} from 'busbar';
import { virtualClock } from 'busbar/base';
import { idempotent, memoryStore } from 'busbar/idempotency';
import { memory } from 'busbar/internal/memory';
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { readDeadLetter } from '../../../src/dead-letter.js';
import type * as defaultConsumer from '../../../src/default-consumer.js';
import { type AccountHandler, account, catalogue, gate } from '../account-consumer.js';
import { logLines } from '../log-lines.js';
import {
  accountCreated,
  documentIssuedV1,
  envelope,
  headersOf,
  leaveCompleted,
  recordOf,
} from '../records.js';

const secret = 'A-5EC7E7';

/** A message as kafkajs delivers it, with its topic and partition. */
function messageOf(value: string | null, headers: RecordInput['headers'] = {}): RecordInput {
  return {
    topic: 'platform.events',
    partition: 3,
    ...{ offset: '41', timestamp: '1767225600000', key: Buffer.from('key-a'), headers },
    value: value === null ? null : Buffer.from(value),
  };
}

/** The argument of `eachMessage`. */
function eachMessageOf({ topic, partition, ...message }: RecordInput): MessageInput {
  return { topic, partition, message };
}

const created = (number = 'A-1', id?: string) =>
  messageOf(account(number).value.replace('018f3c2e-0000-7000-8000-000000000001', id ?? '7'));
const invalid = messageOf(envelope({ ...accountCreated, payload: { account_number: secret } }));

function consumerOf(handler: AccountHandler, options: ConsumerOptions = {}) {
  const log = logLines();
  const consumer = createConsumer({ catalogue, logger: log, ...options });
  consumer.on('account.created', 'v1', ({ payload }, context) => handler(payload.account_number, context));
  return { consumer, log };
}

/** Dead letters as a loop stores them. */
function deadLetterStore() {
  const stored: { record: ConsumerRecord; cause: DeadLetterCause }[] = [];
  const deadLetter = async (record: ConsumerRecord, cause: DeadLetterCause) => {
    await Promise.resolve();
    stored.push({ record, cause });
  };
  return { stored, deadLetter };
}

/** Fails a given number of times, then handles. */
function failing(times: number): AccountHandler {
  return () => {
    if (times-- > 0) throw new TypeError(`cannot handle ${secret}`);
  };
}

const errorOf = async (pending: Promise<unknown>): Promise<BusbarError> =>
  pending.then(
    () => {
      throw new Error('It resolved.');
    },
    (error: unknown) => error as BusbarError,
  );

describe('consumer.dispatch', () => {
  it('resolves when the handler has handled the event', async () => {
    const open = gate();
    const seen: string[] = [];
    const { consumer } = consumerOf(async (number) => {
      await open.opened;
      seen.push(number);
    });
    const handled = consumer.dispatch(created());
    open.open();
    expect(await handled).toEqual({
      outcome: 'handled',
      event: { type: 'account.created', version: 'v1' },
      handler: 'account.created-v1',
      attempts: 1,
      duration: expect.any(Number),
    });
    expect(seen).toEqual(['A-1']);
  });

  it('runs middleware and upcasts', async () => {
    const { consumer } = consumerOf(() => undefined);
    const seen: unknown[] = [];
    consumer.use(async (event, _, next) => {
      seen.push('before');
      await next();
      seen.push('after', event.upcastFrom);
    });
    const type = 'billing.billing_document.issued';
    const uuid = '018f3c2e-7b2a-7c3d-9e4f-5a6b7c8d9e0f';
    consumer.on(type, 'v2', ({ payload }) => void seen.push(payload.billing_document_uuid));
    consumer.upcast(type, 'v1', 'v2', (payload) => ({ ...payload, billing_document_uuid: uuid }));
    const settlement = await consumer.dispatch(messageOf(envelope(documentIssuedV1)));
    expect(settlement).toMatchObject({ outcome: 'handled', event: { type, version: 'v2' } });
    expect(seen).toEqual(['before', uuid, 'after', 'v1']);
  });

  it('names the consumer after the group, unless the consumer has a name', async () => {
    const names: string[] = [];
    const handler: AccountHandler = (_, { consumer }) => void names.push(consumer);
    await consumerOf(handler).consumer.dispatch(created());
    await consumerOf(handler).consumer.dispatch(created(), { group: 'billing' });
    await consumerOf(handler, { name: 'bills' }).consumer.dispatch(created(), { group: 'billing' });
    expect(names).toEqual(['consumer', 'billing', 'bills']);
  });

  it('uses a handler that was defined after the first record', async () => {
    const { consumer } = consumerOf(() => undefined);
    const leave = messageOf(envelope(leaveCompleted));
    expect(await consumer.dispatch(leave)).toMatchObject({ outcome: 'skipped', reason: 'unhandled' });
    consumer.on('lifecycle.leave-supplier.completed', 'v3', () => undefined);
    expect(await consumer.dispatch(leave)).toMatchObject({ outcome: 'handled' });
  });

  it('skips a record that was replayed for another group', async () => {
    const { consumer } = consumerOf(() => undefined);
    const replayed = { ...created(), headers: { 'busbar-replay-group': 'invoices' } };
    expect(await consumer.dispatch(replayed, { group: 'billing' })).toMatchObject({
      outcome: 'skipped',
      reason: 'other-group',
    });
    expect(await consumer.dispatch(replayed, { group: 'invoices' })).toMatchObject({ outcome: 'handled' });
  });

  it('reports each record to the observer of the consumer', async () => {
    const outcomes: string[] = [];
    const { consumer } = consumerOf(failing(1), {
      observer: {
        attempted: (_event, _context, { outcome }) => void outcomes.push(outcome),
        settled: (_, { outcome }) => void outcomes.push(outcome),
        drifted: ({ kind }) => void outcomes.push(kind),
      },
    });
    await errorOf(consumer.dispatch(created()));
    await consumer.dispatch(created());
    await consumer.dispatch(invalid);
    expect(outcomes).toEqual(['failed', 'handled', 'handled', 'invalid', 'skipped']);
  });

  it('works while the same consumer runs on a transport', async () => {
    const seen: string[] = [];
    const { consumer } = consumerOf((number) => void seen.push(number));
    const transport = memory({ records: [account('run')] });
    transport.end();
    const running = await consumer.run(transport);
    await consumer.dispatch(created('dispatched'));
    await running.finished;
    expect(seen.sort()).toEqual(['dispatched', 'run']);
    expect(running.counts.handled).toBe(1);
    expect(await consumer.dispatch(created('later'))).toMatchObject({ outcome: 'handled' });
  });

  it('handles records of the default consumer', async () => {
    const seen: string[] = [];
    // A module of its own: other tests of this process define handlers of the default consumer, too.
    const fresh = '../../../src/default-consumer.js?fresh';
    const { dispatch, on } = (await import(fresh)) as typeof defaultConsumer;
    on('account.created', 'v1', ({ payload }) => void seen.push(payload.account_number));
    expect(await dispatch(created())).toMatchObject({ outcome: 'handled' });
    expect(seen).toEqual(['A-1']);
  });

  it('handles an event once with idempotent(), even if the loop delivers it twice', async () => {
    const seen: string[] = [];
    const { consumer } = consumerOf((number) => void seen.push(number));
    consumer.use(idempotent({ store: memoryStore() }));
    for (const id of ['a', 'b', 'a']) {
      expect(await consumer.dispatch(created(id, id))).toMatchObject({ outcome: 'handled' });
    }
    expect(seen).toEqual(['a', 'b']);
  });

  it('refuses to recognise a record that has neither an id nor an offset', async () => {
    const { consumer } = consumerOf(() => undefined);
    consumer.use(idempotent({ store: memoryStore() }));
    const value = account('A-1').value.replace(/"id":"[^"]+",/, '');
    const { code, message } = await errorOf(consumer.dispatch({ topic: 'queue', value }));
    expect(code).toBe('handler-failed');
    expect(message).toContain('carries neither an id nor an offset. Give idempotent() a "key"');
    await consumer.dispatch({ topic: 'queue', value, offset: 1 });
  });
});

describe('a record for consumer.dispatch', () => {
  const headers = headersOf(accountCreated);
  const bytes = Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)] as const);
  const value = account('A-1').value;
  const forms: Record<string, RecordInput | MessageInput> = {
    'a record of a transport': recordOf(value, headers),
    'a message of kafkajs': messageOf(value, Object.fromEntries(bytes)),
    'the argument of eachMessage': eachMessageOf(messageOf(value, Object.fromEntries(bytes))),
    'repeated headers of kafkajs': messageOf(
      value,
      Object.fromEntries(bytes.map(([name, each]) => [name, [Buffer.from('old'), each]])),
    ),
    'a message of @platformatic/kafka': {
      ...{ topic: 'platform.events', partition: 0, offset: 41n, timestamp: 0n, key: Buffer.from('key-a') },
      ...{
        value: Buffer.from(value),
        headers: new Map(bytes.map(([name, each]) => [Buffer.from(name), each])),
      },
    },
    'a message of node-rdkafka': {
      ...messageOf(value),
      headers: bytes.map(([name, each]) => ({ [name]: each })),
    },
    'a record of AWS Lambda': {
      ...{ topic: 'platform.events', partition: 3, offset: 41, timestamp: 1_767_225_600_000 },
      ...{ timestampType: 'CREATE_TIME', key: Buffer.from('key-a').toString('base64') },
      value: Buffer.from(value).toString('base64'),
      headers: bytes.map(([name, each]) => ({ [name]: [...each] })),
    },
    'a map of texts': {
      topic: 'platform.events',
      value,
      key: 'key-a',
      headers: new Map(Object.entries(headers)),
    },
    'the text of a queue': { topic: 'queue', value },
    'a parsed object': { topic: 'bus', value: JSON.parse(value) as object },
    'headers without values': { topic: 'bus', value, headers: { one: undefined, other: null } },
  };

  it.each(Object.entries(forms))('accepts the form of other clients: %s', async (form, input) => {
    const records: ConsumerRecord[] = [];
    const { consumer } = consumerOf(() => undefined);
    consumer.use((event, _context, next) => {
      records.push(event.record);
      return next();
    });
    expect(await consumer.dispatch(input)).toMatchObject({ outcome: 'handled' });
    const [record] = records as [ConsumerRecord];
    expect(Buffer.from(record.value!).toString()).toBe(value);
    const { offset = -1, headers: sent } = 'message' in input ? input.message : input;
    expect(record.offset).toBe(Number(offset));
    if (record.key !== null) expect(Buffer.from(record.key).toString()).toBe('key-a');
    for (const [name] of record.headers) expect(record.headers.get(name)).toBeInstanceOf(Uint8Array);
    const type = record.headers.get('event-type');
    if (sent !== undefined && form !== 'headers without values')
      expect(Buffer.from(type!).toString()).toBe('account.created');
  });

  it('needs a topic', async () => {
    const { consumer } = consumerOf(() => undefined);
    for (const input of [undefined, null, {}, { value }] as unknown as RecordInput[]) {
      const { code, message } = await errorOf(consumer.dispatch(input));
      expect(code).toBe('invalid-option');
      expect(message).toBe(
        'dispatch(): the record has no string "topic". Pass { topic, partition, message }.',
      );
    }
  });

  it('needs a value, which is null for a tombstone', async () => {
    const { consumer } = consumerOf(() => undefined);
    const topic = 'platform.events';
    for (const input of [
      {},
      { message: undefined },
      { message: null },
      { message: {} },
      { msg: created() },
    ]) {
      const { code, message } = await errorOf(
        consumer.dispatch({ topic, ...input } as unknown as RecordInput),
      );
      expect(code).toBe('invalid-option');
      expect(message).toBe('dispatch(): the record has no "value". Pass { topic, partition, message }.');
    }
  });

  it('needs a whole number where it has an offset', async () => {
    const { consumer } = consumerOf(() => undefined);
    for (const offset of ['abc', 0.5, Number.NaN]) {
      const { code, message } = await errorOf(consumer.dispatch({ ...created(), offset }));
      expect(code).toBe('invalid-option');
      expect(message).toBe('dispatch(): the "offset" of the record is not a whole number.');
    }
  });

  it.each([[['event-type', 'account.created']], ['event-type'], [[null]], [7]])(
    'needs headers with names: %j',
    async (headers) => {
      const { consumer } = consumerOf(() => undefined);
      const input = { ...created(), headers } as unknown as RecordInput;
      await expect(consumer.dispatch(input)).rejects.toMatchObject({
        code: 'invalid-option',
        message: 'The headers of a record must be an object, or pairs of name and value.',
      });
    },
  );

  it.each([
    { 'event-type': 4711 },
    { 'event-type': [4711] },
    [['event-type', 4711]],
    [{ 'event-type': 4711 }],
    [[4711, 'x']],
  ])('needs text or bytes in its headers, and names none that are not: %j', async (headers) => {
    const { consumer } = consumerOf(() => undefined);
    const input = { ...created(), headers } as unknown as RecordInput;
    await expect(consumer.dispatch(input)).rejects.toMatchObject({
      code: 'invalid-option',
      message: 'The names and values in the headers of a record must be text or bytes.',
    });
  });

  it('accepts null for its headers and its offset', async () => {
    const { consumer } = consumerOf(() => undefined);
    const input = { ...created(), headers: null, offset: null } as unknown as RecordInput;
    expect(await consumer.dispatch(input)).toMatchObject({ outcome: 'handled' });
  });
});

describe('a record that no handler can receive', () => {
  const unknown = messageOf(envelope({ type: 'account.vanished', version: 'v1', payload: { secret } }));
  const tombstone = messageOf(null);

  it('becomes a skip with a warning where the loop has no dead letters', async () => {
    const { consumer, log } = consumerOf(() => undefined);
    for (const [record, reason] of [
      [unknown, 'unknown'],
      [tombstone, 'undecodable'],
      [invalid, 'invalid'],
    ] as const) {
      const settlement = await consumer.dispatch(record);
      expect(settlement).toEqual({ outcome: 'skipped', reason, attempts: 0, duration: 0 });
    }
    expect(log.lines.filter((line) => line.includes('record skipped'))).toHaveLength(3);
    expect(JSON.stringify(log.lines)).not.toContain(secret);
  });

  it('makes dispatch reject where the policy is "fail"', async () => {
    const policies = { unknownEvents: 'fail', invalidEvents: 'fail', undecodableRecords: 'fail' } as const;
    const { consumer } = consumerOf(() => undefined, { policies });
    const { deadLetter, stored } = deadLetterStore();
    for (const [record, expected] of [
      [unknown, 'unknown-record'],
      [tombstone, 'undecodable-record'],
      [invalid, 'invalid-event'],
    ] as const) {
      const { code, message } = await errorOf(consumer.dispatch(record, { deadLetter }));
      expect(code).toBe(expected);
      expect(message).toContain('(topic "platform.events", partition 3, offset 41)');
      expect(message).not.toContain(secret);
    }
    expect(stored).toEqual([]);
  });

  it('becomes a dead letter if the loop stores dead letters', async () => {
    const { consumer } = consumerOf(() => undefined);
    const { deadLetter, stored } = deadLetterStore();
    expect(await consumer.dispatch(invalid, { deadLetter })).toMatchObject({
      outcome: 'dead-lettered',
      event: { type: 'account.created', version: 'v1' },
      cause: { code: 'invalid-event', attempts: 0 },
    });
    expect(stored).toMatchObject([
      { record: { partition: 3, offset: 41 }, cause: { code: 'invalid-event' } },
    ]);
    expect(JSON.stringify(stored[0]!.cause)).not.toContain(secret);
  });

  it('becomes a message that "busbar dead-letters" can replay', async () => {
    const { consumer } = consumerOf(() => undefined);
    const { deadLetter, stored } = deadLetterStore();
    await consumer.dispatch({ ...invalid, headers: { trace: ['a', 'b'] } }, { deadLetter });
    const [{ record, cause }] = stored as [(typeof stored)[0]];
    const message = deadLetterMessage(record, cause, 'billing');
    expect(message).toMatchObject({ key: record.key, value: record.value });
    expect(readDeadLetter(recordHeaders(message.headers))).toMatchObject({
      code: 'invalid-event',
      group: 'billing',
      origin: { topic: 'platform.events', partition: 3, offset: 41 },
    });
    expect(message.headers['trace']).toEqual([Buffer.from('a'), Buffer.from('b')]);
  });

  it('stays unsettled when its dead letter cannot be stored', async () => {
    const { consumer } = consumerOf(() => undefined);
    const deadLetter = () => Promise.reject(new Error(secret));
    const { code, message } = await errorOf(consumer.dispatch(invalid, { deadLetter }));
    expect(code).toBe('dead-letter-failed');
    expect(message).not.toContain(secret);
  });

  it('cannot have the policy "dead-letter" where the loop has no dead letters', async () => {
    const literal = consumerOf(() => undefined, { policies: { invalidEvents: 'dead-letter' } }).consumer;
    expect((await errorOf(literal.dispatch(created()))).code).toBe('no-dead-letters');
    const chosen = consumerOf(() => undefined, { policies: { invalidEvents: () => 'dead-letter' } }).consumer;
    expect((await errorOf(chosen.dispatch(invalid))).code).toBe('invalid-event');
  });
});

describe('a failed handler', () => {
  it('makes dispatch reject after one attempt, so that the loop retries', async () => {
    const { consumer, log } = consumerOf(failing(1));
    const { deadLetter, stored } = deadLetterStore();
    const error = await errorOf(consumer.dispatch(created(), { deadLetter }));
    expect(error).toMatchObject({
      name: 'BusbarError',
      code: 'handler-failed',
      cause: expect.any(TypeError),
    });
    expect(error.message).toBe(
      'Handler "account.created-v1" of event "account.created-v1" failed with TypeError (topic "platform.events", partition 3, offset 41).',
    );
    expect(await consumer.dispatch(created(), { deadLetter })).toMatchObject({ outcome: 'handled' });
    expect(stored).toEqual([]);
    expect(JSON.stringify(log.lines)).not.toContain(secret);
  });

  it('gets more attempts from Busbar with "retry"', async () => {
    const attempts: number[] = [];
    const clock = virtualClock();
    const fail = failing(2);
    const handler: AccountHandler = (number, context) => {
      attempts.push(context.attempt);
      return fail(number, context);
    };
    const { consumer } = consumerOf(handler, { clock });
    const handled = consumer.dispatch(created(), { retry: true });
    await advanceUntil(handled, clock);
    expect(await handled).toMatchObject({ outcome: 'handled', attempts: 3 });
    expect(attempts).toEqual([1, 2, 3]);
  });

  it('makes dispatch reject after the last attempt where the loop has no dead letters', async () => {
    const { consumer } = consumerOf(failing(9), { retry: { attempts: 2, backoff: { initial: 0 } } });
    const { code, message } = await errorOf(consumer.dispatch(created(), { retry: true }));
    expect(code).toBe('handler-failed');
    expect(message).toContain('at attempt 2');
  });

  it('becomes a dead letter after the last attempt with "retry" and "deadLetter"', async () => {
    const { consumer } = consumerOf(failing(9), { retry: { attempts: 2, backoff: { initial: 0 } } });
    const { deadLetter, stored } = deadLetterStore();
    const settlement = await consumer.dispatch(created(), { deadLetter, retry: true });
    expect(settlement).toMatchObject({ outcome: 'dead-lettered', attempts: 2 });
    expect(stored).toMatchObject([
      { cause: { code: 'handler-failed', attempts: 2, error: { class: 'TypeError' } } },
    ]);
    expect(JSON.stringify([settlement, stored[0]!.cause])).not.toContain(secret);
  });
});

describe('an aborted signal', () => {
  it('makes dispatch reject before the handler is called', async () => {
    const { consumer } = consumerOf(() => {
      throw new Error('It was called.');
    });
    const signal = AbortSignal.abort();
    expect(await errorOf(consumer.dispatch(created(), { signal }))).toBe(signal.reason);
  });

  it('aborts the signal of the handler, and makes dispatch reject after its end', async () => {
    const contexts: HandlerContext[] = [];
    const open = gate();
    const entered = gate();
    const { consumer } = consumerOf((_, context) => {
      contexts.push(context);
      entered.open();
      return open.opened;
    });
    const aborting = new AbortController();
    const pending = consumer.dispatch(created(), { signal: aborting.signal });
    await entered.opened;
    aborting.abort();
    expect(contexts[0]!.signal.aborted).toBe(true);
    open.open();
    expect(await errorOf(pending)).toBe(aborting.signal.reason);
  });

  it('aborts an attempt whose handler aborts the loop itself', async () => {
    const aborting = new AbortController();
    const { consumer } = consumerOf(async (_, { signal }) => {
      aborting.abort();
      await Promise.resolve();
      expect(signal.aborted).toBe(true);
    });
    const pending = consumer.dispatch(created(), { signal: aborting.signal });
    expect(await errorOf(pending)).toBe(aborting.signal.reason);
  });

  it('ends the wait for a retry', async () => {
    const aborting = new AbortController();
    const options: DispatchOptions = { retry: true, signal: aborting.signal };
    const { consumer } = consumerOf(failing(9), {
      retry: { backoff: { initial: 60_000, jitter: 'none' } },
      observer: { attempted: () => setImmediate(() => aborting.abort()) },
    });
    expect(await errorOf(consumer.dispatch(created(), options))).toBe(aborting.signal.reason);
  });

  it('leaves no listener behind', async () => {
    const { consumer } = consumerOf(() => Promise.resolve());
    const { signal } = new AbortController();
    await consumer.dispatch(created(), { signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('wrong use of consumer.dispatch', () => {
  it('makes dispatch reject with what to do', async () => {
    const none = createConsumer({ catalogue });
    expect((await errorOf(none.dispatch(created()))).code).toBe('no-handlers');
    const { consumer } = consumerOf(() => undefined);
    const use = (options: object | null) =>
      errorOf(consumer.dispatch(created(), options as DispatchOptions)).then(({ message }) => message);
    for (let again = 0; again < 2; again++) {
      expect(await consumer.dispatch(created(), { group: 'billing', retry: true })).toBeDefined();
      expect(await use({ retri: true })).toContain('Did you mean "retry"?');
      expect(await use({ group: 'billing', retri: true })).toContain('Did you mean "retry"?');
      expect(await use({ group: 'billing', retry: 1 })).toContain('"retry"');
      expect(await use(null)).toContain('dispatch()');
    }
    const holding = consumerOf(() => undefined, { afterDeadLetter: 'hold-key' }).consumer;
    expect((await errorOf(holding.dispatch(created()))).message).toBe(
      'dispatch(): "afterDeadLetter" is "hold-key", which only run() can do. Omit it.',
    );
  });
});

/** Lets time pass until the promise is settled. */
async function advanceUntil(
  pending: Promise<unknown>,
  clock: ReturnType<typeof virtualClock>,
): Promise<void> {
  const state = { isSettled: false };
  const settle = () => void (state.isSettled = true);
  pending.then(settle, settle);
  while (!state.isSettled) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advanceToNext();
  }
}
