import { createConsumer, type Partition, silentLogger, type Subscription } from 'busbar';
import { virtualClock } from 'busbar/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { account, catalogue, received } from '../account-consumer.js';
import { accountCreated, headersOf, recordOf } from '../records.js';
import { cases } from '../../cases.js';

const overhead = 500;
const MiB = 1024 * 1024;

/** A turn of the event loop, in which everything happens that can. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A consumer whose handlers end when the test says, on partitions that the test plays. */
async function playing(count: number, budgetBytes?: number) {
  const clock = virtualClock();
  const partitions = Array.from({ length: count }, (_, partition): Partition => ({ topic: 't', partition }));
  const held = partitions.map(() => 0);
  const next = partitions.map(() => 0);
  /** Partitions that have refused a record and were not resumed since. */
  const waiting = new Set<Partition>();
  const running: { readonly end: () => void; readonly partition: number; readonly bytes: number }[] = [];
  const consumer = createConsumer({ catalogue, logger: silentLogger });
  consumer.on('account.created', 'v1', ({ record: { key, value, partition } }) => {
    const bytes = key!.byteLength + value!.byteLength + overhead;
    return new Promise((resolve) => {
      running.push({ end: resolve, partition, bytes });
    });
  });
  const status = {
    connected: true,
    lastHeard: undefined,
    partitions: partitions.map((each) => ({
      ...each,
      committed: 0,
      position: 0,
      highWatermark: undefined,
      waiting: 0,
    })),
  };
  const subscription: Partial<Subscription> = {
    status: () => status,
    resume: (partition) => void waiting.delete(partition),
  };
  const { running: run, receiver } = await received(consumer, subscription, {
    clock,
    concurrency: 100_000,
    windowBytes: 2 ** 40,
    ...(budgetBytes === undefined ? {} : { budgetBytes }),
  });
  const headers = headersOf(accountCreated);
  /** Offers one record like a transport. Returns whether it was taken. */
  const offer = (at: number, value: Uint8Array, key = String(next[at])): boolean => {
    const partition = partitions[at]!;
    if (waiting.has(partition)) return false;
    const record = { ...recordOf(value, headers), ...partition, offset: next[at]!, key: Buffer.from(key) };
    const isTaken = receiver.receive(partition, [record]) === 1;
    if (isTaken) {
      next[at]! += 1;
      held[at]! += record.key.byteLength + value.byteLength + overhead;
    } else waiting.add(partition);
    return isTaken;
  };
  const settle = async (which: number) => {
    const [ended] = running.splice(which % Math.max(running.length, 1), 1);
    if (ended === undefined) return;
    held[ended.partition]! -= ended.bytes;
    ended.end();
    await turn();
  };
  const total = () => held.reduce((sum, bytes) => sum + bytes, 0);
  return { clock, run, receiver, partitions, held, total, waiting, running, offer, settle };
}

const valueOf = (bytes: number) => Buffer.from(account('x'.repeat(bytes)).value);

describe('the memory budget of a consumer', () => {
  it('bounds all partitions together, and starves none', async () => {
    const budget = 20_000;
    const step = fc.oneof(
      fc.record({ offer: fc.nat(9), bytes: fc.oneof(fc.nat(2_000), fc.constant(30_000)), times: fc.nat(20) }),
      fc.record({ settle: fc.nat(), times: fc.nat(20) }),
    );
    const law = fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.array(step, { maxLength: 30, size: 'max' }),
      async (count, steps) => {
        const { run, partitions, held, total, waiting, running, offer, settle } = await playing(
          count,
          budget,
        );
        const reserve = budget / (2 * count);
        let largest = 0;
        let taken = 0;
        const check = () => {
          expect(total()).toBeLessThanOrEqual(budget + count * largest);
          const charged = held.reduce((sum, bytes) => sum + Math.max(bytes, reserve), 0);
          if (charged <= 0.75 * budget) expect(waiting.size).toBe(0);
          for (const [at, partition] of partitions.entries())
            if (held[at]! <= reserve / 2) expect(waiting.has(partition)).toBe(false);
        };
        for (const each of steps) {
          for (let time = 0; time < each.times; time++) {
            if ('settle' in each) await settle(each.settle);
            else {
              const at = each.offer % count;
              const value = valueOf(each.bytes);
              const isWaiting = waiting.has(partitions[at]!);
              const hasRoom = held[at]! < reserve;
              const isTaken = offer(at, value);
              if (isTaken) {
                largest = Math.max(largest, value.byteLength + 2 + overhead);
                taken++;
              }
              if (!isWaiting && hasRoom) expect(isTaken).toBe(true);
              await turn();
            }
            check();
          }
        }
        while (running.length > 0) await settle(0);
        expect(waiting.size).toBe(0);
        expect(run.counts.handled).toBe(taken);
        await run.stop();
      },
    );
    await fc.assert(law, { numRuns: cases(15, 60) });
  });

  it('defaults to 256 MiB, shared by 24 stuck partitions', async () => {
    const { run, partitions, held, total, running, offer } = await playing(24);
    const value = valueOf(MiB);
    for (let n = 0; n < 40; n++) for (const at of partitions.keys()) offer(at, value, 'stuck');
    expect(total()).toBeGreaterThan(240 * MiB);
    expect(total()).toBeLessThan((256 + 25) * MiB * 1.01);
    for (const bytes of held) expect(bytes).toBeGreaterThan(5 * MiB);
    const stopped = run.stop();
    for (const { end } of running) end();
    await stopped;
  });

  it('belongs to a single partition completely', async () => {
    const { clock, run, total, running, offer } = await playing(1);
    const value = valueOf(MiB);
    while (offer(0, value, 'stuck'));
    expect(Math.round(total() / MiB)).toBe(256);
    clock.advance(60_000);
    expect(run.health()).toMatchObject({
      reasons: [
        expect.stringMatching(
          / is blocked: .* and the 256 records from that offset use up its share of "budgetBytes"\.$/,
        ),
      ],
      partitions: [{ isFull: true, isBlocked: true }],
    });
    const stopped = run.stop();
    for (const { end } of running) end();
    await stopped;
  });

  it('leaves half of it to the other partitions when one is stuck', async () => {
    const { run, held, running, offer } = await playing(8);
    const value = valueOf(MiB);
    while (offer(0, value, 'stuck'));
    expect(Math.round(held[0]! / MiB)).toBe(144);
    for (let at = 1; at < 8; at++) {
      let taken = 0;
      while (offer(at, value, 'stuck')) taken++;
      expect(taken).toBe(16);
    }
    const stopped = run.stop();
    for (const { end } of running) end();
    await stopped;
  });

  it('resumes waiting partitions when another one is revoked', async () => {
    const { clock, run, receiver, partitions, waiting, running, offer } = await playing(2, 100_000);
    const value = valueOf(1_000);
    while (offer(0, value));
    while (offer(1, value));
    expect(waiting.size).toBe(2);
    const revoked = receiver.revoke([partitions[0]!]);
    // Its handlers are given up: nothing of it is settled.
    clock.advance(10_000);
    await revoked;
    expect([...waiting]).not.toContain(partitions[1]);
    expect(offer(1, value)).toBe(true);
    const stopped = run.stop();
    for (const { end } of running) end();
    await stopped;
  });
});
