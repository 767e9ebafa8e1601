import { type ConsumerOptions, createConsumer, openCatalogue, type RunObserver } from 'busbar';
import { virtualClock } from 'busbar/base';
import { memory } from 'busbar/internal/memory';
import { describe, expect, it } from 'vitest';
import { account, message, playOut, setUp } from '../account-consumer.js';
import { logLines } from '../log-lines.js';
import { accountCreated } from '../records.js';

describe('the observer of a run', () => {
  it('receives each attempt, and each settled record once', async () => {
    const clock = virtualClock();
    const observed: unknown[] = [];
    const observer: RunObserver = {
      attempted: ({ type }, { attempt, handler }, { outcome, retryIn, duration }) => {
        expect(duration).toBeGreaterThanOrEqual(0);
        observed.push([type, handler, attempt, outcome, retryIn]);
      },
      settled: ({ offset }, settlement) => observed.push([offset, settlement]),
    };
    const { transport, run } = setUp(
      async (number, { attempt }) => {
        await Promise.resolve();
        if (number === 'bad' || attempt === 1) throw new Error('no');
      },
      { retry: { attempts: 2, backoff: { initial: 1000, jitter: 'none' } } },
    );
    transport.send(account('1'), account('bad'), message({ ...accountCreated, payload: {} }));
    transport.send(message({ type: 'account.updated', version: 'v1', payload: {} }));
    await playOut(await run({ clock, observer }), clock);
    const name = 'account.created-v1';
    expect(observed).toEqual([
      ['account.created', name, 1, 'failed', 1000],
      ['account.created', name, 2, 'handled', undefined],
      [0, { outcome: 'handled', event: expect.anything(), handler: name, attempts: 2, duration: 1000 }],
      ['account.created', name, 1, 'failed', 1000],
      ['account.created', name, 2, 'failed', undefined],
      [
        1,
        {
          outcome: 'dead-lettered',
          event: expect.anything(),
          cause: expect.anything(),
          attempts: 2,
          duration: 1000,
        },
      ],
      [
        2,
        {
          outcome: 'dead-lettered',
          event: expect.anything(),
          cause: expect.anything(),
          attempts: 0,
          duration: 0,
        },
      ],
      [3, { outcome: 'skipped', reason: 'unhandled', attempts: 0, duration: 0 }],
    ]);
  });

  it('wraps each attempt by "around", whose error fails the attempt', async () => {
    const clock = virtualClock();
    const order: string[] = [];
    const { transport, run } = setUp((number) => void order.push(`handler ${number}`), {
      retry: { attempts: 2 },
    });
    transport.send(account('1'));
    const observer: RunObserver = {
      around: ({ record }, { attempt }, call) => {
        order.push(`span of ${record.offset}`);
        if (attempt === 1) throw new Error('no');
        return call();
      },
    };
    const running = await run({ clock, observer });
    await playOut(running, clock);
    expect(order).toEqual(['span of 0', 'span of 0', 'handler 1']);
    expect(running.counts).toMatchObject({ handled: 1, retried: 1 });
  });

  it('waits for the handler when "around" returns nothing, and counts its failure', async () => {
    const clock = virtualClock();
    const { transport, run } = setUp(() => Promise.reject(new Error('no')), { retry: { attempts: 1 } });
    transport.send(account('1'));
    const running = await run({ clock, observer: { around: (_, __, call) => void call() } });
    await playOut(running, clock);
    expect(running.counts).toMatchObject({ handled: 0, deadLettered: 1 });
  });

  it('combines several observers, the first outermost', async () => {
    const order: string[] = [];
    const { transport, run } = setUp((number) => void order.push(`handler ${number}`));
    transport.send(account('1'), message({ ...accountCreated, type: 'made.up' }));
    transport.end();
    const around =
      (name: string): NonNullable<RunObserver['around']> =>
      (_, __, call) => {
        order.push(`${name} begins`);
        return call();
      };
    const running = await run({
      observer: [
        { around: around('outer'), settled: (_, { outcome }) => order.push(`first: ${outcome}`) },
        { drifted: ({ kind, event }) => order.push(`${kind} ${event.type}`) },
        { around: around('inner'), settled: (_, { outcome }) => order.push(`last: ${outcome}`) },
        { started: (opened) => order.push(`started ${opened.health().status}`) },
      ],
    });
    await running.finished;
    expect(order).toEqual([
      'started ok',
      'outer begins',
      'inner begins',
      'handler 1',
      'first: handled',
      'last: handled',
      'unknown-event made.up',
      'first: skipped',
      'last: skipped',
    ]);
  });

  it('receives drift under every policy, each broken rule once', async () => {
    const payload = { account_number: 'A-1', account_user_emails: [], fresh: 1 };
    const drifts = async (options: ConsumerOptions) => {
      const observed: unknown[] = [];
      const { transport, run } = setUp(() => undefined, options);
      transport.send(message({ ...accountCreated, payload }));
      transport.send(message({ ...accountCreated, payload: { account_user_emails: [1, 2] } }));
      transport.end();
      const drifted: RunObserver['drifted'] = (drift) => observed.push({ ...drift, event: drift.event.type });
      await (await run({ observer: { drifted } })).finished;
      return observed;
    };
    const event = 'account.created';
    const invalid = { kind: 'invalid', event, rules: ['required', 'type'] };
    const ignored = { policies: { invalidEvents: 'ignore' } } as const;
    for (const round of ['first', 'loaded'])
      expect(await drifts(ignored), round).toEqual([{ kind: 'unknown-fields', event }, invalid]);
    expect(await drifts({ ...ignored, strict: true })).toEqual([
      { kind: 'invalid', event, rules: [expect.stringMatching(/Properties$/)] },
      invalid,
    ]);
  });

  it('receives drift of events that a pattern matches, with a validator loaded before', async () => {
    const shared = openCatalogue();
    await shared.validator(shared.find('account.created', 'v1')!);
    const consumer = createConsumer({ catalogue: shared, logger: logLines() });
    consumer.onMatching('account.*', () => undefined);
    const transport = memory();
    const payload = { account_number: 'A-1', account_user_emails: [], fresh: 1 };
    transport.send(message({ ...accountCreated, payload }));
    transport.end();
    const kinds: string[] = [];
    const drifted: RunObserver['drifted'] = ({ kind }) => kinds.push(kind);
    await (await consumer.run(transport, { observer: { drifted } })).finished;
    expect(kinds).toEqual(['unknown-fields']);
  });

  it('fails without harm, with one line in the log per callback', async () => {
    const { transport, run, log } = setUp(() => undefined);
    transport.send(account('1'), account('2'));
    transport.end();
    const fail = () => {
      throw new TypeError('A-5EC7E7');
    };
    const reject = (() => Promise.reject(new TypeError('A-5EC7E7'))) as () => void;
    const running = await run({ observer: { attempted: fail, settled: reject } });
    await running.finished;
    expect(running.counts.handled).toBe(2);
    expect(log.lines).toEqual([
      'error: observer failed, logging its first error only {"callback":"attempted","error":"TypeError"}',
      'error: observer failed, logging its first error only {"callback":"settled","error":"TypeError"}',
    ]);
  });
});

describe('idle', () => {
  it('waits for sent records and running handlers, but not for the clock', async () => {
    const clock = virtualClock();
    const seen: string[] = [];
    const { transport, run } = setUp(
      async (number, { attempt }) => {
        for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve));
        if (attempt < 3) throw new Error('not yet');
        seen.push(`${number} at ${clock.now()}`);
      },
      { retry: { backoff: { initial: 300_000, max: 300_000, jitter: 'none' }, maxElapsed: 1e9 } },
    );
    const running = await run({ clock, window: 2 });
    await running.idle();
    transport.send(...['1', '2', '3', '4', '5'].map((number) => account(number, number)));
    await running.idle();
    expect(running.health()).toMatchObject({ backingOff: 2, running: 0 });
    await playOut(running, clock);
    expect(seen).toEqual(['1 at 600000', '2 at 600000', '3 at 1200000', '4 at 1200000', '5 at 1800000']);
    await running.stop();
    await running.idle();
  });
});
