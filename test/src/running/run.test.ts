import {
  BusbarError,
  createConsumer,
  type HandlerContext,
  memory,
  type Receiver,
  type Transport,
  virtualClock,
} from 'busbar';
import { describe, expect, it } from 'vitest';
import {
  type AccountHandler,
  account,
  accounts,
  catalogue,
  gate,
  handledBy,
  message,
  scripted,
  setUp,
} from '../account-consumer.js';
import { accountCreated, envelope, headersOf, leaveCompleted, recordOf } from '../records.js';

describe('a running consumer', () => {
  it('handles what is sent, in order, and finishes when the source ends', async () => {
    const seen: string[] = [];
    const { transport, run } = setUp((number) => void seen.push(number));
    transport.send(...accounts(250));
    transport.end();
    const running = await run();
    await running.finished;
    expect(seen).toEqual(Array.from({ length: 250 }, (_, n) => String(n)));
    expect(running.counts).toMatchObject({ handled: 250, deadLettered: 0 });
  });

  it('gives a handler the run it is part of', async () => {
    const contexts: HandlerContext[] = [];
    const { transport, run, log } = setUp((_, context) => void contexts.push(context));
    transport.send(account('1'));
    transport.end();
    const clock = virtualClock(86_400_000);
    const random = () => 0.5;
    await (await run({ clock, random })).finished;
    expect(contexts).toMatchObject([
      { attempt: 1, clock, random, logger: log, handler: 'account.created-v1', consumer: 'consumer' },
    ]);
    expect(contexts[0]!.signal.aborted).toBe(false);
  });

  it('keeps the order of a partition when some handlers take time and others do not', async () => {
    const seen: string[] = [];
    let running = 0;
    const { transport, run } = setUp((number) => {
      expect(running).toBe(0);
      if (Number(number) % 3 === 0) return void seen.push(number);
      running++;
      return new Promise((resolve) =>
        setImmediate(() => {
          running--;
          seen.push(number);
          resolve();
        }),
      );
    });
    transport.send(...accounts(60));
    transport.end();
    await (await run()).finished;
    expect(seen).toEqual(Array.from({ length: 60 }, (_, n) => String(n)));
  });

  it('does not let one partition wait for another', async () => {
    const blocked = gate();
    const others = gate();
    let handled = 0;
    const { transport, run } = setUp(
      (number) => {
        if (number === 'slow') return blocked.opened;
        if (++handled === 500) others.open();
        return undefined;
      },
      { partitions: 2 },
    );
    transport.send({ ...account('slow'), partition: 0 });
    transport.send(...accounts(500).map((each) => ({ ...each, partition: 1 })));
    transport.end();
    const running = await run();
    await others.opened;
    expect(running.counts.handled).toBe(500);
    blocked.open();
    await running.finished;
    expect(running.counts.handled).toBe(501);
  });

  it('takes no more than the window while a handler is busy, and goes on when there is room', async () => {
    const blocked = gate();
    const seen: string[] = [];
    const transport = memory();
    const counted = countingTransport(transport);
    const consumer = createConsumer({ catalogue });
    consumer.on('account.created', 'v1', (event) => {
      seen.push(event.payload.account_number);
      return seen.length === 1 ? blocked.opened : undefined;
    });
    transport.send(...accounts(500));
    transport.end();
    const running = await consumer.run(counted.transport, { window: 20 });
    await counted.refused;
    expect(counted.taken()).toBe(20);
    blocked.open();
    await running.finished;
    expect(seen).toEqual(Array.from({ length: 500 }, (_, n) => String(n)));
  });

  it('counts what no handler got, by reason', async () => {
    const { transport, run } = setUp(() => undefined, {
      policies: { unknownEvents: 'ignore', undecodableRecords: 'ignore' },
    });
    transport.send(account('1'), message(leaveCompleted), message(leaveCompleted));
    transport.send(message({ type: 'no.such', version: 'v1', payload: {} }), { value: 'not JSON' });
    transport.send(message({ ...accountCreated, payload: {} }));
    transport.end();
    const running = await run();
    await running.finished;
    expect(running.counts).toEqual({
      handled: 1,
      skipped: { unhandled: 2, unknown: 1, superseded: 0, 'other-group': 0, invalid: 0, undecodable: 1 },
      deadLettered: 1,
      retried: 0,
    });
    expect(transport.deadLetters).toMatchObject([
      { cause: { code: 'invalid-event', event: 'account.created-v1', attempts: 0 } },
    ]);
  });

  it('can be run again, and goes on where the last run was', async () => {
    const seen: string[] = [];
    const { transport, run } = setUp((number) => void seen.push(number));
    transport.send(account('1'));
    const first = await run();
    await handledBy(first, 1);
    await first.stop();
    transport.send(account('2'));
    transport.end();
    await (await run()).finished;
    expect(seen).toEqual(['1', '2']);
  });

  it('holds back what a transport delivers before it has finished opening', async () => {
    const seen: string[] = [];
    const { consumer } = setUp((number) => void seen.push(number));
    const partition = { topic: 't', partition: 0 };
    const resumed: unknown[] = [];
    const commits: number[] = [];
    const eager = scripted((receiver) => {
      expect(receiver.receive(partition, [recordOf(envelope(accountCreated))])).toBe(0);
      receiver.end();
      return {
        commit: (_, offset) => void commits.push(offset),
        resume: (which) => {
          resumed.push(which);
          expect(receiver.receive(partition, [recordOf(envelope(accountCreated))])).toBe(1);
        },
        stop: () => Promise.resolve(),
      };
    });
    const running = await consumer.run(eager);
    await running.finished;
    expect(resumed).toEqual([partition]);
    expect(commits).toEqual([18]);
    expect(seen).toEqual(['A-1B2C3D4E']);
  });
});

describe('a handler that fails', () => {
  const failing: AccountHandler[] = [
    (number) => {
      if (number === '1') throw new TypeError('account A-5EC7E7 is odd');
    },
    async (number) => {
      await Promise.resolve();
      if (number === '1') throw new TypeError('account A-5EC7E7 is odd');
    },
  ];

  it.each(failing)('has its record set aside, and the next one handled (%#)', async (handler) => {
    const { transport, run, log } = setUp(handler);
    transport.send(...accounts(3));
    transport.end();
    const running = await run();
    await running.finished;
    expect(running.counts).toMatchObject({ handled: 2, deadLettered: 1 });
    const [letter] = transport.deadLetters;
    expect(letter!.record.offset).toBe(1);
    expect(letter!.cause).toEqual({
      code: 'handler-failed',
      event: 'account.created-v1',
      handler: 'account.created-v1',
      attempts: 1,
      message:
        'Handler "account.created-v1" of event "account.created-v1" failed with TypeError ' +
        '(topic "platform.events", partition 0, offset 1).',
    });
    expect(log.lines).toHaveLength(1);
    expect(log.lines[0]).toMatch(
      /^error: Handler .* \{"code":"handler-failed","at":"at .*run\.test\.ts:\d+:\d+\)?"\}$/,
    );
    expect(log.lines[0]).not.toContain('A-5EC7E7');
  });

  it.each(failing)(
    'ends the run where nothing can be set aside, and its record comes again (%#)',
    async (handler) => {
      const { transport, consumer, run, log } = setUp(handler, { deadLetters: false });
      transport.send(...accounts(3));
      transport.end();
      const running = await run();
      const error: unknown = await running.finished.catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(BusbarError);
      expect(error).toMatchObject({ code: 'handler-failed', cause: expect.any(TypeError) });
      expect(log.lines.at(-1)).toMatch(/^error: The consumer ends: Handler/);
      expect(running.counts).toMatchObject({ handled: 1 });

      const again: string[] = [];
      const second = createConsumer({ catalogue });
      second.on('account.created', 'v1', (event) => void again.push(event.payload.account_number));
      await (await second.run(transport)).finished;
      expect(again).toEqual(['1', '2']);
      expect(consumer).toBeDefined();
    },
  );

  it('under the policy "fail" is an invalid event as well, though no handler ran', async () => {
    const { transport, run } = setUp(() => undefined, { policies: { invalidEvents: 'fail' } });
    transport.send(account('1'), message({ ...accountCreated, payload: {} }), account('2'));
    transport.end();
    const running = await run();
    await expect(running.finished).rejects.toMatchObject({ code: 'invalid-event' });
    expect(running.counts.handled).toBe(1);
  });
});

describe('dead letters', () => {
  it('asked for by name of a transport that has none are refused at the start', async () => {
    const { run } = setUp(() => undefined, {
      deadLetters: false,
      policies: { unknownEvents: 'dead-letter' },
    });
    await expect(run()).rejects.toMatchObject({
      code: 'no-dead-letters',
      message: expect.stringContaining('Policy "unknownEvents" is "dead-letter"'),
    });
  });

  it('chosen by a function where there are none end the run', async () => {
    const { transport, run } = setUp(() => undefined, {
      deadLetters: false,
      policies: { unknownEvents: () => 'dead-letter' },
    });
    transport.send(message({ type: 'no.such', version: 'v1', payload: {} }));
    await expect((await run()).finished).rejects.toMatchObject({ code: 'unknown-record' });
  });

  it('are no default where there are none: broken records are warned of', async () => {
    const { transport, run, log } = setUp(() => undefined, { deadLetters: false });
    transport.send({ value: 'not JSON' }, { value: 'not JSON' });
    transport.end();
    const running = await run();
    await running.finished;
    expect(running.counts.skipped.undecodable).toBe(2);
    expect(log.lines).toHaveLength(2);
  });
});

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

describe('a partition that is taken away', () => {
  it('is let go when its handler has ended, and nothing of it is committed later', async () => {
    const blocked = gate();
    const started = gate();
    const { consumer } = setUp(async () => {
      started.open();
      await blocked.opened;
    });
    const partition = { topic: 't', partition: 0 };
    const calls: string[] = [];
    let receiver: Receiver | undefined;
    const running = await consumer.run(
      scripted((given) => {
        receiver = given;
        return {
          commit: (_, offset) => void calls.push(`commit ${offset}`),
          resume: () => undefined,
          stop: () => Promise.resolve(),
        };
      }),
    );
    const record = recordOf(envelope(accountCreated));
    expect(receiver!.receive(partition, [record, { ...record, offset: 18 }])).toBe(2);
    await started.opened;
    const revoked = receiver!.revoke([partition]).then(() => calls.push('revoked'));
    expect(receiver!.receive(partition, [{ ...record, offset: 19 }])).toBe(0);
    blocked.open();
    await revoked;
    expect(calls).toEqual(['commit 18', 'revoked']);
    await running.stop();
  });

  it('is done up to the last record that was begun, so that none of them comes twice', async () => {
    const blocked = gate();
    const handled: string[] = [];
    const { consumer, transport, run } = setUp(
      async (number) => {
        if (number === '0') await blocked.opened;
        handled.push(number);
      },
      { concurrency: 2 },
    );
    // Key a waits for its first record; b overtakes it, and is ahead when the end comes.
    for (const [number, key] of ['a', 'a', 'b', 'a', 'b'].entries())
      transport.send(account(String(number), key));
    const first = await run();
    await handledBy(first, 2);
    transport.send(account('5', 'a'), account('6', 'b'));
    const stopped = first.stop();
    blocked.open();
    await stopped;
    transport.end();
    await (await consumer.run(transport)).finished;
    expect(handled.toSorted()).toEqual(['0', '1', '2', '3', '4', '5', '6']);
    expect(first.counts.handled).toBeGreaterThanOrEqual(5);
  });

  it('begins nothing more in the second half of the drain, nor when it is lost already', async () => {
    for (const [how, elapsed] of [
      [{}, 5_000],
      [{ within: 200 }, 100],
      [{ lost: true }, 0],
    ] as const) {
      const blocked = gate();
      const clock = virtualClock();
      let begun = 0;
      const { consumer } = setUp(async (number) => {
        begun++;
        if (number === '0') await blocked.opened;
      });
      let receiver: Receiver | undefined;
      const nothing = () => undefined;
      const running = await consumer.run(
        scripted((given) => {
          receiver = given;
          return { commit: nothing, resume: nothing, stop: () => Promise.resolve() };
        }),
        { clock, drainTimeout: 10_000 },
      );
      const partition = { topic: 't', partition: 0 };
      const record = (offset: number, key: string) => {
        const { value, headers } = account(String(offset), key);
        return { ...recordOf(value, headers), key: Buffer.from(key), offset };
      };
      receiver!.receive(partition, [record(0, 'a'), record(1, 'a'), record(2, 'b')]);
      await handledBy(running, 1);
      const revoked = receiver!.revoke([partition], how);
      clock.advance(elapsed);
      blocked.open();
      await revoked;
      expect(begun).toBe(2);
      await running.stop();
    }
  });

  it('and comes back lets a key wait for the handler of it that was given up and still runs', async () => {
    const { opened, open } = gate();
    const clock = virtualClock();
    const begun: string[] = [];
    const { consumer } = setUp((number) => {
      begun.push(number);
      return begun.length === 1 ? opened : undefined;
    });
    const partition = { topic: 't', partition: 0 };
    const commits: number[] = [];
    let receiver!: Receiver;
    const running = await consumer.run(
      scripted((given) => {
        receiver = given;
        return {
          commit: (_, offset) => void commits.push(offset),
          resume: () => undefined,
          stop: () => Promise.resolve(),
        };
      }),
      { clock },
    );
    const records = ['hangs', 'behind', 'other'].map((number, offset) => ({
      ...recordOf(account(number).value, headersOf(accountCreated)),
      key: Buffer.from(number === 'other' ? 'key-b' : 'key-a'),
      offset,
    }));
    receiver.receive(partition, records.slice(0, 1));
    // Twice: a partition that goes again before its first handler has ended is no other case.
    for (let n = 0; n < 2; n++) {
      const revoked = receiver.revoke([partition]);
      clock.advance(10_000);
      await revoked;
      receiver.receive(partition, records);
    }
    expect(begun).toEqual(['hangs', 'other', 'other']);
    expect(commits).toEqual([]);
    open();
    await running.idle();
    expect(begun.slice(3)).toEqual(['hangs', 'behind']);
    expect(commits).toEqual([1, 3]);
    expect(running.counts.handled).toBe(4);
    await running.stop();
  });

  it('keeps nothing of a handler that ends too late, well or badly', async () => {
    for (const late of ['resolves', 'rejects']) {
      const { opened, open } = gate();
      const { consumer } = setUp(async () => {
        await opened;
        if (late === 'rejects') throw new Error('too late');
      });
      const clock = virtualClock();
      const partition = { topic: 't', partition: 0 };
      const calls: string[] = [];
      let receiver: Receiver | undefined;
      const running = await consumer.run(
        scripted((given) => {
          receiver = given;
          return {
            commit: () => void calls.push('commit'),
            resume: () => undefined,
            deadLetter: async () => void calls.push('dead letter'),
            stop: () => Promise.resolve(),
          };
        }, true),
        { clock },
      );
      receiver!.receive(partition, [recordOf(envelope(accountCreated), headersOf(accountCreated))]);
      const revoked = receiver!.revoke([partition]);
      clock.advance(10_000);
      await revoked;
      open();
      await new Promise((resolve) => setImmediate(resolve));
      expect(calls, late).toEqual([]);
      expect(running.counts.handled).toBe(0);
      const stopped = running.stop();
      expect(receiver!.receive({ topic: 't', partition: 1 }, [recordOf(envelope(accountCreated))])).toBe(0);
      await stopped;
    }
  });
});

/** Counts what a run takes of a transport. */
function countingTransport(inner: Transport) {
  let taken = 0;
  const first = gate();
  const transport: Transport = {
    ...inner,
    open: (receiver, options) =>
      inner.open(
        {
          receive(partition, records) {
            const count = receiver.receive(partition, records);
            taken += count;
            if (count < records.length) first.open();
            return count;
          },
          revoke: (partitions) => receiver.revoke(partitions),
          end: () => receiver.end(),
          fail: (error) => receiver.fail(error),
        },
        options,
      ),
  };
  return { transport, refused: first.opened, taken: () => taken };
}
