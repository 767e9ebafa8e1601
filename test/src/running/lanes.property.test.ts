import { createConsumer, silentLogger } from 'busbar';
import { virtualClock } from 'busbar/base';
import { memory } from 'busbar/internal/memory';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { account, catalogue, playOut } from '../account-consumer.js';
import { cases } from '../../cases.js';

/** The outcome of one attempt, and its duration in turns of the event loop; 0 is synchronous. */
const attempt = fc.record({
  ends: fc.constantFrom('well', 'well', 'badly', 'for good' as const),
  turns: fc.nat(3),
});

const given = fc.record({
  records: fc.array(
    fc.record({
      key: fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { freq: 5 }),
      attempts: fc.array(attempt, { minLength: 1, maxLength: 3 }),
    }),
    { maxLength: 60, size: 'max' },
  ),
  partitions: fc.integer({ min: 1, max: 3 }),
  concurrency: fc.integer({ min: 1, max: 5 }),
  window: fc.integer({ min: 1, max: 30 }),
  laneBy: fc.boolean(),
  /** After how many attempts each run but the last is stopped. */
  stops: fc.array(fc.nat(20), { maxLength: 3 }),
});

describe('lanes, for random handlers and stops', () => {
  it('handle each key in order within the limits, and lose nothing', async () => {
    await fc.assert(
      fc.asyncProperty(given, async ({ records, partitions, concurrency, window, laneBy, stops }) => {
        const clock = virtualClock();
        const transport = memory({ partitions, clock });
        const violations: string[] = [];
        const isSetAside = (n: number) =>
          transport.deadLetters.some(({ record }) => numberIn(record.value) === n);
        const tries = records.map(() => 0);
        const ended = new Set<number>();
        let running = 0;
        let begun = 0;
        let stopAfter = Number.POSITIVE_INFINITY;
        let stop: () => void = () => undefined;
        const perLane = new Map<string, { active: number; last: number }>();

        const consumer = createConsumer({
          catalogue,
          logger: silentLogger,
          retry: { attempts: 5 },
          concurrency,
          ...(laneBy && { laneBy: ({ record }) => record.key?.toString() }),
        });
        consumer.on('account.created', 'v1', ({ payload, record }) => {
          const n = Number(payload.account_number);
          const { attempts, key } = records[n]!;
          const { ends, turns } = attempts[tries[n]!++ % attempts.length]!;
          const name = `${record.partition}/${key ?? ''}`;
          const lane = perLane.get(name) ?? { active: 0, last: -1 };
          perLane.set(name, lane);
          if (++begun >= stopAfter) stop();
          // Not by `expect`, whose errors would pass for failures of the handler.
          if (++running > concurrency) violations.push(`${running} handlers at once`);
          if (++lane.active > 1) violations.push(`${lane.active} of lane ${name} at once`);
          if (n < lane.last) violations.push(`${n} after ${lane.last}`);
          if (n > lane.last && lane.last >= 0 && !ended.has(lane.last) && !isSetAside(lane.last))
            violations.push(`${n} before the end of ${lane.last}`);
          lane.last = n;
          const end = () => {
            running--;
            lane.active--;
            if (ends === 'badly') throw new Error('no');
            if (ends === 'for good') throw Object.assign(new Error('never'), { retryable: false });
            ended.add(n);
          };
          if (turns > 0) return waitFor(turns).then(end);
          end();
          return undefined;
        });

        for (const [n, { key }] of records.entries()) {
          const at = key === null ? n % partitions : key.charCodeAt(0) % partitions;
          transport.send({ ...account(String(n)), key, partition: at });
        }
        for (const attempts of [...stops, Number.POSITIVE_INFINITY]) {
          // A redelivery may begin again from before the last one.
          perLane.clear();
          begun = 0;
          stopAfter = attempts;
          const run = await consumer.run(transport, { clock, window });
          stop = () => void run.stop();
          await playOut(run, clock);
          for (const { committed, oldest, taken } of run.health().partitions)
            if (oldest === undefined) expect(committed).toBe(taken);
          await run.stop();
          expect(running).toBe(0);
          expect(violations).toEqual([]);
        }

        const letters = transport.deadLetters.map(({ record }) => numberIn(record.value));
        expect(new Set([...ended, ...letters]).size).toBe(records.length);
        // All is settled: one more run gets nothing.
        begun = 0;
        transport.end();
        await (await consumer.run(transport, { clock })).finished;
        expect(begun).toBe(0);
      }),
      { numRuns: cases(40, 150) },
    );
  });

  it('handle a successful record once, despite repeated stops', async () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd');
    const records = fc.array(fc.record({ key, turns: fc.nat(4) }), {
      minLength: 1,
      maxLength: 60,
      size: 'max',
    });
    const stops = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(records, stops, fc.boolean(), async (sent, ends, laneBy) => {
        const clock = virtualClock();
        const transport = memory({ clock });
        const handled = sent.map(() => 0);
        let untilStop = 0;
        let stop: () => void = () => undefined;
        const consumer = createConsumer({
          catalogue,
          logger: silentLogger,
          concurrency: 3,
          ...(laneBy && { laneBy: ({ record }) => record.key?.toString() }),
        });
        consumer.on('account.created', 'v1', ({ payload }) => {
          const n = Number(payload.account_number);
          handled[n]!++;
          if (--untilStop === 0) stop();
          const { turns } = sent[n]!;
          return turns > 0 ? waitFor(turns) : undefined;
        });
        for (const [n, each] of sent.entries()) transport.send(account(String(n), each.key));
        for (const after of [...ends, Number.POSITIVE_INFINITY]) {
          untilStop = after;
          const run = await consumer.run(transport, { clock });
          stop = () => void run.stop();
          await run.idle();
          await run.stop();
        }
        expect(handled).toEqual(sent.map(() => 1));
      }),
      { numRuns: cases(25, 100) },
    );
  });

  it('starve no key with a single slot', async () => {
    const keys = fc.integer({ min: 2, max: 8 });
    await fc.assert(
      fc.asyncProperty(keys, fc.integer({ min: 1, max: 3 }), async (count, partitions) => {
        const order: string[] = [];
        const transport = memory({ partitions });
        const consumer = createConsumer({ catalogue, concurrency: 1 });
        consumer.on('account.created', 'v1', async ({ record }) => {
          await waitFor(1);
          order.push(Buffer.from(record.key!).toString());
        });
        const rounds = 5;
        for (let n = 0; n < rounds * count; n++) transport.send(account(String(n), `key-${n % count}`));
        transport.end();
        await (await consumer.run(transport)).finished;
        for (let n = 0; n < count; n++) {
          const times = order.flatMap((key, at) => (key === `key-${n}` ? [at] : []));
          expect(times).toHaveLength(rounds);
          for (const [at, time] of times.entries())
            expect(time - (times[at - 1] ?? 0)).toBeLessThanOrEqual(count * partitions);
        }
      }),
      { numRuns: cases(10, 30) },
    );
  });
});

async function waitFor(turns: number): Promise<void> {
  for (let n = 0; n < turns; n++) await new Promise((resolve) => setImmediate(resolve));
}

function numberIn(value: Uint8Array | null): number {
  const { payload } = JSON.parse(Buffer.from(value!).toString()) as { payload: { account_number: string } };
  return Number(payload.account_number);
}
