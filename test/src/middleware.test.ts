import { BusbarError, createConsumer, type Middleware } from 'busbar';
import { memory } from 'busbar/internal/memory';
import { describe, expect, it } from 'vitest';
import { deliver } from './deliver.js';
import { logLines } from './log-lines.js';
import { accountCreated, envelope, headersOf, recordOf } from './records.js';

const record = recordOf(envelope(accountCreated), headersOf(accountCreated));
const steps: string[] = [];
const named =
  (name: string): Middleware =>
  async (_event, _context, next) => {
    steps.push(`${name} in`);
    await next();
    steps.push(`${name} out`);
  };

/** A consumer with that middleware whose handler does what is given. */
function consumerOf(middleware: Middleware, handler: () => void | Promise<void> = () => undefined) {
  const consumer = createConsumer();
  consumer.use(middleware);
  consumer.on('account.created', 'v1', handler);
  return consumer;
}

describe('middleware', () => {
  it('wraps every handler, the first outermost, the handler’s own innermost', async () => {
    steps.length = 0;
    const consumer = createConsumer();
    consumer.use(named('first'));
    consumer.on('account.created', 'v1', () => void steps.push('handler'), { use: [named('own')] });
    consumer.use(named('second'));
    await deliver(consumer, record);
    expect(steps).toEqual([
      'first in',
      'second in',
      'own in',
      'handler',
      'own out',
      'second out',
      'first out',
    ]);
  });

  it('receives the event and the names of handler and consumer', async () => {
    const seen: unknown[] = [];
    const consumer = createConsumer({ name: 'letters', logger: logLines() });
    consumer.use((event, context, next) => {
      seen.push([event.type, context.handler, context.consumer, context.attempt]);
      return next();
    });
    consumer.on('account.created', 'v1', () => undefined, { name: 'welcome' });
    consumer.onAny(() => undefined);
    const transport = memory({ records: [{ value: envelope(accountCreated) }] });
    transport.end();
    const running = await consumer.run(transport);
    await running.finished;
    expect(seen).toEqual([['account.created', 'welcome', 'letters', 1]]);
    expect(running.counts.handled).toBe(1);
  });

  it('keeps a synchronous handler synchronous', async () => {
    const handler = () => undefined;
    const plain = createConsumer();
    plain.on('account.created', 'v1', handler);
    expect(await plain.verdictOn(record)).toMatchObject({ registration: { handler } });

    const consumer = consumerOf((_event, _context, next) => next());
    const verdict = await consumer.verdictOn(record);
    if (verdict.action !== 'handle') throw new Error(verdict.action);
    expect(verdict.registration.handler(verdict.event, {} as never)).toBeUndefined();
  });

  it('counts the event as handled when it does not call next', async () => {
    let calls = 0;
    await deliver(
      consumerOf(
        () => undefined,
        () => {
          calls++;
        },
      ),
      record,
    );
    expect(calls).toBe(0);
  });

  it('fails when it calls next twice', async () => {
    let calls = 0;
    const twice: Middleware = async (_event, _context, next) => {
      await next();
      await next();
    };
    const delivered = deliver(
      consumerOf(twice, () => {
        calls++;
      }),
      record,
    );
    await expect(delivered).rejects.toMatchObject({
      code: 'next-called-twice',
      message: expect.stringContaining('"account.created-v1"'),
    });
    expect(calls).toBe(1);
  });

  it.each<[string, (keep: () => void) => void | Promise<void>]>([
    ['returned', (keep) => keep()],
    ['resolved', async (keep) => keep()],
    [
      'thrown',
      (keep) => {
        keep();
        throw new Error('refused');
      },
    ],
  ])('refuses a call of next after it has %s', async (_, end) => {
    let next: () => unknown = () => undefined;
    let calls = 0;
    const consumer = consumerOf(
      (_event, _context, given) => end(() => void (next = given)),
      () => {
        calls++;
      },
    );
    await deliver(consumer, record).catch(() => undefined);
    expect(next).toThrow(expect.objectContaining({ code: 'next-called-late' }));
    expect(calls).toBe(0);
  });

  it.each<[string, Middleware]>([
    ['returns nothing', (_event, _context, next) => void next()],
    ['does not await it', async (_event, _context, next) => void next()],
  ])('waits for the handler before settling when it %s', async (_, forgetful) => {
    let finish = (_error?: Error): void => undefined;
    const handler = () =>
      new Promise<void>((resolve, reject) => (finish = (error) => (error ? reject(error) : resolve())));
    const consumer = consumerOf(forgetful, handler);
    await consumer.verdictOn(record);
    let hasEnded = false;
    const delivered = deliver(consumer, record).finally(() => (hasEnded = true));
    await new Promise(setImmediate);
    expect(hasEnded).toBe(false);
    finish(new Error('no'));
    await expect(delivered).rejects.toThrow('no');
  });

  it('fails if the handler rejects first and it has not read the result', async () => {
    const later = () => new Promise<void>(setImmediate);
    const rejecting = () => Promise.reject(new Error('no'));
    const forgetful: Middleware = async (_event, _context, next) => {
      void next();
      await later();
    };
    const catching: Middleware = async (_event, _context, next) => {
      void (next() as Promise<void>).catch(() => undefined);
      await later();
    };
    await expect(deliver(consumerOf(forgetful, rejecting), record)).rejects.toThrow('no');
    await expect(deliver(consumerOf(catching, rejecting), record)).resolves.toBeUndefined();
  });

  it.each<[string, Middleware]>([
    ['rejects', (_event, _context, next) => Promise.race([next(), Promise.reject(new RangeError('late'))])],
    [
      'throws',
      (_event, _context, next) => {
        void next();
        throw new RangeError('late');
      },
    ],
  ])('waits for the handler before the attempt fails when it %s', async (_, impatient) => {
    for (const outcome of ['resolve', 'reject'] as const) {
      let finish = (): void => undefined;
      const handler = () =>
        new Promise<void>((resolve, reject) => {
          finish = outcome === 'resolve' ? resolve : () => reject(new Error('no'));
        });
      const consumer = consumerOf(impatient, handler);
      await consumer.verdictOn(record);
      let hasEnded = false;
      const delivered = deliver(consumer, record).finally(() => (hasEnded = true));
      delivered.catch(() => undefined);
      await new Promise(setImmediate);
      expect(hasEnded).toBe(false);
      finish();
      await expect(delivered).rejects.toThrow(RangeError);
    }
  });

  it('runs a lazy query of the handler once, and ignores other results', async () => {
    let queries = 0;
    const query = {
      then(resolve: () => void) {
        queries++;
        resolve();
      },
    };
    for (const result of [query, 7]) {
      const handler = () => result as unknown as Promise<void>;
      await deliver(
        consumerOf((_event, _context, next) => next(), handler),
        record,
      );
    }
    expect(queries).toBe(1);
  });

  it('catches an error, or throws one', async () => {
    const forgiving: Middleware = async (_event, _context, next) => {
      try {
        await next();
      } catch {
        steps.push('forgiven');
      }
    };
    await deliver(
      consumerOf(forgiving, async () => Promise.reject(new Error('no'))),
      record,
    );
    const strict: Middleware = () => {
      throw new RangeError('no');
    };
    await expect(deliver(consumerOf(strict), record)).rejects.toThrow(RangeError);
  });

  it('rejects a value that is not a function', () => {
    const consumer = createConsumer();
    expect(() => consumer.use({} as never)).toThrow(BusbarError);
    expect(() => consumer.on('account.created', 'v1', () => undefined, { use: ['x' as never] })).toThrow(
      'The handler of "account.created-v1": "use[0]" must be a function, not "x".',
    );
  });
});
