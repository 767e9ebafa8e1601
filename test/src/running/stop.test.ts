import { BusbarError } from 'busbar';
import { virtualClock } from 'busbar/base';
import { describe, expect, it } from 'vitest';
import { account, accounts, gate, handledBy, scripted, setUp } from '../account-consumer.js';

describe('stop', () => {
  it('waits for running handlers, starts no more, and commits', async () => {
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

  it('drops pending retries; their records are redelivered', async () => {
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

  it('starts no record behind one that waits for a retry', async () => {
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

  it('starts no retry for a handler that fails meanwhile', async () => {
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

  it('logs the settled records that will be redelivered', async () => {
    const { transport, run, log } = setUp((number) => {
      if (number === '1') throw new Error('not yet');
    });
    for (const [number, key] of ['a', 'b', 'a', 'c'].entries()) transport.send(account(String(number), key));
    const running = await run({ clock: virtualClock(), retry: { attempts: 2 } });
    await handledBy(running, 3);
    await running.stop();
    expect(log.lines.slice(1)).toEqual([
      'info: settled records will be redelivered {"topic":"platform.events","partition":0,"from":1,"to":4,"settled":2}',
    ]);
  });

  it('aborts a handler that does not end in time; its record is redelivered', async () => {
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
      'warn: handler abandoned after the drain timeout {"topic":"platform.events","partition":0,"timeoutMs":5000}',
    ]);

    never.open();
    transport.end();
    const again = await run();
    await again.finished;
    expect(running.counts.handled).toBe(0);
    expect(again.counts.handled).toBe(1);
  });

  it('resolves when a handler calls it without awaiting it', async () => {
    const { transport, run } = setUp(() => void running.then((each) => each.stop()));
    transport.send(...accounts(3));
    const running = run();
    await (await running).finished;
    expect((await running).counts.handled).toBe(3);
  });

  it('happens when the signal aborts', async () => {
    const abort = new AbortController();
    const { run } = setUp(() => undefined);
    const running = await run({ signal: abort.signal });
    abort.abort();
    await running.finished;
    await expect(run({ signal: abort.signal })).rejects.toThrow('aborted');
  });

  it('rejects "finished" with the error that ended the run', async () => {
    const { consumer, log } = setUp(() => undefined);
    const lost = scripted((receiver) => {
      setImmediate(() => receiver.fail(new BusbarError('connection-failed', 'The broker "b:1" went away.')));
      return { commit: () => undefined, resume: () => undefined, stop: () => Promise.resolve() };
    });
    const running = await consumer.run(lost);
    await expect(running.finished).rejects.toThrow('The broker "b:1" went away.');
    await expect(running.stop()).resolves.toBeUndefined();
    expect(log.lines).toEqual([
      'error: consumer failed {"error":"The broker \\"b:1\\" went away.","code":"connection-failed"}',
    ]);
  });
});
