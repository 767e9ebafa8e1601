import {
  type ConsumerRecord,
  createConsumer,
  openCatalogue,
  type Partition,
  silentLogger,
  type Subscription,
} from 'busbar';
import { virtualClock } from 'busbar/base';
import { describe, expect, it } from 'vitest';
import { account, gate, handledBy, received, setUp } from '../account-consumer.js';
import { accountCreated, envelope, headersOf, recordOf } from '../records.js';

interface Settle {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** A record under a key, for the account with the number of its offset. */
function keyed(offset: number, key: string): ConsumerRecord {
  const { value, headers } = account(String(offset), key);
  return { ...recordOf(value, headers), key: Buffer.from(key), offset };
}

describe('a revoked partition', () => {
  it('waits for its handler, and commits nothing afterwards', async () => {
    const blocked = gate();
    const started = gate();
    const { consumer } = setUp(async () => {
      started.open();
      await blocked.opened;
    });
    const partition = { topic: 't', partition: 0 };
    const calls: string[] = [];
    const { running, receiver } = await received(consumer, {
      commit: (_, offset) => void calls.push(`commit ${offset}`),
    });
    const record = recordOf(envelope(accountCreated));
    expect(receiver.receive(partition, [record, { ...record, offset: 18 }])).toBe(2);
    await started.opened;
    const revoked = receiver.revoke([partition]).then(() => calls.push('revoked'));
    expect(receiver.receive(partition, [{ ...record, offset: 19 }])).toBe(0);
    blocked.open();
    await revoked;
    expect(calls).toEqual(['commit 18', 'revoked']);
    await running.stop();
  });

  it('handles the gaps before its last started record', async () => {
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

  it('handles a ready record before a started one, though others wait for its slot', async () => {
    const gates = new Map<string, ReturnType<typeof gate>>();
    const begun: string[] = [];
    const { consumer } = setUp(
      (number) => {
        begun.push(number);
        const blocked = gate();
        gates.set(number, blocked);
        return blocked.opened;
      },
      { concurrency: 2 },
    );
    const [partition, other] = [0, 1].map((each) => ({ topic: 't', partition: each })) as [
      Partition,
      Partition,
    ];
    const commits: string[] = [];
    const commit: Subscription['commit'] = (from, offset) =>
      void commits.push(`${from.partition}: ${offset}`);
    const { running, receiver } = await received(consumer, { commit });
    receiver.receive(partition, [keyed(0, 'a'), keyed(1, 'a'), keyed(2, 'b')]);
    receiver.receive(other, [keyed(9, 'c')]);
    const end = async (number: string, handled: number) => {
      gates.get(number)?.open();
      await handledBy(running, handled);
    };
    // Record 9 waits longer than record 1, so it gets the slot of record 0.
    await end('0', 1);
    expect(begun).toEqual(['0', '2', '9']);
    const revoked = receiver.revoke([partition]);
    await end('2', 2);
    expect(begun).toEqual(['0', '2', '9', '1']);
    await end('1', 3);
    await revoked;
    expect(commits).toEqual(['0: 1', '0: 3']);
    await end('9', 4);
    await running.stop();
  });

  it('handles a record whose verdict comes during the drain', async () => {
    const catalogue = openCatalogue();
    const commits: number[] = [];
    const consumer = createConsumer({ catalogue, logger: silentLogger });
    // A handler for any event: its validator is loaded when the first one comes.
    consumer.onAny(() => undefined);
    const { running, receiver } = await received(consumer, {
      commit: (_, offset) => void commits.push(offset),
    });
    const partition = { topic: 't', partition: 0 };
    receiver.receive(partition, [keyed(0, 'a'), keyed(1, 'a')]);
    await receiver.revoke([partition]);
    expect(running.counts.handled).toBe(1);
    expect(commits).toEqual([1]);
    await running.stop();
  });

  it('handles a record whose retry waits for a slot', async () => {
    const clock = virtualClock();
    const blocked = gate();
    const begun: string[] = [];
    const { consumer } = setUp(
      (number) => {
        begun.push(number);
        if (begun.length === 1) throw new Error('once');
        return number === '9' ? blocked.opened : undefined;
      },
      { concurrency: 1, retry: { backoff: { initial: 1_000, factor: 1, jitter: 'none' } } },
    );
    const [partition, other] = [0, 1].map((each) => ({ topic: 't', partition: each })) as [
      Partition,
      Partition,
    ];
    const { running, receiver } = await received(consumer, {}, { clock });
    receiver.receive(partition, [keyed(0, 'a')]);
    receiver.receive(other, [keyed(9, 'b')]);
    clock.advance(1_000);
    const revoked = receiver.revoke([partition]);
    blocked.open();
    await revoked;
    expect(begun).toEqual(['0', '9', '0']);
    expect(running.counts.handled).toBe(2);
    await running.stop();
  });

  it.each([
    ['key', {}],
    ['event', { laneBy: () => 'lane' }],
  ])('ignores a verdict that fails after the loss, in lanes by %s', async (_, options) => {
    const clock = virtualClock();
    let fail!: (error: Error) => void;
    const loading = new Promise<never>((__, reject) => {
      fail = reject;
    });
    const catalogue = { ...openCatalogue(), loadedValidator: () => undefined, validator: () => loading };
    const consumer = createConsumer({ catalogue, logger: silentLogger, ...options });
    consumer.onAny(() => undefined);
    const { running, receiver } = await received(consumer, {}, { clock });
    const partition = { topic: 't', partition: 0 };
    receiver.receive(partition, [keyed(0, 'a')]);
    const revoked = receiver.revoke([partition]);
    clock.advance(10_000);
    await revoked;
    fail(new Error('too late'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(running.health()).toMatchObject({ status: 'ok', reasons: [] });
    await running.stop();
    await running.finished;
  });

  it('fetches no more, though its window was full', async () => {
    const blocked = gate();
    const { consumer } = setUp(() => blocked.opened);
    const resumed: Partition[] = [];
    const { running, receiver } = await received(
      consumer,
      { resume: (partition) => void resumed.push(partition) },
      { window: 1 },
    );
    const partition = { topic: 't', partition: 0 };
    expect(receiver.receive(partition, [keyed(0, 'a'), keyed(1, 'b')])).toBe(1);
    const revoked = receiver.revoke([partition]);
    blocked.open();
    await revoked;
    expect(running.counts.handled).toBe(1);
    expect(resumed).toEqual([]);
    await running.stop();
  });

  it('starts nothing in the second half of the drain, or when it is lost', async () => {
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
      const { running, receiver } = await received(consumer, {}, { clock, drainTimeout: 10_000 });
      const partition = { topic: 't', partition: 0 };
      receiver.receive(partition, [keyed(0, 'a'), keyed(1, 'a'), keyed(2, 'b')]);
      await handledBy(running, 1);
      const revoked = receiver.revoke([partition], how);
      clock.advance(elapsed);
      blocked.open();
      await revoked;
      expect(begun).toBe(2);
      await running.stop();
    }
  });

  it('makes a key wait for its abandoned handler when it is reassigned', async () => {
    const { opened, open } = gate();
    const clock = virtualClock();
    const begun: string[] = [];
    const { consumer } = setUp((number) => {
      begun.push(number);
      return begun.length === 1 ? opened : undefined;
    });
    const partition = { topic: 't', partition: 0 };
    const commits: number[] = [];
    const commit: Subscription['commit'] = (_, offset) => void commits.push(offset);
    const { running, receiver } = await received(consumer, { commit }, { clock });
    const records = ['hangs', 'behind', 'other'].map((number, offset) => ({
      ...recordOf(account(number).value, headersOf(accountCreated)),
      key: Buffer.from(number === 'other' ? 'key-b' : 'key-a'),
      offset,
    }));
    receiver.receive(partition, records.slice(0, 1));
    // Twice: the partition may be revoked again before its first handler has ended.
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

  it.each([
    ['key', {}],
    ['event', { laneBy: () => 'lane' }],
  ])('ignores a verdict that arrives after the loss, in lanes by %s', async (_, options) => {
    const { consumer } = setUp(() => undefined, options);
    const calls: string[] = [];
    const { running, receiver } = await received(consumer, {
      commit: (__, offset) => void calls.push(`commit ${offset}`),
      deadLetter: async ({ offset }) => void calls.push(`dead letter ${offset}`),
    });
    const partition = { topic: 't', partition: 0 };
    // To find out what is wrong with a payload takes time.
    const invalid = recordOf(envelope({ ...accountCreated, payload: {} }), headersOf(accountCreated));
    expect(receiver.receive(partition, [invalid, { ...invalid, offset: 18 }])).toBe(2);
    await receiver.revoke([partition], { lost: true });
    expect(calls).toEqual([]);
    await running.stop();
  });

  it.each([
    ['is written', (settle: Settle) => settle.resolve()],
    ['is refused', (settle: Settle) => settle.reject(new Error('no'))],
  ])('ignores a dead letter that %s too late', async (_, end) => {
    const clock = virtualClock();
    const { consumer, log } = setUp(() => Promise.reject(new Error('no')));
    const partition = { topic: 't', partition: 0 };
    const commits: number[] = [];
    let settle!: Settle;
    const written = new Promise<void>((resolve, reject) => {
      settle = { resolve, reject };
    });
    const begun = gate();
    const { running, receiver } = await received(
      consumer,
      {
        commit: (__, offset) => void commits.push(offset),
        deadLetter() {
          begun.open();
          return written;
        },
      },
      { clock, afterDeadLetter: 'stop' },
    );
    receiver.receive(partition, [recordOf(envelope(accountCreated), headersOf(accountCreated))]);
    await begun.opened;
    const revoked = receiver.revoke([partition]);
    clock.advance(10_000);
    await revoked;
    const lines = log.lines.length;
    end(settle);
    await new Promise((resolve) => setImmediate(resolve));
    expect(log.lines.slice(lines)).toEqual([]);
    expect(running.counts.deadLettered).toBe(0);
    expect(running.health()).toMatchObject({ status: 'ok', unready: [] });
    expect(commits).toEqual([]);
    await running.stop();
  });

  it('ignores a handler that ends too late, with or without an error', async () => {
    for (const late of ['resolves', 'rejects']) {
      const { opened, open } = gate();
      const { consumer } = setUp(async () => {
        await opened;
        if (late === 'rejects') throw new Error('too late');
      });
      const clock = virtualClock();
      const partition = { topic: 't', partition: 0 };
      const calls: string[] = [];
      const subscription = {
        commit: () => void calls.push('commit'),
        deadLetter: async () => void calls.push('dead letter'),
      };
      const { running, receiver } = await received(consumer, subscription, { clock });
      receiver.receive(partition, [recordOf(envelope(accountCreated), headersOf(accountCreated))]);
      const revoked = receiver.revoke([partition]);
      clock.advance(10_000);
      await revoked;
      open();
      await new Promise((resolve) => setImmediate(resolve));
      expect(calls, late).toEqual([]);
      expect(running.counts.handled).toBe(0);
      const stopped = running.stop();
      expect(receiver.receive({ topic: 't', partition: 1 }, [recordOf(envelope(accountCreated))])).toBe(0);
      await stopped;
    }
  });
});
