import { createConsumer, type Middleware } from 'busbar';
import { idempotent, type MemoryStoreOptions, memoryStore, postgresStore } from 'busbar/idempotency';
import { virtualClock } from 'busbar/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliver } from '../deliver.js';
import { accountCreated, envelope, headersOf, recordOf } from '../records.js';

const record = (id: string) => recordOf(envelope(accountCreated, id), headersOf(accountCreated));

function consumerOf(handler: () => void | Promise<void>, options: MemoryStoreOptions = {}) {
  const consumer = createConsumer();
  consumer.use(idempotent({ store: memoryStore(options) }));
  consumer.on('account.created', 'v1', handler);
  return consumer;
}

describe('a memory store', () => {
  it('calls a handler once per event, and again after a failure', async () => {
    let calls = 0;
    const consumer = consumerOf(() => {
      if (++calls === 1) throw new Error('no');
    });
    await expect(deliver(consumer, record('a'))).rejects.toThrow('no');
    for (const id of ['a', 'a', 'b', 'a']) await deliver(consumer, record(id));
    expect(calls).toBe(3);
  });

  it('distinguishes handlers and consumers', async () => {
    let calls = 0;
    const consumer = consumerOf(() => {
      calls++;
    });
    for (const given of [{}, { handler: 'other' }, { consumer: 'other' }, {}]) {
      await deliver(consumer, record('a'), given);
    }
    expect(calls).toBe(3);
  });

  it('makes a concurrent duplicate wait for the first call', async () => {
    const ends: ((error?: Error) => void)[] = [];
    const consumer = consumerOf(
      () => new Promise((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve()))),
    );
    await consumer.verdictOn(record('a'));
    const deliveries = ['a', 'a', 'a'].map((id) => deliver(consumer, record(id)));
    const outcomes = Promise.allSettled(deliveries);
    await new Promise(setImmediate);
    expect(ends).toHaveLength(1);
    ends[0]!(new Error('no'));
    await new Promise(setImmediate);
    expect(ends).toHaveLength(2);
    ends[1]!();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(ends).toHaveLength(2);
  });

  it('sets no mark for an abandoned handler', async () => {
    let calls = 0;
    const consumer = consumerOf(async () => {
      calls++;
    });
    await deliver(consumer, record('a'), { signal: AbortSignal.abort() });
    await deliver(consumer, record('a'));
    await deliver(consumer, record('a'));
    expect(calls).toBe(2);
  });

  it('drops marks after their lifetime', async () => {
    let calls = 0;
    const clock = virtualClock();
    const consumer = consumerOf(
      () => {
        calls++;
      },
      { ttl: 1000 },
    );
    for (const [wait, expected] of [
      [0, 1],
      [999, 1],
      [1, 2],
      [999, 2],
    ] as const) {
      clock.advance(wait);
      await deliver(consumer, record('a'), { clock });
      expect(calls).toBe(expected);
    }
  });

  it('keeps the latest marks up to its capacity', async () => {
    const ids = fc.array(fc.integer({ min: 0, max: 8 }).map(String), { maxLength: 60, size: 'max' });
    await fc.assert(
      fc.asyncProperty(ids, fc.integer({ min: 1, max: 6 }), async (sent, capacity) => {
        let calls = 0;
        const consumer = consumerOf(
          () => {
            calls++;
          },
          { capacity },
        );
        const remembered: string[] = [];
        let expected = 0;
        for (const id of sent) {
          await deliver(consumer, record(id));
          if (!remembered.includes(id)) {
            expected++;
            remembered.push(id);
            if (remembered.length > capacity) remembered.shift();
          }
          expect(calls).toBe(expected);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('rejects an invalid capacity or lifetime', () => {
    expect(() => memoryStore({ capacity: 0 })).toThrow(
      '"capacity" must be a whole number of at least 1 or Infinity, not 0.',
    );
    expect(() => memoryStore({ ttl: Number.NaN })).toThrow(
      '"ttl" must be a number above 0 or Infinity (milliseconds), not NaN.',
    );
  });
});

describe('the key of an event', () => {
  it('defaults to the id or offset, and may come from "key"', async () => {
    let calls = 0;
    const anonymous = JSON.stringify({
      event_type: accountCreated.type,
      version: 'v1',
      payload: accountCreated.payload,
    });
    const consumer = consumerOf(() => {
      calls++;
    });
    for (const offset of [1, 2, 1, 2]) await deliver(consumer, { ...recordOf(anonymous), offset });
    expect(calls).toBe(2);

    const byPayload = createConsumer();
    byPayload.use(idempotent({ store: memoryStore(), key: ({ payload }) => JSON.stringify(payload) }));
    byPayload.on('account.created', 'v1', () => {
      calls++;
    });
    for (const id of ['a', 'b']) await deliver(byPayload, record(id));
    expect(calls).toBe(3);
  });
});

describe('two idempotent() of one handler', () => {
  const pool = { connect: () => Promise.reject(new Error('not connected')) };
  const [inMemory, inPostgres] = [memoryStore(), postgresStore({ pool })].map((store) =>
    idempotent({ store }),
  );
  const consumerWith = (outer: Middleware, inner: Middleware) => {
    const consumer = createConsumer();
    consumer.use(outer);
    consumer.on('account.created', 'v1', () => undefined, { name: 'open', use: [inner] });
    return consumer;
  };

  it('refuses a mark inside a transaction, which may fail later', async () => {
    for (const inner of [inMemory!, inPostgres!])
      await expect(consumerWith(inPostgres!, inner).dispatch(record('a'))).rejects.toMatchObject({
        code: 'invalid-option',
        message:
          'Handler "open" has an idempotent() inside that of a postgresStore(), whose transaction may fail later. Remove it, or put it outside.',
      });
  });

  it('accepts a transaction inside another mark', async () => {
    const verdict = await consumerWith(inMemory!, inPostgres!).verdictOn(record('a'));
    expect(verdict.action).toBe('handle');
  });
});
