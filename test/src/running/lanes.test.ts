import { type AnyEvent, createConsumer, type Receiver, silentLogger, type Subscription } from 'busbar';
import { virtualClock } from 'busbar/base';
import { memory } from 'busbar/internal/memory';
import { describe, expect, it } from 'vitest';
import {
  account,
  accounts,
  catalogue,
  gate,
  message,
  playOut,
  received,
  scripted,
  setUp,
} from '../account-consumer.js';
import { accountCreated, envelope, headersOf, recordOf } from '../records.js';

/** Waits for a turn of the event loop. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** So many accounts, taking turns under so many keys. */
const spread = (count: number, keys: number) =>
  Array.from({ length: count }, (_, n) => account(String(n), `key-${n % keys}`));

describe('lanes', () => {
  it('settle 5,000 records of other keys while one key is blocked', async () => {
    const clock = virtualClock();
    const handled: string[] = [];
    let isDown = true;
    const { transport, run } = setUp(
      (number) => {
        if (number === '7' && isDown) throw new Error('down');
        handled.push(number);
      },
      { retry: { backoff: { initial: 60_000, factor: 1, jitter: 'none' } } },
    );
    transport.send(...spread(5101, 51));
    const first = await run({ clock });
    await first.idle();
    // Key 7 has 100 records, and the 7 records before its first one are settled in order.
    expect(first.counts).toMatchObject({ handled: 5001, retried: 0 });
    expect(first.health()).toMatchObject({
      status: 'ok',
      backingOff: 1,
      running: 0,
      partitions: [{ committed: 7, taken: 5101, oldest: { offset: 7, age: 0 }, unsettled: 100 }],
    });
    clock.advance(59_999);
    await first.idle();
    expect(first.counts.handled).toBe(5001);
    await first.stop();

    const before = handled.splice(0);
    expect(before.filter((number) => Number(number) % 51 === 7)).toEqual([]);
    isDown = false;
    transport.end();
    await (await run({ clock })).finished;
    expect(handled).toEqual(Array.from({ length: 5101 - 7 }, (_, n) => String(n + 7)));
  });

  it('continue in order after a backoff, one attempt at a time', async () => {
    const clock = virtualClock();
    const handled: string[] = [];
    const { transport, run } = setUp(
      (number) => {
        if (number === '1' && clock.now() < 60_000) throw new Error('down');
        handled.push(number);
      },
      { retry: { backoff: { initial: 60_000, factor: 1, jitter: 'none' } } },
    );
    transport.send(...spread(9, 3));
    const running = await run({ clock });
    await playOut(running, clock);
    expect(handled).toEqual(['0', '2', '3', '5', '6', '8', '1', '4', '7']);
    expect(running.health().partitions).toMatchObject([{ committed: 9, unsettled: 0, oldest: undefined }]);
  });

  it('run as many handlers concurrently as there are slots', async () => {
    for (const concurrency of [1, 3, 16]) {
      let now = 0;
      let most = 0;
      const { transport, run } = setUp(async () => {
        most = Math.max(most, ++now);
        await turn();
        now--;
      });
      transport.send(...spread(100, 40));
      transport.end();
      await (await run({ concurrency })).finished;
      expect(most).toBe(concurrency);
    }
  });

  it('yield to the event loop between synchronous handlers', async () => {
    let turns = 0;
    let handling = true;
    const { transport, run } = setUp(() => {
      const until = performance.now() + 30;
      while (performance.now() < until);
    });
    transport.send(...spread(20, 20));
    transport.end();
    const running = await run();
    const count = () => {
      turns++;
      if (handling) setImmediate(count);
    };
    setImmediate(count);
    await running.finished;
    handling = false;
    // 600 ms of work, of which no more than two handlers' come in one go.
    expect(turns).toBeGreaterThanOrEqual(8);
    expect(running.counts.handled).toBe(20);
  });

  it('put records without a key into one lane', async () => {
    const handled: string[] = [];
    let now = 0;
    const { transport, run } = setUp(async (number) => {
      expect(++now).toBe(1);
      await turn();
      now--;
      handled.push(number);
    });
    transport.send(...accounts(20).map((each) => ({ ...each, key: null })));
    transport.end();
    await (await run()).finished;
    expect(handled).toEqual(Array.from({ length: 20 }, (_, n) => String(n)));
  });

  it('differ by the bytes of the key, whether text or not', async () => {
    let now = 0;
    let most = 0;
    const { transport, run } = setUp(async () => {
      most = Math.max(most, ++now);
      await turn();
      now--;
    });
    // Neither is valid UTF-8: decoded as UTF-8, they would be equal.
    for (const key of [[0xff], [0xfe], [0xff, 0xfe]])
      transport.send({ ...account('1'), key: Uint8Array.from(key) });
    transport.end();
    await (await run()).finished;
    expect(most).toBe(3);
  });

  it('occupy no slot while they back off', async () => {
    const clock = virtualClock();
    const handled: string[] = [];
    const { transport, run } = setUp(
      async (number) => {
        await turn();
        if (number.startsWith('bad')) throw new Error('no');
        handled.push(number);
      },
      { retry: { attempts: 2, backoff: { initial: 1000, jitter: 'none' } } },
    );
    transport.send(account('bad', 'key-1'), account('bad too', 'key-2'), account('good', 'key-3'));
    const running = await run({ clock, concurrency: 1 });
    await running.idle();
    expect(handled).toEqual(['good']);
    expect(running.health()).toMatchObject({ backingOff: 2, running: 0 });
  });

  it.each([
    ['key', undefined],
    ['laneBy', () => 'lane'],
  ])('copy records while they wait, to free the batch, also by %s', async (_, laneBy) => {
    const clock = virtualClock();
    const seen: AnyEvent['record'][] = [];
    const consumer = createConsumer({ catalogue, logger: silentLogger });
    consumer.on('account.created', 'v1', ({ record }) => {
      seen.push(record);
      if (seen.length === 1) throw new Error('no');
    });
    const batch = Buffer.from(envelope(accountCreated).repeat(3));
    const size = batch.length / 3;
    const record = (n: number) => ({
      ...recordOf(batch.subarray(n * size, (n + 1) * size), headersOf(accountCreated)),
      key: batch.subarray(0, 3),
      offset: n,
    });
    const { running, receiver } = await received(consumer, {}, { clock, ...(laneBy && { laneBy }) });
    const partition = { topic: 't', partition: 0 };
    receiver.receive(partition, [record(0), record(1)]);
    receiver.receive(partition, [record(2)]);
    await playOut(running, clock);
    expect(seen.map(({ offset }) => offset)).toEqual([0, 0, 1, 2]);
    expect(seen.map(({ value }) => value!.buffer === batch.buffer)).toEqual([true, false, false, false]);
    expect(seen.map(({ key }) => key!.buffer === batch.buffer)).toEqual([true, false, false, false]);
    expect(Buffer.from(seen[3]!.value!).equals(batch.subarray(2 * size))).toBe(true);
    await running.stop();
  });

  it('give a free slot to the partition that has waited longest', async () => {
    const started: string[] = [];
    const gates = new Map<string, () => void>();
    const { transport, run } = setUp(
      async (number) => {
        started.push(number);
        const { open, opened } = gate();
        gates.set(number, open);
        await opened;
      },
      { partitions: 2 },
    );
    const sent = (number: string, key: string, partition: number) => ({ ...account(number, key), partition });
    transport.send(sent('a0', 'a', 0), sent('b0', 'b', 0), sent('a1', 'a', 0), sent('c0', 'c', 0));
    transport.send(sent('x0', 'x', 1), sent('y0', 'y', 1), sent('x1', 'x', 1));
    transport.end();
    const running = await run({ concurrency: 1 });
    for (let n = 0; n < 7; n++) {
      while (started.length <= n) await turn();
      gates.get(started[n]!)!();
    }
    await running.finished;
    expect(started).toEqual(['a0', 'b0', 'x0', 'a1', 'y0', 'c0', 'x1']);
  });

  it('come from "laneBy", also while a validator is being loaded', async () => {
    const order = new Map<string, string[]>();
    let now = 0;
    let most = 0;
    const transport = memory();
    const consumer = createConsumer({ catalogue, laneBy: laneByFirstLetter });
    // A handler for any event: its validator is loaded when the first one comes.
    consumer.onAny(async ({ payload }) => {
      const { account_number: number } = payload as { account_number: string };
      most = Math.max(most, ++now);
      await turn();
      now--;
      const lane = order.get(number[0]!) ?? [];
      order.set(number[0]!, [...lane, number]);
    });
    const numbers = Array.from({ length: 60 }, (_, n) => `${'ABC'[n % 3]}-${n}`);
    for (const [n, number] of numbers.entries()) transport.send(account(number, `key-${n % 7}`));
    transport.send(message({ ...accountCreated, payload: {} }), account('A-last', 'key-1'));
    transport.end();
    const running = await consumer.run(transport);
    await running.finished;
    for (const letter of 'BC')
      expect(order.get(letter)).toEqual(numbers.filter((number) => number.startsWith(letter)));
    expect(order.get('A')).toEqual([...numbers.filter((number) => number.startsWith('A')), 'A-last']);
    expect(most).toBe(3);
    expect(running.counts).toMatchObject({ handled: 61, deadLettered: 1 });
  });

  it('wait for a verdict before they are idle', async () => {
    let handled = 0;
    const consumer = createConsumer({ logger: silentLogger, laneBy: laneByFirstLetter });
    consumer.onAny(() => {
      handled++;
    });
    const { running, receiver } = await received(consumer);
    const { value, headers } = account('A-1');
    receiver.receive({ topic: 't', partition: 0 }, [recordOf(value, headers)]);
    await running.idle();
    expect(handled).toBe(1);
    await running.stop();
  });

  it('appear in the dead letters of their records', async () => {
    const { transport, run } = setUp(() => Promise.reject(new Error('no')), { laneBy: laneByFirstLetter });
    transport.send(account('B-1'));
    transport.end();
    await (await run()).finished;
    expect(transport.deadLetters).toMatchObject([{ cause: { lane: 'B' } }]);
  });

  it('end the run when "laneBy" throws, and name the line', async () => {
    const { transport, run, log } = setUp(() => undefined, {
      laneBy: () => {
        throw new TypeError('no lane');
      },
    });
    transport.send(account('1'));
    await expect((await run()).finished).rejects.toThrow('no lane');
    expect(log.lines.at(-1)).toMatch(/consumer failed .*"at":"test\/src\/running\/lanes\.test\.ts:/);
  });

  it.each([
    ['a promise', () => Promise.resolve('1')],
    ['a number', () => 1],
  ])('end the run when "laneBy" returns %s', async (_, laneBy) => {
    const { transport, run } = setUp(() => undefined, { laneBy: laneBy as () => never });
    transport.send(account('1'));
    transport.end();
    await expect((await run()).finished).rejects.toMatchObject({
      code: 'invalid-option',
      message: '"laneBy" returned no string for event "account.created-v1". Return a string, or undefined.',
    });
  });
});

describe('a lane whose record fails at its start', () => {
  it.each([
    ['first', 0],
    ['second', 1],
  ])('ends the run, and does not delay its end: the %s record', async (_, behind) => {
    const { transport, run } = setUp(() => turn() as Promise<void>, {
      policies: {
        unknownEvents: () => {
          throw new RangeError('no policy');
        },
      },
    });
    transport.send(...accounts(behind), message({ type: 'no.event', version: 'v1', payload: {} }));
    // The clock stands still, so a lane that stays open would make the end wait for ever.
    const running = await run({ clock: virtualClock() });
    await expect(running.finished).rejects.toThrow('no policy');
    expect(running.counts.handled).toBe(behind);
  });
});

describe('a record that was replayed for a consumer group', () => {
  it.each([
    ['reaches the handlers of that group, and others settle it', 'billing', ['0', '2']],
    ['reaches the handlers of a transport without groups', undefined, ['0', '1', '2']],
  ])('%s', async (_, group, expected) => {
    const { consumer } = setUp((number) => void handled.push(number));
    const handled: string[] = [];
    const commits: number[] = [];
    let receiver!: Receiver;
    const transport = scripted((given) => {
      receiver = given;
      const commit: Subscription['commit'] = (_, offset) => void commits.push(offset);
      return { commit, resume: () => undefined, stop: () => Promise.resolve() };
    });
    const running = await consumer.run({ ...transport, ...(group !== undefined && { group }) });
    const records = ['billing', 'reports', undefined].map((target, offset) => {
      const { value, headers } = account(String(offset));
      const note = target === undefined ? {} : { 'busbar-replay-group': target };
      return { ...recordOf(value, { ...headers, ...note }), offset };
    });
    receiver.receive({ topic: 't', partition: 0 }, records);
    await running.idle();
    expect(handled).toEqual(expected);
    expect(running.counts.skipped['other-group']).toBe(3 - expected.length);
    expect(commits.at(-1)).toBe(3);
    await running.stop();
  });
});

describe('the window of a partition', () => {
  it('stops fetching when the window is full, and health shows the cause', async () => {
    const clock = virtualClock();
    const blocked = gate();
    const { transport, run } = setUp((number) => (number === '3' ? blocked.opened : undefined));
    transport.send(...spread(200, 20));
    const running = await run({ clock, window: 50 });
    await turn();
    while (running.counts.handled < 50) await turn();
    expect(running.health()).toMatchObject({
      status: 'ok',
      partitions: [{ committed: 3, taken: 53, oldest: { offset: 3 }, window: { records: 50 }, isFull: true }],
    });
    clock.advance(75_000);
    expect(running.health()).toMatchObject({
      status: 'unhealthy',
      reasons: [
        'Topic "platform.events", partition 0 is blocked: offset 3 has been unsettled for 75 s, and the 50 records from ' +
          'that offset fill its window.',
      ],
      partitions: [{ oldest: { offset: 3, age: 75_000 }, unsettled: 3 }],
    });
    blocked.open();
    transport.end();
    await running.finished;
    expect(running.counts.handled).toBe(200);
    expect(running.health()).toMatchObject({ status: 'ok', reasons: [] });
  });

  it('limits bytes, but lets a single larger record pass', async () => {
    let most = 0;
    const { transport, run } = setUp(async (number) => {
      await turn();
      most = Math.max(most, running.health().partitions[0]!.window.records);
      expect(number).toMatch(/^\d+$/);
    });
    transport.send(...spread(40, 40));
    transport.end();
    const running = await run({ windowBytes: 10 });
    await running.finished;
    expect(most).toBe(1);
    expect(running.counts.handled).toBe(40);
  });

  it.each([
    ['window', 0],
    ['windowBytes', -1],
    ['budgetBytes', 0],
    ['concurrency', 1.5],
    ['drainTimeout', -1],
    ['deadline', 0],
    ['afterDeadLetter', 'skip' as 'stop'],
  ])('rejects %s: %j', async (name, value) => {
    const { run } = setUp(() => undefined);
    const refused = run({ [name]: value });
    await expect(refused).rejects.toMatchObject({ code: 'invalid-option' });
    await expect(refused).rejects.toThrow(`"${name}"`);
  });
});

function laneByFirstLetter({ payload }: AnyEvent): string | undefined {
  return (payload as { account_number: string }).account_number[0];
}
