import { BusbarError, virtualClock } from 'busbar';
import { describe, expect, it } from 'vitest';
import { account, accounts, gate, handledBy, scripted, setUp } from '../account-consumer.js';

describe('stop', () => {
  it('waits for running handlers, starts no other, and commits what was settled', async () => {
    const started = gate();
    const blocked = gate();
    const seen: string[] = [];
    const { transport, run } = setUp(async (number) => {
      started.open();
      await blocked.opened;
      seen.push(number);
    });
    transport.send(...accounts(3));
    const running = await run();
    await started.opened;
    const stops = Promise.all([running.stop(), running.stop()]);
    blocked.open();
    await stops;
    await running.finished;
    expect(seen).toEqual(['0']);

    transport.end();
    const again = await run();
    await again.finished;
    expect(seen).toEqual(['0', '1', '2']);
  });

  it('gives up retries that wait, at once; the record and those behind it come again', async () => {
    const clock = virtualClock();
    const seen: string[] = [];
    const { transport, run } = setUp(
      (number, { attempt }) => {
        if (number === '1' && seen.length < 2) throw new Error('down');
        seen.push(`${number}, attempt ${attempt}`);
      },
      { retry: { attempts: 3 } },
    );
    transport.send(
      account('1', 'key-1'),
      account('2', 'key-1'),
      account('3', 'key-2'),
      account('4', 'key-3'),
    );
    const running = await run({ clock });
    await running.idle();
    await running.stop();
    expect(clock.advanceToNext()).toBe(false);
    transport.end();
    await (await run({ clock })).finished;
    expect(seen).toEqual([
      '3, attempt 1',
      '4, attempt 1',
      '1, attempt 1',
      '2, attempt 1',
      '3, attempt 1',
      '4, attempt 1',
    ]);
  });

  it('begins nothing behind a record that waits for its next attempt, since that comes again anyway', async () => {
    const { opened, open } = gate();
    const handled: string[] = [];
    const { transport, run } = setUp(
      async (number) => {
        if (number === 'fails') throw new Error('not yet');
        if (number === 'slow') await opened;
        handled.push(number);
      },
      { retry: { attempts: 2 } },
    );
    transport.send(account('fails', 'key-1'), account('slow', 'key-2'));
    transport.send(account('behind', 'key-2'), account('other', 'key-3'));
    const running = await run({ clock: virtualClock() });
    await handledBy(running, 1);
    while (running.health().backingOff === 0) await new Promise((resolve) => setImmediate(resolve));
    const stopped = running.stop();
    open();
    await stopped;
    expect(handled).toEqual(['other', 'slow']);
  });

  it('begins no other attempt at what fails while it waits for it', async () => {
    const { opened, open } = gate();
    const attempts: number[] = [];
    const { transport, run } = setUp(
      async (_, { attempt }) => {
        attempts.push(attempt);
        await opened;
        throw new Error('no');
      },
      { retry: { attempts: 3 } },
    );
    transport.send(account('1'));
    const running = await run();
    while (attempts.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const stopped = running.stop();
    open();
    await stopped;
    expect(attempts).toEqual([1]);
    expect(transport.deadLetters).toEqual([]);
  });

  it('tells what comes again, because a record before it waited for its next attempt', async () => {
    const { transport, run, log } = setUp((number) => {
      if (number === '1') throw new Error('not yet');
    });
    for (const [number, key] of ['a', 'b', 'a', 'c'].entries()) transport.send(account(String(number), key));
    const running = await run({ clock: virtualClock(), retry: { attempts: 2 } });
    await handledBy(running, 3);
    await running.stop();
    expect(log.lines.slice(1)).toEqual([
      'info: What was settled behind a record that was not comes again. {"topic":"platform.events","partition":0,"from":1,"to":4,"settled":2}',
    ]);
  });

  it('aborts a handler that does not end in time, and its record comes again', async () => {
    const started = gate();
    const never = gate();
    const clock = virtualClock();
    const signals: AbortSignal[] = [];
    const { transport, run, log } = setUp(async (_, { signal }) => {
      signals.push(signal);
      started.open();
      if (signals.length === 1) await never.opened;
    });
    transport.send(account('1'));
    const running = await run({ clock, drainTimeout: 5000 });
    await started.opened;
    const stopped = running.stop();
    clock.advance(4999);
    await Promise.resolve();
    expect(signals[0]!.aborted).toBe(false);
    clock.advance(1);
    await stopped;
    expect(signals[0]!.aborted).toBe(true);
    expect(log.lines).toEqual([
      'warn: A handler did not end within 5000 ms and is abandoned. {"topic":"platform.events","partition":0}',
    ]);

    never.open();
    transport.end();
    const again = await run();
    await again.finished;
    expect(running.counts.handled).toBe(0);
    expect(again.counts.handled).toBe(1);
  });

  it('may be called by a handler that does not wait for it', async () => {
    const { transport, run } = setUp(() => void running.then((each) => each.stop()));
    transport.send(...accounts(3));
    const running = run();
    await (await running).finished;
    expect((await running).counts.handled).toBe(3);
  });

  it('comes from an abort signal as well', async () => {
    const abort = new AbortController();
    const { run } = setUp(() => undefined);
    const running = await run({ signal: abort.signal });
    abort.abort();
    await running.finished;
    await expect(run({ signal: abort.signal })).rejects.toThrow('aborted');
  });

  it('finishes with the error that ended the run, whoever looks', async () => {
    const { consumer, log } = setUp(() => undefined);
    const lost = scripted((receiver) => {
      setImmediate(() => receiver.fail(new BusbarError('connection-failed', 'The broker "b:1" went away.')));
      return { commit: () => undefined, resume: () => undefined, stop: () => Promise.resolve() };
    });
    const running = await consumer.run(lost);
    await expect(running.finished).rejects.toThrow('The broker "b:1" went away.');
    await expect(running.stop()).resolves.toBeUndefined();
    expect(log.lines).toEqual([
      'error: The consumer ends: The broker "b:1" went away. {"code":"connection-failed"}',
    ]);
  });
});
