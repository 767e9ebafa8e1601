import { once } from 'node:events';
import {
  BusbarError,
  type Consumer,
  createConsumer,
  type RetryOptions,
  type RunOptions,
  type Transport,
} from 'busbar';
import { virtualClock } from 'busbar/base';
import { memory } from 'busbar/internal/memory';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { defaultRetry, resolveRetry, retryDelay } from '../../../src/running/retry.js';
import { account, accountUpdated, playOut, setUp } from '../account-consumer.js';
import { logLines } from '../log-lines.js';

/** Handles three accounts under three keys, of which the first fails. Returns the start of each attempt. */
async function attemptsAt(
  retry: RetryOptions | undefined,
  fail: (attempt: number) => void,
  options: RunOptions = {},
) {
  const clock = virtualClock();
  const begun: [number: string, at: number][] = [];
  const { transport, run, log } = setUp((number, { attempt }) => {
    begun.push([number, clock.now()]);
    if (number === 'bad') fail(attempt);
  });
  transport.send(account('bad', 'key-1'), account('2', 'key-2'), account('3', 'key-1'));
  const running = await run({ clock, random: () => 0.5, ...(retry && { retry }), ...options });
  await playOut(running, clock);
  return { begun, running, letters: transport.deadLetters, log };
}

const failAlways = () => {
  throw new TypeError('no');
};

describe('retry', () => {
  it.each([
    ['fails', 60_000, () => Promise.reject(new Error('cut'))],
    ['exceeds its deadline', 1, (signal: AbortSignal) => once(signal, 'abort')],
  ])('counts no time in which the machine slept during an attempt that %s', async (_, deadline, end) => {
    const { now } = Date;
    let slept = 0;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + slept);
    onTestFinished(() => clock.mockRestore());
    const attempts: number[] = [];
    const { transport, run } = setUp(async (__, { attempt, signal }) => {
      attempts.push(attempt);
      if (attempt > 1) return;
      // The time of the attempt begins when its handler returns.
      await Promise.resolve();
      slept = 3_600_000;
      await end(signal);
    });
    transport.send(account('1'));
    transport.end();
    const running = await run({ deadline, retry: { backoff: { initial: 0 } } });
    await running.finished;
    expect(attempts).toEqual([1, 2]);
    expect(running.counts).toMatchObject({ handled: 1, deadLettered: 0 });
  });

  it('retries after growing delays, for which only the failed key waits', async () => {
    const retry = {
      attempts: 5,
      backoff: { initial: 1000, factor: 3, max: 10_000, jitter: 'none' },
    } as const;
    const { begun, letters, running } = await attemptsAt(retry, failAlways);
    expect(begun).toEqual([
      ['bad', 0],
      ['2', 0],
      ['bad', 1000],
      ['bad', 4000],
      ['bad', 13_000],
      ['bad', 23_000],
      ['3', 23_000],
    ]);
    expect(letters).toMatchObject([{ cause: { code: 'handler-failed', attempts: 5 } }]);
    expect(running.counts).toMatchObject({ handled: 2, retried: 4, deadLettered: 1 });
  });

  it('runs ten minutes of retries immediately on a virtual clock', async () => {
    const retry = { backoff: { initial: 600_000, max: 600_000 }, maxElapsed: 1e9 };
    const { begun, letters } = await attemptsAt(retry, (attempt) => {
      if (attempt < 4) throw new TypeError('not yet');
    });
    expect(begun.map(([, at]) => at)).toEqual([0, 0, 300_000, 600_000, 900_000, 900_000]);
    expect(letters).toEqual([]);
  });

  it('waits a random part of the delay', async () => {
    const { begun } = await attemptsAt({ attempts: 3 }, failAlways, { random: () => 0.25 });
    expect(begun.filter(([number]) => number === 'bad').map(([, at]) => at)).toEqual([0, 50, 150]);
  });

  it('starts no attempt beyond maxElapsed', async () => {
    const backoff = { initial: 1000, factor: 1, jitter: 'none' } as const;
    const { letters } = await attemptsAt({ attempts: 100, backoff, maxElapsed: 5500 }, failAlways);
    expect(letters).toMatchObject([{ cause: { attempts: 6 } }]);
  });

  it.each([
    ['later', 8 * 60 * 60 * 1000],
    ['earlier', -8 * 60 * 60 * 1000],
  ])('counts no time in which the machine slept, or its clock was set %s', async (_, jump) => {
    const clock = virtualClock();
    let jumped = 0;
    const setClock = { ...clock, now: () => clock.now() + jumped };
    const retry = { attempts: 100, maxElapsed: 5_500, backoff: { initial: 1_000, factor: 1 } };
    const attemptsOf = async (start: (consumer: Consumer, transport: Transport) => Promise<unknown>) => {
      let attempts = 0;
      const transport = memory();
      const consumer = createConsumer({ logger: logLines(), clock: setClock, random: () => 1, retry });
      consumer.on('account.created', 'v1', (_event, { attempt }) => {
        attempts = attempt;
        throw new TypeError('no');
      });
      transport.send(account('bad'));
      void start(consumer, transport);
      for (let at = 0; at < 10; at++) {
        await new Promise((resolve) => setImmediate(resolve));
        if (at === 1) jumped += jump;
        clock.advanceToNext();
      }
      return attempts;
    };
    expect(await attemptsOf((consumer, transport) => consumer.run(transport))).toBe(6);
    const record = { topic: 'events', value: account('bad').value };
    expect(await attemptsOf((consumer) => consumer.dispatch(record, { retry: true }).catch(() => 0))).toBe(6);
  });

  it('does not retry an error with retryable: false', async () => {
    const { letters } = await attemptsAt({ attempts: 5 }, () => {
      throw Object.assign(new Error('no such account'), { retryable: false });
    });
    expect(letters).toMatchObject([{ cause: { attempts: 1 } }]);
  });

  it('retries by default, and logs the delay without the message', async () => {
    const { letters, log } = await attemptsAt({}, () => {
      throw new TypeError('account A-5EC7E7 is odd');
    });
    expect(letters).toMatchObject([{ cause: { attempts: defaultRetry.attempts } }]);
    expect(log.lines[0]).toMatch(
      /^info: handler failed, retrying \{"retryInMs":100,.*Handler .* failed with TypeError \(.*offset 0\)\./,
    );
    expect(log.lines).toHaveLength(defaultRetry.attempts);
    expect(log.lines.join()).not.toContain('A-5EC7E7');
  });

  it('prefers the handler’s options to the consumer’s, field by field', async () => {
    const clock = virtualClock();
    const { transport, consumer } = setUp(() => undefined, {
      retry: { attempts: 7, backoff: { initial: 100, factor: 1, jitter: 'none' } },
    });
    const at: number[] = [];
    consumer.on(
      'account.updated',
      'v1',
      () => {
        at.push(clock.now());
        throw new Error('no');
      },
      { retry: { backoff: { initial: 250 } } },
    );
    transport.send(accountUpdated);
    await playOut(await consumer.run(transport, { clock }), clock);
    expect(at).toEqual([0, 250, 500, 750, 1000, 1250, 1500]);
  });

  it('passes each attempt the original event', async () => {
    const clock = virtualClock();
    const seen: unknown[] = [];
    const { transport, consumer } = setUp(() => undefined, { retry: { attempts: 2 } });
    consumer.on('account.updated', 'v1', ({ payload, record }) => {
      seen.push(structuredClone(payload), record.headers.get('event-type')?.toString());
      (payload as { account_number?: string }).account_number = 'changed';
      if (seen.length === 2) throw new Error('no');
    });
    transport.send(accountUpdated);
    await playOut(await consumer.run(transport, { clock }), clock);
    expect(seen).toHaveLength(4);
    expect(seen.slice(2)).toEqual(seen.slice(0, 2));
  });

  it('ends at maxElapsed after thousands of attempts without a delay', () => {
    const retry = resolveRetry({ attempts: Number.POSITIVE_INFINITY, backoff: { initial: 0 } });
    const delayAt = (elapsed: number) => retryDelay(retry, { attempt: 2_000, elapsed, error: 'no' }, () => 1);
    expect(delayAt(300_000)).toBe(0);
    expect(delayAt(300_001)).toBeUndefined();
  });

  it('respects its limits for random options', () => {
    const options = fc.record({
      attempts: fc.integer({ min: 1, max: 50 }),
      backoff: fc.record({
        initial: fc.nat(5000),
        max: fc.nat(60_000),
        factor: fc.double({ min: 1, max: 5, noNaN: true }),
      }),
      maxElapsed: fc.nat(600_000),
    });
    fc.assert(
      fc.property(options, fc.double({ min: 0, max: 0.999, noNaN: true }), (given, drawn) => {
        const retry = resolveRetry(given);
        let elapsed = 0;
        let attempt = 1;
        for (;;) {
          const delay = retryDelay(retry, { attempt, elapsed, error: new Error('no') }, () => drawn);
          if (delay === undefined) break;
          expect(delay).toBeGreaterThanOrEqual(0);
          expect(delay).toBeLessThanOrEqual(given.backoff.max);
          elapsed += delay;
          attempt++;
        }
        expect(attempt).toBeLessThanOrEqual(given.attempts);
        expect(elapsed).toBeLessThanOrEqual(given.maxElapsed);
      }),
    );
  });

  it.each([
    [{ attempts: 0 }, 'retry.attempts'],
    [{ attempts: 1.5 }, 'retry.attempts'],
    [{ maxElapsed: -1 }, 'retry.maxElapsed'],
    [{ backoff: { initial: Number.NaN } }, 'retry.backoff.initial'],
    [{ backoff: { max: 1e12 } }, 'retry.backoff.max'],
    [{ backoff: { factor: 0.5 } }, 'retry.backoff.factor'],
    [{ backoff: { jitter: 'half' as 'full' } }, 'retry.backoff.jitter'],
  ])('rejects %j', async (retry, name) => {
    const { consumer, run } = setUp(() => undefined);
    const register = () => consumer.on('account.updated', 'v1', () => undefined, { retry });
    expect(register).toThrow(BusbarError);
    expect(register).toThrow(`The handler of "account.updated-v1": "${name}"`);
    await expect(run({ retry })).rejects.toMatchObject({ code: 'invalid-option' });
  });
});
