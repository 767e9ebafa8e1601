import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type HandlerContext, type RunningConsumer } from 'busbar';
import { virtualClock } from 'busbar/base';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { account, accountUpdated, gate, playOut, setUp } from '../account-consumer.js';

// Deadlines are on the wall clock even where the run's clock is virtual, so here the wall clock is one that obeys.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 }));
afterEach(() => void vi.useRealTimers());

/** Lets everything run except timers. */
async function turns(): Promise<void> {
  for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
}

const untilAborted = ({ signal }: HandlerContext) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

describe('the deadline of a handler', () => {
  it('retries an attempt that resolves after its deadline', async () => {
    const clock = virtualClock();
    const reasons: unknown[] = [];
    const { transport, run, log } = setUp(
      async (_, context) => {
        if (context.attempt === 2) return;
        await untilAborted(context);
        reasons.push(context.signal.reason);
      },
      { retry: { attempts: 3 } },
    );
    transport.send(account('1'));
    const running = await run({ clock, deadline: 30_000 });
    await turns();
    vi.advanceTimersByTime(29_999);
    await turns();
    expect(reasons).toEqual([]);
    vi.advanceTimersByTime(1);
    await playOut(running, clock);
    expect(reasons).toMatchObject([{ name: 'TimeoutError', message: expect.stringContaining('30000 ms') }]);
    expect(running.counts).toMatchObject({ handled: 1, retried: 1, deadLettered: 0 });
    expect(log.lines).toHaveLength(1);
    expect(log.lines[0]).toMatch(
      /^info: handler failed, retrying \{"retryInMs":.*Handler .* did not end within 30000 ms \(/,
    );
    expect(vi.getTimerCount()).toBe(0);
  });

  it('comes from the handler’s options, and dead-letters after the last attempt', async () => {
    const { transport, consumer, run } = setUp(() => undefined);
    consumer.on('account.updated', 'v1', (_, context) => untilAborted(context), {
      deadline: 5,
      name: 'slow',
    });
    transport.send(accountUpdated);
    const running = await run();
    await turns();
    vi.advanceTimersByTime(5);
    await running.idle();
    expect(transport.deadLetters.at(-1)).toMatchObject({
      cause: { code: 'deadline-exceeded', handler: 'slow', attempts: 1 },
    });
  });

  it('sets no timer for a synchronous handler, nor without a limit', async () => {
    const { opened, open } = gate();
    const { transport, run } = setUp((number) => (number === 'slow' ? opened : undefined));
    transport.send(account('1'), account('slow'));
    const running = await run({ deadline: Number.POSITIVE_INFINITY });
    await turns();
    expect(vi.getTimerCount()).toBe(0);
    expect(running.health().running).toBe(1);
    open();
    await running.idle();
    expect(running.counts.handled).toBe(2);
  });
});

describe('a handler that ignores its signal', () => {
  it('blocks its lane, and appears in health and once in the log', async () => {
    const clock = virtualClock();
    const { opened, open } = gate();
    const begun: string[] = [];
    const { transport, run, log } = setUp(
      (number, { attempt }) => {
        begun.push(`${number}, attempt ${attempt}`);
        return number === 'hangs' && attempt === 1 ? opened : undefined;
      },
      { retry: { attempts: 3 } },
    );
    transport.send(account('hangs', 'key-1'), account('behind', 'key-1'), account('other', 'key-2'));
    const running = await run({ clock });
    await turns();
    vi.advanceTimersByTime(60_999);
    expect(running.health()).toMatchObject({ status: 'ok', running: 1, hung: [] });
    vi.advanceTimersByTime(14_001);
    await turns();
    expect(begun).toEqual(['hangs, attempt 1', 'other, attempt 1']);
    expect(running.health()).toMatchObject({
      status: 'unhealthy',
      reasons: [
        'Handler "account.created-v1" has run for 75 s, exceeds its deadline of 60 s and ignores its signal ' +
          '(topic "platform.events", partition 0, offset 0).',
      ],
      hung: [
        { handler: 'account.created-v1', topic: 'platform.events', partition: 0, offset: 0, age: 75_000 },
      ],
      partitions: [{ committed: undefined, unsettled: 2 }],
    });
    expect(log.lines).toEqual([
      'error: handler exceeded its deadline {"handler":"account.created-v1","deadlineMs":60000,' +
        '"topic":"platform.events","partition":0,"offset":0,"code":"deadline-exceeded"}',
    ]);

    open();
    await playOut(running, clock);
    expect(begun.slice(2)).toEqual(['hangs, attempt 2', 'behind, attempt 1']);
    expect(running.health()).toMatchObject({ status: 'ok', hung: [], partitions: [{ committed: 3 }] });
  });

  it('counts as abandoned at the stop, and its late end changes nothing', async () => {
    const clock = virtualClock();
    const { opened, open } = gate();
    const { transport, run } = setUp(() => opened);
    transport.send(account('1'));
    const running = await run({ clock, drainTimeout: 10_000 });
    await turns();
    vi.advanceTimersByTime(61_000);
    const stopped = running.stop();
    await turns();
    clock.advance(10_000);
    await stopped;
    expect(running.health().hung).toHaveLength(1);
    open();
    await turns();
    expect(running.health().hung).toEqual([]);
    expect(running.counts).toMatchObject({ handled: 0, deadLettered: 0 });
    expect(transport.deadLetters).toEqual([]);
    expect(await redelivered(transport, run)).toBe(1);
  });

  it('keeps no process alive after the stop', async () => {
    const program = fileURLToPath(new URL('programs/hanging-service.ts', import.meta.url));
    vi.useRealTimers();
    const service = promisify(execFile)(process.execPath, ['--import', 'tsx', program]);
    onTestFinished(() => void service.child.kill('SIGKILL'));
    expect((await service).stdout).toBe('stopped');
  });
});

/** Returns the number of records that the next run receives. */
async function redelivered(transport: { end(): void }, run: () => Promise<RunningConsumer>): Promise<number> {
  transport.end();
  const again = await run();
  await again.finished;
  return again.counts.handled;
}
