import { createConsumer, openCatalogue, idempotent, memoryStore, silentLogger } from 'busbar';
import { type BenchOptions, createTestBench } from 'busbar/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSampler } from '../../../emulator/samples/sampler.js';

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

type Consumer = ReturnType<typeof createConsumer>;

/** A bench that ends with the test. */
function benchOf(define: (consumer: Consumer) => void, options: BenchOptions = {}) {
  const consumer = createConsumer({ logger: silentLogger });
  define(consumer);
  const bench = createTestBench(consumer, options);
  onTestFinished(() => bench.stop());
  return bench;
}

/** The whole process stands still, as on a busy machine, between two turns of the event loop. */
async function standStill(duration = 2): Promise<void> {
  await new Promise(setImmediate);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, duration);
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}

describe('what is delivered to a test bench', () => {
  it('is handled by the consumer, and its outcome is there when the call resolves', async () => {
    const seen: unknown[] = [];
    const bench = benchOf((consumer) => {
      consumer.on(leave, 'v3', async ({ payload: { account_number }, occurredAt, record }) => {
        await Promise.resolve();
        seen.push([account_number, occurredAt, record.headers.get('tenant')?.toString()]);
      });
    });
    const id = await bench.deliver(leave, 'v3', payload, { headers: { tenant: 'north' } });
    expect(seen).toEqual([['A-1B2C3D4E', '2026-03-02T09:00:00.000Z', 'north']]);
    expect(bench.outcomes).toMatchObject([
      { outcome: 'handled', type: leave, version: 'v3', id, key: 'A-1B2C3D4E', attempts: 1, duration: 0 },
    ]);
  });

  it('says of what no handler gets why: skipped, or set aside with its code', async () => {
    const bench = benchOf((consumer) => consumer.on(leave, 'v3', () => undefined));
    await bench.deliver('account.created', 'v1', {} as never);
    await bench.deliver(leave, 'v3', {} as never);
    await bench.send({ key: 'A-1', value: 'no event' });
    expect(bench.outcomes.map(({ outcome, reason, attempts }) => [outcome, reason, attempts])).toEqual([
      ['skipped', 'unhandled', 0],
      ['dead-lettered', 'invalid-event', 0],
      ['dead-lettered', 'undecodable-record', 0],
    ]);
    expect(bench.deadLetters.map(({ cause }) => cause.code)).toEqual(['invalid-event', 'undecodable-record']);
  });

  it('is a duplicate when it is given the id of another, and idempotency takes it for one', async () => {
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
    expect([handled, bench.outcomes.length]).toEqual([2, 3]);
  });

  it('has the same ids and the same pauses for the same seed', async () => {
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
      return bench.outcomes;
    };
    expect(await outcomesOf(1)).toEqual(await outcomesOf(1));
    expect(await outcomesOf(1)).not.toEqual(await outcomesOf(2));
  });

  it('must be an event of the catalogue', async () => {
    const bench = benchOf((consumer) => consumer.on(leave, 'v3', () => undefined));
    await expect(bench.deliver('account.create' as never, 'v1' as never, {} as never)).rejects.toThrow(
      'The catalogue has no event "account.create". Did you mean "account.created"',
    );
    await expect(bench.deliver(leave, 'v9' as never, {} as never)).rejects.toThrow('has no version "v9"');
  });
});

describe('virtual time', () => {
  it('stands still while a handler runs, and takes ten minutes of pauses in no time', async () => {
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
    expect(bench.outcomes).toEqual([]);
    await bench.advance(10 * minute - 1);
    expect(attempts).toHaveLength(1);
    await bench.idle();
    expect(attempts).toEqual([
      [0, 1],
      [0, 2],
      [0, 3],
    ]);
    expect(bench.outcomes).toMatchObject([
      { outcome: 'dead-lettered', reason: 'handler-failed', attempts: 3, duration: 20 * minute },
    ]);
  });

  it('lets retries of several lanes happen in order of time, each when what was before it has ended', async () => {
    const story: string[] = [];
    const pauses: Record<string, number> = { 'A-1': 3 * minute, 'A-2': minute, 'A-3': 2 * minute };
    const bench = benchOf((consumer) => {
      for (const [key, initial] of Object.entries(pauses)) {
        consumer.on(
          key === 'A-1' ? leave : key === 'A-2' ? 'account.created' : 'lifecycle.join-supplier.requested',
          (key === 'A-1' ? 'v3' : 'v1') as never,
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
    for (const [type, version, key] of [
      [leave, 'v3', 'A-1'],
      ['account.created', 'v1', 'A-2'],
      ['lifecycle.join-supplier.requested', 'v1', 'A-3'],
    ] as const) {
      const sampler = await createSampler({ catalogue });
      const sampled = sampler.sample(catalogue.find(type, version)!);
      await bench.deliver(type, version as never, sampled as never, { key });
    }
    await bench.idle();
    expect(story).toEqual(['A-2 begins', 'A-2 ends', 'A-3 begins', 'A-3 ends', 'A-1 begins', 'A-1 ends']);
  });

  it('names the handler that keeps it waiting, and for how long', async () => {
    let release = () => {};
    const bench = benchOf(
      (consumer) =>
        consumer.on(leave, 'v3', () => new Promise<void>((resolve) => (release = resolve)), {
          name: 'stuck',
        }),
      { patience: 30 },
    );
    await expect(bench.deliver(leave, 'v3', payload)).rejects.toThrow(
      /^Handler "stuck" of event "lifecycle.leave-supplier.completed-v3" has not ended after \d+ ms: virtual time stands still/,
    );
    release();
    await bench.idle();
    expect(bench.outcomes).toMatchObject([{ outcome: 'handled' }]);
  });

  it('waits for as long as handlers end one after the other', async () => {
    let before = Promise.resolve();
    const bench = benchOf(
      (consumer) => consumer.on(leave, 'v3', () => (before = before.then(() => standStill()))),
      {
        patience: 40,
      },
    );
    const envelope = { event_type: leave, version: 'v3', occurred_at: '2026-03-02T09:00:00Z', payload };
    const records = Array.from({ length: 60 }, (_, n) => ({
      key: `key-${n}`,
      value: JSON.stringify({ id: String(n), ...envelope }),
    }));
    await bench.send(...records);
    expect(bench.outcomes).toHaveLength(60);
  });

  it('does not count the time in which a busy machine stops the process', async () => {
    const bench = benchOf((consumer) => consumer.on(leave, 'v3', () => standStill(100)), { patience: 50 });
    await bench.deliver(leave, 'v3', payload);
    expect(bench.outcomes).toMatchObject([{ outcome: 'handled' }]);
  });

  it('goes on for a handler that never ends when the bench is stopped, which tells it by its signal', async () => {
    let reason: unknown;
    const bench = benchOf(
      (consumer) =>
        consumer.on(
          leave,
          'v3',
          (_event, { signal }) =>
            new Promise<void>((resolve) => {
              signal.addEventListener('abort', () => {
                reason = signal.reason;
                resolve();
              });
            }),
        ),
      { patience: 30 },
    );
    await expect(bench.deliver(leave, 'v3', payload)).rejects.toMatchObject({ code: 'never-idle' });
    await bench.stop();
    expect(reason).toMatchObject({ name: 'AbortError' });
    await expect(bench.idle()).rejects.toMatchObject({ code: 'run-over' });
  });
});

describe('a consumer on a bench', () => {
  it('is started again with what was not settled, and nothing else', async () => {
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

  it('that ends itself makes the bench reject with its error', async () => {
    const consumer = createConsumer({ policies: { invalidEvents: 'fail' }, logger: silentLogger });
    consumer.on(leave, 'v3', () => undefined);
    const bench = createTestBench(consumer);
    onTestFinished(() => bench.stop());
    await bench.deliver(leave, 'v3', {} as never).catch(() => undefined);
    await expect(bench.idle()).rejects.toMatchObject({ code: 'invalid-event' });
  });

  it('must be one, with handlers', async () => {
    expect(() => createTestBench(undefined as never)).toThrow('give it a consumer');
    const bench = createTestBench(createConsumer({ logger: silentLogger }));
    onTestFinished(() => bench.stop());
    await expect(bench.idle()).rejects.toMatchObject({ code: 'no-handlers' });
  });
});
