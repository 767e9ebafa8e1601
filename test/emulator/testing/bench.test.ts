import { once } from 'node:events';
import { type Consumer, createConsumer, openCatalogue, silentLogger } from 'busbar';
import { idempotent, memoryStore } from 'busbar/idempotency';
import { createTestBench } from 'busbar-emulator/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSampler } from '../../../emulator/samples/sampler.js';
import { benchOf } from './bench-of.js';

const catalogue = openCatalogue();

const leave = 'lifecycle.leave-supplier.completed';
const payload = {
  account_number: 'A-1B2C3D4E',
  leave_supplier_process_id: 1,
  leave_supplier_process_number: 'LS-1B2C3D4E',
  leave_supplier_process_subtype: 'MOVE_OUT',
  supply_points: [],
};
const minute = 60_000;

/** Blocks the process between two turns of the event loop, as on a busy machine. */
async function standStill(duration = 2): Promise<void> {
  await new Promise(setImmediate);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, duration);
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}

describe('TestBench.deliver()', () => {
  it('resolves after the consumer has handled the event', async () => {
    const seen: unknown[] = [];
    const bench = benchOf((consumer) => {
      consumer.on(leave, 'v3', async ({ payload: { account_number }, occurredAt, record }) => {
        await Promise.resolve();
        seen.push([account_number, occurredAt, record.headers.get('tenant')?.toString()]);
      });
    });
    const id = await bench.deliver(leave, 'v3', payload, { headers: { tenant: 'north' } });
    expect(seen).toEqual([['A-1B2C3D4E', '2026-03-02T09:00:00.000Z', 'north']]);
    expect(bench.results).toMatchObject([
      { outcome: 'handled', type: leave, version: 'v3', id, key: 'A-1B2C3D4E', attempts: 1, duration: 0 },
    ]);
  });

  it('reports the reason of a skipped or dead-lettered event', async () => {
    const bench = benchOf((consumer) => consumer.on(leave, 'v3', () => undefined));
    await bench.deliver('account.created', 'v1', {} as never);
    await bench.deliver(leave, 'v3', {} as never);
    await bench.send({ key: 'A-1', value: 'no event' });
    expect(bench.results.map(({ outcome, reason, attempts }) => [outcome, reason, attempts])).toEqual([
      ['skipped', 'unhandled', 0],
      ['dead-lettered', 'invalid-event', 0],
      ['dead-lettered', 'undecodable-record', 0],
    ]);
    expect(bench.deadLetters.map(({ cause }) => cause.code)).toEqual(['invalid-event', 'undecodable-record']);
  });

  it('delivers a duplicate for a repeated id', async () => {
    let handled = 0;
    const bench = benchOf((consumer) => {
      consumer.use(idempotent({ store: memoryStore() }));
      consumer.on(leave, 'v3', () => {
        handled++;
      });
    });
    const id = await bench.deliver(leave, 'v3', payload);
    await bench.deliver(leave, 'v3', payload, { id });
    await bench.deliver(leave, 'v3', payload);
    expect([handled, bench.results.length]).toEqual([2, 3]);
  });

  it('repeats ids and retry pauses for the same seed', async () => {
    const outcomesOf = async (seed: number) => {
      const bench = benchOf(
        (consumer) =>
          consumer.on(leave, 'v3', (_event, { attempt }) => {
            if (attempt < 4) throw new Error('not yet');
          }),
        { seed },
      );
      await bench.deliver(leave, 'v3', payload);
      await bench.idle();
      return bench.results;
    };
    expect(await outcomesOf(1)).toEqual(await outcomesOf(1));
    expect(await outcomesOf(1)).not.toEqual(await outcomesOf(2));
  });

  it('rejects an event that the catalogue does not have', async () => {
    const bench = benchOf((consumer) => consumer.on(leave, 'v3', () => undefined));
    await expect(bench.deliver('account.create' as never, 'v1' as never, {} as never)).rejects.toThrow(
      'The catalogue has no event "account.create". Did you mean "account.created"',
    );
    await expect(bench.deliver(leave, 'v9' as never, {} as never)).rejects.toThrow('has no version "v9"');
  });
});

describe('virtual time of a TestBench', () => {
  it('stops while a handler runs, and skips ten minutes of pauses', async () => {
    const attempts: [number, number][] = [];
    const bench = benchOf((consumer) => {
      const backoff = { initial: 10 * minute, max: 10 * minute, jitter: 'none' } as const;
      const retry = { attempts: 3, backoff, maxElapsed: Infinity };
      consumer.on(
        leave,
        'v3',
        async (_event, { clock, attempt }) => {
          const begun = clock.now();
          await new Promise(setImmediate);
          attempts.push([begun - bench.world.now, attempt]);
          throw new Error('no');
        },
        { retry },
      );
    });
    await bench.deliver(leave, 'v3', payload);
    expect(bench.results).toEqual([]);
    await bench.advance(10 * minute - 1);
    expect(attempts).toHaveLength(1);
    await bench.idle();
    expect(attempts).toEqual([
      [0, 1],
      [0, 2],
      [0, 3],
    ]);
    expect(bench.results).toMatchObject([
      { outcome: 'dead-lettered', reason: 'handler-failed', attempts: 3, duration: 20 * minute },
    ]);
  });

  it('runs retries of several lanes in order of time, one after the other', async () => {
    const story: string[] = [];
    const events = [
      [leave, 'v3', 'A-1', 3 * minute],
      ['account.created', 'v1', 'A-2', minute],
      ['lifecycle.join-supplier.requested', 'v1', 'A-3', 2 * minute],
    ] as const;
    const bench = benchOf((consumer) => {
      for (const [type, version, key, initial] of events) {
        consumer.on(
          type,
          version as never,
          async (_event, { attempt }) => {
            if (attempt === 1) throw new Error('not yet');
            story.push(`${key} begins`);
            await new Promise(setImmediate);
            story.push(`${key} ends`);
          },
          { retry: { backoff: { initial, max: initial, jitter: 'none' } } },
        );
      }
    });
    const sampler = await createSampler({ catalogue });
    for (const [type, version, key] of events) {
      const sampled = sampler.sample(catalogue.find(type, version)!);
      await bench.deliver(type, version as never, sampled as never, { key });
    }
    await bench.idle();
    expect(story).toEqual(['A-2 begins', 'A-2 ends', 'A-3 begins', 'A-3 ends', 'A-1 begins', 'A-1 ends']);
  });

  it('names the hanging handler and its duration', async () => {
    let release = () => {};
    const stuck = () => new Promise<void>((resolve) => (release = resolve));
    const define = (consumer: Consumer) => consumer.on(leave, 'v3', stuck, { name: 'stuck' });
    const bench = benchOf(define, { handlerTimeout: 30 });
    await expect(bench.deliver(leave, 'v3', payload)).rejects.toThrow(
      /^Handler "stuck" of event "lifecycle.leave-supplier.completed-v3" has not ended after \d+ ms\. Raise "handlerTimeout"/,
    );
    release();
    await bench.idle();
    expect(bench.results).toMatchObject([{ outcome: 'handled' }]);
  });

  it('waits as long as handlers keep ending', async () => {
    let before = Promise.resolve();
    const handle = () => (before = before.then(() => standStill()));
    const bench = benchOf((consumer) => consumer.on(leave, 'v3', handle), { handlerTimeout: 40 });
    const envelope = { event_type: leave, version: 'v3', occurred_at: '2026-03-02T09:00:00Z', payload };
    const records = Array.from({ length: 60 }, (_, n) => ({
      key: `key-${n}`,
      value: JSON.stringify({ id: String(n), ...envelope }),
    }));
    await bench.send(...records);
    expect(bench.results).toHaveLength(60);
  });

  it('excludes time in which the process is stopped from the handlerTimeout', async () => {
    const bench = benchOf((consumer) => consumer.on(leave, 'v3', () => standStill(100)), {
      handlerTimeout: 50,
    });
    await bench.deliver(leave, 'v3', payload);
    expect(bench.results).toMatchObject([{ outcome: 'handled' }]);
  });

  it('aborts the signal of a hanging handler when the bench stops', async () => {
    let given: AbortSignal | undefined;
    const define = (consumer: Consumer) =>
      consumer.on(leave, 'v3', async (_event, { signal }) => {
        given = signal;
        await once(signal, 'abort');
      });
    const bench = benchOf(define, { handlerTimeout: 30 });
    await expect(bench.deliver(leave, 'v3', payload)).rejects.toMatchObject({ code: 'never-idle' });
    await bench.stop();
    expect(given?.reason).toMatchObject({ name: 'AbortError' });
    await expect(bench.idle()).rejects.toMatchObject({ code: 'run-over' });
  });
});

describe('a consumer on a TestBench', () => {
  it('receives only unsettled records after a restart', async () => {
    const attempts: [string | undefined, number][] = [];
    const bench = benchOf((consumer) =>
      consumer.on(leave, 'v3', ({ id }, { attempt }) => {
        attempts.push([id, attempt]);
        if (attempts.length === 2) throw new Error('no');
      }),
    );
    const first = await bench.deliver(leave, 'v3', payload);
    const second = await bench.deliver(leave, 'v3', payload);
    await bench.restart();
    await bench.idle();
    expect(attempts).toEqual([
      [first, 1],
      [second, 1],
      [second, 1],
    ]);
  });

  it('makes the bench reject with the error that ended it', async () => {
    const consumer = createConsumer({ policies: { invalidEvents: 'fail' }, logger: silentLogger });
    consumer.on(leave, 'v3', () => undefined);
    const bench = createTestBench(consumer);
    onTestFinished(() => bench.stop());
    await bench.deliver(leave, 'v3', {} as never).catch(() => undefined);
    await expect(bench.idle()).rejects.toMatchObject({ code: 'invalid-event' });
  });

  it('causes an error if it is missing or has no handlers', async () => {
    expect(() => createTestBench(undefined as never)).toThrow('has no consumer');
    const bench = createTestBench(createConsumer({ logger: silentLogger }));
    onTestFinished(() => bench.stop());
    await expect(bench.idle()).rejects.toMatchObject({ code: 'no-handlers' });
  });
});
