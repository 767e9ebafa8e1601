import { runInNewContext } from 'node:vm';
import { type AnyEvent, createConsumer, type HandlerContext, silentLogger } from 'busbar';
import {
  type ContractSetup,
  type DiagnosisName,
  readRepro,
  replayFailure,
  type VerifyOptions,
} from 'busbar-emulator/testing';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FloatingWork } from '../../../../emulator/testing/verify/floating-work.js';
import { playsAll } from '../../../cases.js';
import { lookUp } from './look-up.js';
import {
  consumerOf,
  counting,
  type Define,
  findings,
  increment,
  makerOf,
  resultsOf,
  rightConsumer,
  skipping,
} from './verifying.js';

// A machine may set it: then the check of time zones does not run.
beforeEach(() => void vi.stubEnv('TZ', undefined));

const created = 'account.created';
const agreed = 'agreement.created';

type Wrong = readonly [
  check: string,
  fault: string,
  define: Define,
  diagnosis: DiagnosisName,
  reason: RegExp,
];

/** Each check with a faulty consumer that it must find. */
const wrong: readonly Wrong[] = [
  [
    'samples',
    'an optional field that is assumed present',
    (consumer, state) =>
      consumer.on(agreed, 'v1', ({ payload }) => {
        state.set('contract', payload.account_contract_identifier!.length);
      }),
    'needs-optional-field',
    /Sample \(without \/account_contract_identifier\): "agreement.created-v1" is dead-lettered/,
  ],
  [
    'samples',
    'fields that must be known',
    (consumer) =>
      consumer.on(created, 'v1', ({ payload }) => {
        if ('unknown_text' in payload) throw new Error('What is that?');
      }),
    'rejects-unknown-fields',
    /Sample \(unknown fields\): "account.created-v1" is dead-lettered/,
  ],
  [
    'time-zone',
    'a day in the time zone of the machine',
    (consumer, state) =>
      consumer.on(agreed, 'v1', ({ payload }) => {
        state.set(String(payload.agreement_id), new Date(payload.valid_from).toDateString());
      }),
    'reads-local-time',
    /In the time zone "Pacific\/[A-Z]\w+", the state differs at/,
  ],
  [
    'mutation',
    'a payload that is changed',
    (consumer) =>
      consumer.on(created, 'v1', ({ payload }) => {
        (payload as { account_number: string }).account_number = 'changed';
      }),
    'changes-payload',
    /changes the payload at "\/account_number"/,
  ],
  [
    'rejections',
    'an unhandled rejection',
    (consumer) => consumer.on(created, 'v1', () => void Promise.reject(new TypeError('lost'))),
    'uncaught-error',
    /does not catch TypeError/,
  ],
  [
    'duplicates',
    'double counting',
    counting,
    'not-idempotent',
    /events are delivered twice, the state differs/,
  ],
  [
    'order',
    'an order across keys',
    (consumer, state) => {
      const accounts: string[] = [];
      consumer.on(created, 'v1', ({ payload }) => void accounts.push(payload.account_number));
      consumer.on('account_user.updated', 'v1', ({ record }) => {
        state.set(Buffer.from(record.key!).toString(), accounts.at(-1) ?? null);
      });
    },
    'order-across-keys',
    /When other keys arrive first, the state differs/,
  ],
  [
    'order',
    'a sum that two handlers read before either writes it',
    (consumer, state) => {
      const add = async () => {
        const sum = Number(state.get('sum') ?? 0);
        await Promise.resolve();
        state.set('sum', sum + 1);
      };
      consumer.on(created, 'v1', add);
      consumer.on('account_user.updated', 'v1', add);
    },
    'races',
    /When other keys arrive at the same time, the state differs/,
  ],
  [
    'order',
    'a sum over households that two handlers read before either writes it',
    (consumer, state) =>
      consumer.on('lifecycle.leave-supplier.completed', 'v3', async ({ payload }) => {
        const left = (state.get('left') as readonly string[] | undefined) ?? [];
        await Promise.resolve();
        state.set('left', [...new Set([...left, payload.account_number])].sort());
      }),
    'races',
    /When other keys arrive at the same time, the state differs/,
  ],
  [
    'vary',
    'a form of times',
    (consumer, state) =>
      consumer.on(agreed, 'v1', ({ payload }) => {
        const day = /^(\d{4})-(\d\d)-(\d\d)/.exec(payload.valid_from)!;
        state.set(`agreement ${payload.agreement_id}`, Number(day[3]));
      }),
    'one-reading',
    /another legal reading of "times" at "\//,
  ],
  [
    'vary',
    'a date that is cut from a time',
    (consumer, state) =>
      consumer.on('ink.conversation.closed', 'v1', ({ payload }) => {
        state.set(`conversation ${payload.conversation_id}`, payload.closed_at.slice(0, 10));
      }),
    'one-reading',
    /another legal reading of "times"/,
  ],
  [
    'vary',
    'a state by partition key',
    (consumer, state) =>
      consumer.on(created, 'v1', ({ record }) => {
        state.set(Buffer.from(record.key!).toString(), 1);
      }),
    'one-reading',
    /another legal reading of "keys"/,
  ],
  [
    'vary',
    'an order of what happens at one instant',
    (consumer, state) => {
      const seen = ({ type, version }: { type: string; version: string }) =>
        void state.set('order', `${(state.get('order') as string | undefined) ?? ''} ${type}-${version}`);
      consumer.on('lifecycle.leave-supplier.requested', 'v2', seen);
      consumer.on('lifecycle.leave-supplier.requested', 'v3', seen);
    },
    'order-within-occurrence',
    /another legal reading of "order"/,
  ],
  ['retries', 'a consumer that skips what fails', skipping, 'loses-failed-events', /swallows the error/],
  [
    'dependencies',
    'an error that is logged and forgotten',
    (consumer, state) =>
      consumer.on(created, 'v1', ({ payload }) => {
        try {
          state.set(payload.account_number, true);
        } catch {
          // It was in the log.
        }
      }),
    'swallows-errors',
    /After an error at "account_number" of "account.created-v1", which counts as success/,
  ],
  [
    'dependencies',
    'work that is not awaited',
    (consumer, state) =>
      consumer.on(created, 'v1', ({ payload }) => {
        void (async () => {
          await Promise.resolve();
          state.set(payload.account_number, true);
        })();
      }),
    'work-floats',
    /counts as success/,
  ],
  [
    'floating',
    'a buffer that is written later',
    (consumer, state) =>
      consumer.on(created, 'v1', ({ payload }) => {
        const write = (turns: number): unknown =>
          turns === 0 ? state.set(payload.account_number, true) : setImmediate(write, turns - 1);
        write(30);
      }),
    'work-floats',
    /the state changes later/,
  ],
  [
    'leaks',
    'events that are kept',
    (consumer) => {
      const kept: unknown[] = [];
      consumer.on(created, 'v1', (event) => void kept.push(event));
    },
    'leaks',
    /The heap grows by at least \d+ bytes/,
  ],
  [
    'leaks',
    'buffers that are kept',
    (consumer) => consumer.on(created, 'v1', pagesOf({ bytes: 16_384, every: 10 })),
    'leaks',
    /Memory outside the heap grows by at least \d+ bytes/,
  ],
  [
    'leaks',
    'timers that are left behind',
    (consumer) => {
      const timers: NodeJS.Timeout[] = [];
      onTestFinished(() => timers.forEach((timer) => clearInterval(timer)));
      consumer.on(created, 'v1', () => void timers.push(setInterval(() => undefined, 60_000)));
    },
    'leaks',
    /at least \d+ for each 1000 deliveries/,
  ],
  [
    'baseline',
    'an event that it cannot handle',
    (consumer) =>
      consumer.on('account.occupied', 'v1', () => {
        throw new RangeError('A payload value.');
      }),
    'handler-fails',
    /"account.occupied-v1" is dead-lettered with "handler-failed" after 10 attempts/,
  ],
  ['faults', 'a sum', counting, 'not-idempotent', /^With duplicate, the state differs at/],
];

/** Defines a handler whose memory grows page by page, like that of a database. */
function pagesOf({ bytes, every }: { readonly bytes: number; readonly every: number }): () => void {
  const pages: ArrayBuffer[] = [];
  let count = 0;
  return () => {
    if (count++ % every === 0) pages.push(new ArrayBuffer(bytes));
  };
}

describe('a check', () => {
  // The check "leaks" takes thousands of deliveries, so `npm test` plays none of its faults.
  it.each(wrong.filter(([check]) => playsAll || check !== 'leaks'))(
    '%s finds %s',
    async (name, _fault, define, diagnosis, reason) => {
      const results = await findings(name, define);
      const found = results.flatMap(({ status, finding }) => (status === 'failed' && finding ? finding : []));
      const expected = { diagnosis, reason: expect.stringMatching(reason) as string };
      expect(found).toContainEqual(expect.objectContaining(expected));
    },
  );

  it.runIf(playsAll)('poison finds a household that fails after faults of another', async () => {
    const define: Define = (consumer) => {
      let next = 0;
      consumer.onAny(
        ({ record }) => {
          if (record.offset > next) throw new Error('A record is missing.');
          next = record.offset + 1;
        },
        { retry: { attempts: 1 } },
      );
    };
    const results = await findings('poison', define, {
      scenarios: ['live-chat'],
      observe: undefined as never,
    });
    expect(results).toContainEqual(
      expect.objectContaining({
        status: 'failed',
        reason: expect.stringContaining('While another household has damaged events'),
      }),
    );
  });

  it.runIf(playsAll)('leaks tolerates a database that grows by a page for many records', async () => {
    const define: Define = (consumer) => consumer.on(created, 'v1', pagesOf({ bytes: 65_536, every: 200 }));
    expect(await findings('leaks', define)).toMatchObject([{ status: 'passed' }]);
  });

  it('leaks sends no more of an event that the consumer refuses to handle again', async () => {
    let calls = 0;
    const define: Define = (consumer, state) =>
      consumer.on(created, 'v1', ({ payload }) => {
        calls++;
        if (state.has(payload.account_number)) throw new Error('duplicate key');
        state.set(payload.account_number, payload);
      });
    const reason = 'The handlers refuse further events about the same households.';
    expect(await findings('leaks', define)).toMatchObject([{ status: 'not-run', reason }]);
    expect(calls).toBeLessThan(1_000);
  });

  it('faults lets a consumer store payloads as they come', async () => {
    const define: Define = (consumer, state) =>
      consumer.on(created, 'v1', ({ payload }) => void state.set(payload.account_number, payload));
    const results = await findings('faults', define, { faults: ['extra-field'] });
    expect(results).toMatchObject([{ status: 'passed' }]);
  });

  // The pauses of the job take the time of these.
  it.each(playsAll ? ['duplicates', 'order', 'vary', 'faults'] : ['duplicates', 'order'])(
    '%s waits for a job that works in the background',
    async (name) => {
      const inbox: string[] = [];
      const total = new Map<string, number>();
      const work = () => {
        for (const account of inbox.splice(0)) total.set(account, (total.get(account) ?? 0) + 1);
      };
      const job = setInterval(work, 30).unref();
      const seen = new Set<string>();
      const make = makerOf((consumer) => {
        consumer.on('agreement.created', 'v1', ({ payload, id = '' }) => {
          if (!seen.has(id)) inbox.push(payload.account_number);
          seen.add(id);
        });
      });
      const reset = () => {
        for (const each of [total, seen]) each.clear();
        inbox.length = 0;
      };
      const options = { observe: () => total, reset, scenarios: ['house-move'], runs: 5, only: [name] };
      const results = await resultsOf(make, options);
      clearInterval(job);
      expect(results.map(({ status }) => status)).not.toContain('failed');
      expect(results.map(({ status }) => status)).not.toContain('not-run');
    },
  );

  it('floating names work that nothing awaits if equal runs differ', async () => {
    const define: Define = (consumer, state) =>
      consumer.on(created, 'v1', ({ payload }) => {
        state.set(payload.account_number, [Math.random()]);
        void new Promise((resolve) => setTimeout(resolve, 1));
      });
    const results = await findings('floating', define);
    expect(results).toMatchObject([{ status: 'warned', finding: { diagnosis: 'work-floats' } }]);
  });

  it('leaks waits for work that is slower than the deliveries', async () => {
    const define: Define = (consumer, state) => {
      let last = Promise.resolve();
      consumer.on(created, 'v1', ({ payload }) => {
        last = last.then(async () => {
          for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
          state.set(payload.account_number, payload);
        });
      });
    };
    expect(await findings('leaks', define)).toMatchObject([{ status: 'passed' }]);
  });

  it('occurrences finds a sum over both versions, but accepts a log of events', async () => {
    const type = 'agreement.terminated';
    const summing: Define = (consumer, state) => consumer.on(type, ['v1', 'v2'], () => increment(state, 'n'));
    const [twice] = await findings('occurrences', summing);
    expect(twice).toMatchObject({ status: 'failed', finding: { diagnosis: 'counts-versions-twice' } });
    expect(twice?.finding?.repro?.deliveries).toHaveLength(2);
    const logging: Define = (consumer, state) =>
      consumer.on(type, ['v1', 'v2'], ({ id = '' }) => void state.set(id, { type }));
    expect(await findings('occurrences', logging)).toMatchObject([{ status: 'passed' }]);
    const filling: Define = (consumer, state) =>
      consumer.on(type, ['v1', 'v2'], ({ occurrenceId = '', version }) => {
        state.set(occurrenceId, { ...(state.get(occurrenceId) as object), [version]: 1 });
      });
    expect(await findings('occurrences', filling)).toMatchObject([{ status: 'passed' }]);
  });

  it('floating warns of open work that the state does not show, with its line', async () => {
    const define: Define = (consumer) =>
      consumer.on(created, 'v1', () => void new Promise((resolve) => setTimeout(resolve, 1)));
    const [warned] = await findings('floating', define);
    expect(warned).toMatchObject({ status: 'warned', finding: { diagnosis: 'work-floats' } });
    expect(warned?.finding?.error?.frame?.at).toContain('checks.test.ts');
  });

  it('floating finds a batch in memory whose timer fires before the state is read', async () => {
    const stored = new Set<string>();
    const make = makerOf((consumer) => {
      const batch: string[] = [];
      const flush = () => batch.splice(0).forEach((each) => stored.add(each));
      consumer.on(created, 'v1', ({ id = '' }) => {
        batch.push(id);
        setTimeout(flush, 2);
      });
    });
    const observe = async () => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      return stored;
    };
    const options = {
      observe,
      reset: () => stored.clear(),
      scenarios: ['house-move'],
      only: ['floating'],
    };
    expect(await resultsOf(make, options)).toMatchObject([
      { status: 'failed', reason: expect.stringContaining('its work continues in a timer') as string },
    ]);
  });

  it('floating passes a timer that has fired and resolves what the handler awaits', async () => {
    const define: Define = (consumer, state) =>
      consumer.on(created, 'v1', ({ payload }) => {
        const write = (resolve: () => void) => {
          state.set(payload.account_number, true);
          resolve();
        };
        return new Promise<void>((resolve) => setTimeout(write, 1, resolve));
      });
    const [only] = await findings('floating', define);
    expect(only?.finding).toBeUndefined();
    expect(only?.status).toBe('passed');
  });

  it.each([
    ['passes an outbox', { isStored: true, isOne: false }, 'passed'],
    ['finds a buffer in memory', { isStored: false, isOne: false }, 'failed'],
    ['finds a buffer without restarts', { isStored: true, isOne: true }, 'failed'],
  ])('floating %s that a timer of the consumer empties', async (_title, { isStored, isOne }, status) => {
    const stored: string[] = [];
    const sent: string[] = [];
    let timer: NodeJS.Timeout | undefined;
    // On a busy machine, the timer fires before the state is read.
    let isRead = false;
    const make = makerOf((consumer) => {
      clearInterval(timer);
      const waiting = isStored ? stored : [];
      timer = setInterval(() => isRead && sent.push(...waiting.splice(0)), 5).unref();
      consumer.on(created, 'v1', ({ id = '' }) => {
        isRead = false;
        if (!sent.includes(id) && !waiting.includes(id)) waiting.push(id);
      });
    });
    onTestFinished(() => clearInterval(timer));
    const reset = () => {
      for (const each of [stored, sent]) each.length = 0;
    };
    const observe = () => {
      isRead = true;
      return [...sent];
    };
    const options = { observe, reset, scenarios: ['house-move'], only: ['floating'] };
    expect(await resultsOf(isOne ? make() : make, options)).toMatchObject([{ status }]);
  });

  it.each([
    ['fails work of an immediate that a stop loses', { isStored: false, isOne: false }, 'failed'],
    ['warns of an outbox that an immediate empties', { isStored: true, isOne: false }, 'warned'],
    ['warns of an immediate if a restart keeps the consumer', { isStored: false, isOne: true }, 'warned'],
  ])('floating %s', async (_title, { isStored, isOne }, status) => {
    const stored: string[] = [];
    const sent: string[] = [];
    const make = makerOf((consumer) => {
      const waiting = isStored ? stored : [];
      const send = () => sent.push(...waiting.splice(0));
      send();
      consumer.on(created, 'v1', ({ id = '' }) => {
        waiting.push(id);
        setImmediate(send);
      });
    });
    const reset = () => {
      for (const each of [stored, sent]) each.length = 0;
    };
    const options = { observe: () => [...sent], reset, scenarios: ['house-move'], only: ['floating'] };
    expect(await resultsOf(isOne ? make() : make, options)).toMatchObject([{ status }]);
  });

  it('versions warns of an unhandled version, and fails if strict', async () => {
    const define: Define = (consumer) => consumer.on('agreement.terminated', 'v1', () => undefined);
    const [pointedOut] = await findings('versions', define);
    expect(pointedOut).toMatchObject({ subject: 'agreement.terminated-v1', status: 'warned' });
    expect(pointedOut?.reason).toContain('"v2"');
    const [failed] = await findings('versions', define, { strict: true });
    expect(failed?.status).toBe('failed');
  });

  it.runIf(playsAll)('leaks tolerates a cache that fills up', async () => {
    const define: Define = (consumer) => {
      const cache: unknown[] = [];
      consumer.on(created, 'v1', (event) => {
        if (cache.length < 5500) cache.push(event);
      });
    };
    expect(await findings('leaks', define)).toMatchObject([{ status: 'passed' }]);
  });

  it('leaks and floating outlive a consumer that stops at a dead letter', async () => {
    const make = makerOf(
      (consumer) => {
        consumer.on(created, 'v1', () => {
          throw new Error('down');
        });
      },
      { retry: { attempts: 1 }, afterDeadLetter: 'stop' },
    );
    const results = await resultsOf(make, {
      observe: () => [],
      scenarios: ['house-move'],
      only: ['floating', 'leaks'],
    });
    expect(results.map(({ status }) => status)).toEqual(['passed', 'passed']);
  });

  it('platform finds a failed look-up that counts as success', async () => {
    const found = async (isCareful: boolean) => {
      const { make, contract } = lookUp({ isCareful });
      return resultsOf(make, { ...contract, only: ['platform'] });
    };
    expect(await found(false)).toMatchObject([
      { status: 'failed', reason: expect.stringContaining('While the REST API responds with 503') },
    ]);
    expect(await found(true)).toMatchObject([{ status: 'passed' }]);
  });

  it.each(['duplicates', 'order', 'faults'])(
    '%s tolerates a look-up that shows a later world',
    async (check) => {
      const { make, contract } = lookUp({ field: 'billing_name' });
      const results = await resultsOf(make, { ...contract, runs: 20, only: [check] });
      expect(results.map(({ reason }) => reason)).toEqual([undefined]);
    },
  );

  it('names an order that retries do not wait for', async () => {
    const define: Define = (consumer, state) => {
      consumer.on(created, 'v1', ({ payload }) => void state.set(payload.account_number, true));
      consumer.on('account_user.created', 'v1', async ({ payload: { linked_accounts: linked } }) => {
        await Promise.resolve();
        const isEarly = (linked as { number: string }[]).some(({ number }) => !state.has(number));
        if (isEarly) throw new Error('The account is not there.');
      });
    };
    const [failed] = await findings('order', define);
    expect(failed).toMatchObject({ status: 'failed', finding: { diagnosis: 'order-across-keys' } });
    const { file, content } = failed!.finding!.repro!;
    const kept = { ...readRepro(file, content), check: 'faults' };
    const { make, observe } = consumerOf(define);
    const { reason } = await replayFailure(make, kept, { observe });
    expect(reason).toContain('When other keys arrive first');
  });

  it('dependencies finds a swallowed error at a call of failurePoint', async () => {
    const found = async (isCareful: boolean) => {
      const state = new Set<string>();
      const make = ({ failurePoint }: ContractSetup) => {
        const insert = async (account: string) => {
          failurePoint();
          await Promise.resolve();
          state.add(account);
        };
        const consumer = createConsumer({ logger: silentLogger });
        consumer.on(created, 'v1', async ({ payload: { account_number } }) => {
          await insert('all');
          await insert(account_number).catch((error: unknown) => {
            if (isCareful) throw error;
          });
        });
        return consumer;
      };
      const contract = { observe: () => state, reset: () => state.clear(), scenarios: ['house-move'] };
      return resultsOf(make, { ...contract, only: ['dependencies'] });
    };
    const [failed] = await found(false);
    expect(failed?.reason).toContain(
      'After an error at failurePoint() call 2 of "account.created-v1", which counts as success, the state differs',
    );
    expect(failed?.finding?.repro?.deliveries).toEqual([
      '"account.created-v1" (error at failurePoint() call 2)',
    ]);
    expect(await found(true)).toMatchObject([{ status: 'passed' }]);
  });

  it('dependencies ignores reads of a stored payload outside its handler', async () => {
    const define: Define = (consumer, state) =>
      consumer.on(created, 'v1', ({ payload }) => void state.set('last', payload));
    expect(await findings('dependencies', define)).toMatchObject([{ status: 'passed' }]);
  });

  it('baseline compares the projection with the ground truth', async () => {
    const missing: Define = (consumer, state) =>
      consumer.on(created, 'v1', ({ payload }) => {
        if (payload.account_user_emails.length > 100) state.set(payload.account_number, 'there');
      });
    const truth: VerifyOptions = {
      projection: () => [],
      expected: (world) => world.accounts().map(({ number }) => number),
    };
    const [failed] = await findings('baseline', missing, truth);
    const reason = expect.stringContaining('match the ground truth');
    expect(failed).toMatchObject({ status: 'failed', reason });
    const kept = readRepro(failed!.finding!.repro!.file, failed!.finding!.repro!.content);
    const { make } = consumerOf(missing);
    expect(await replayFailure(make, kept, truth)).toMatchObject({ status: 'failed', reason });
    const right: VerifyOptions = { ...truth, expected: () => [] };
    expect(await replayFailure(make, kept, right)).toMatchObject({ status: 'passed' });
  });

  it('faults compares the projection with the ground truth without a state', async () => {
    const { make, observe } = consumerOf((consumer, state) =>
      consumer.on(created, 'v1', ({ payload: { account_number } }) => {
        const before = (state.get(account_number) as string[] | undefined) ?? [];
        state.set(account_number, [...before, account_number]);
      }),
    );
    const contract: VerifyOptions = {
      observe: () => [...observe().keys()],
      projection: () => [...observe().values()].flat(),
      // The first was there before.
      expected: (world) => world.accounts().flatMap(({ number }, index) => (index > 0 ? [number] : [])),
      scenarios: ['join-switch-gain'],
      runs: 10,
      faults: ['duplicate', 'delay'],
    };
    const only = ['baseline', 'duplicates', 'faults'];
    const results = await resultsOf(make, { ...contract, only });
    const [failed, ...others] = results.filter(({ status }) => status !== 'passed');
    expect(others).toEqual([]);
    const reason = 'With duplicate: The projection does not match the ground truth at "/1".';
    expect(failed).toMatchObject({ name: 'faults', reason });
    const kept = readRepro(failed!.finding!.repro!.file, failed!.finding!.repro!.content);
    expect(kept.deliveries.flatMap(({ faults }) => faults)).toEqual(['duplicate']);
    expect(await replayFailure(make, kept, contract)).toMatchObject({ status: 'failed', reason });
  });

  it('floating reads no stack while the work is open', async () => {
    const { prepareStackTrace } = Error;
    onTestFinished(() => {
      Error.prepareStackTrace = prepareStackTrace;
    });
    const read = vi.fn(prepareStackTrace);
    const floating = new FloatingWork('1');
    await floating.during(async () => {
      Error.prepareStackTrace = read;
      const handler = async () => void new Promise(() => undefined);
      await floating.observer.around?.({ id: '1' } as AnyEvent, {} as HandlerContext, handler);
      await new Promise(setImmediate);
      expect(read).not.toHaveBeenCalled();
    });
    expect(floating.open).toMatchObject([{ kind: 'Promise', isOwn: true }]);
    expect(read).toHaveBeenCalled();
  });

  it('reports a hanging handler once, and excludes its event', async () => {
    let began = 0;
    const stuck = () => {
      began++;
      return new Promise<void>(() => undefined);
    };
    const { make, observe } = consumerOf((consumer) => {
      consumer.on(created, 'v1', stuck, { name: 'stuck' });
      consumer.on(agreed, 'v1', () => undefined);
    });
    const verified = { observe, handlerTimeout: 50, scenarios: ['house-move'], runs: 5 };
    const only = ['samples', 'versions', 'poison', 'faults'];
    const results = await resultsOf(make, { ...verified, only });
    expect(results).toMatchObject([
      { subject: 'account.created-v1', status: 'failed', reason: expect.stringContaining('Handler "stuck"') },
      { subject: 'agreement.created-v1', status: 'passed' },
      { subject: 'agreement.created-v1', status: 'passed' },
      { subject: 'account.created-v1', status: 'not-run', reason: 'The handler hangs.' },
      { name: 'poison', status: 'passed' },
      { subject: 'account.created-v1', status: 'not-run' },
      { name: 'faults', status: 'passed' },
      { subject: 'account.created-v1', status: 'not-run' },
    ]);
    // When states are compared, by its samples, when these are shrunk, and in the replay.
    expect(began).toBe(4);
    expect(results[0]?.finding?.repro?.deliveries).toEqual(['"account.created-v1" (minimal)']);
    const kept = readRepro('repro', results[0]!.finding!.repro!.content);
    expect(await replayFailure(make, kept, { observe, handlerTimeout: 50 })).toMatchObject({
      status: 'failed',
    });
  });

  it('shows the sample that ends the run, or whose handler hangs', async () => {
    const define: Define = (consumer) =>
      consumer.on(created, 'v1', async ({ payload }) => {
        if (payload.account_user_emails.length === 0) await new Promise(() => undefined);
      });
    const [hanging] = await findings('samples', define, { handlerTimeout: 50 });
    expect(hanging).toMatchObject({ status: 'failed', finding: { diagnosis: 'handler-hangs' } });
    expect(hanging?.finding?.repro?.deliveries).toEqual(['"account.created-v1" (empty lists)']);
    const stopping = makerOf(
      (consumer) => {
        consumer.on(created, 'v1', ({ payload }) => {
          if (payload.account_user_emails.length === 0) throw new Error('No user.');
        });
      },
      { retry: { attempts: 1 }, afterDeadLetter: 'stop' },
    );
    const [ended] = await resultsOf(stopping, { only: ['samples'], scenarios: ['house-move'] });
    expect(ended).toMatchObject({ status: 'failed', finding: { diagnosis: 'run-ends' } });
  });

  it('reports not-run for checks of states that are missing or differ each time', async () => {
    const define: Define = (consumer, state) =>
      consumer.on(created, 'v1', () => void state.set('at', performance.now()));
    const [unequal] = await findings('duplicates', define);
    expect(unequal).toMatchObject({ status: 'not-run' });
    expect(unequal?.reason).toContain('different states');
    // As a module remembers them that "reset" does not empty.
    const seen = new Set<string>();
    const [forgetless] = await findings('duplicates', (consumer, state) =>
      consumer.on(created, 'v1', ({ id = '', payload }) => {
        if (!seen.has(id)) state.set(payload.account_number, {});
        seen.add(id);
      }),
    );
    expect(forgetless).toMatchObject({ status: 'not-run' });
    expect(forgetless?.reason).toContain('different states');
    const [unseen] = await findings('duplicates', define, { observe: undefined as never });
    expect(unseen?.reason).toContain('Pass "observe"');
  });

  it('leaves a time zone that "TZ" sets', async () => {
    vi.stubEnv('TZ', 'Europe/London');
    onTestFinished(() => void vi.unstubAllEnvs());
    const results = await findings('time-zone', rightConsumer);
    expect(results).toMatchObject([
      { status: 'not-run', reason: '"TZ" sets the time zone "Europe/London".' },
    ]);
  });

  it('keeps the time zone of the process', async () => {
    const zone = () => new Date(0).getTimezoneOffset();
    const before = zone();
    expect(await findings('time-zone', rightConsumer)).toMatchObject([{ status: 'passed' }]);
    expect([zone(), process.env['TZ']]).toEqual([before, undefined]);
  });

  it('compares values of two realms as equal, as under Jest', async () => {
    const parse = runInNewContext('JSON.parse') as typeof JSON.parse;
    vi.stubGlobal('structuredClone', (value: unknown) =>
      value === undefined ? undefined : (parse(JSON.stringify(value)) as unknown),
    );
    onTestFinished(() => void vi.unstubAllGlobals());
    const same = { projection: () => ({ some: ['data'] }), expected: () => ({ some: ['data'] }) };
    for (const check of ['mutation', 'baseline']) {
      const results = await findings(check, rightConsumer, same);
      expect(results.length).toBeGreaterThan(0);
      expect(results.filter(({ status }) => status !== 'passed')).toEqual([]);
    }
  });

  it('restores the listeners of the process', async () => {
    const before = process.listeners('unhandledRejection');
    await findings('rejections', rightConsumer);
    expect(process.listeners('unhandledRejection')).toEqual(before);
  });
});
