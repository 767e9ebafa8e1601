import { describe, expect, it } from 'vitest';
import {
  after,
  type Branches,
  type EmulatorOptions,
  defineScenario,
  type OutgoingEvent,
  emit,
  type PlatformScenario,
  scenarios,
  type Sink,
  startEmulator,
} from '../../../emulator/index.js';
import { virtualClock } from '../../../src/base/clock.js';
import { silentLogger } from '../../../src/base/logger.js';

const occupied = (number: string) =>
  emit('account.occupied', 'v1', { account_number: number }, { key: number });

const everyHour = defineScenario({
  name: 'every-hour',
  title: '',
  description: '',
  branches: {},
  *run({ cell }) {
    for (let hours = 0; hours < 4; hours++) {
      yield* occupied(cell.account.number);
      yield* after({ hours: 1 });
    }
  },
});

const houseMove = scenarios.find(({ name }) => name === 'house-move')!;

/** A sink that keeps what it gets, and can be made to wait. */
function keeping(wait?: () => Promise<void>) {
  const emissions: OutgoingEvent[] = [];
  let ended = 0;
  const sink: Sink = {
    name: 'keeping',
    async write(batch) {
      emissions.push(...batch);
      await wait?.();
    },
    end: () => {
      ended++;
    },
    close: () => Promise.resolve(),
  };
  return { sink, emissions, ended: () => ended };
}

/** Lets promises and immediates run until nothing moves any more. */
const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
};

const start = <B extends Branches>(scenario: PlatformScenario<B>, sink: Sink, more: EmulatorOptions = {}) =>
  startEmulator({ scenario, sinks: [sink], speed: 'instant', logger: silentLogger, ...more });

describe('Run', () => {
  it('sends one event per version, with envelope, headers, key and provenance', async () => {
    const { sink, emissions, ended } = keeping();
    const emulator = await startEmulator({
      scenario: 'house-move',
      speed: 'instant',
      sinks: [sink],
    });
    const summary = await emulator.finished;
    expect(summary.events).toBe(emissions.length);
    expect(ended()).toBe(1);

    const [v2, v3] = emissions as [OutgoingEvent, OutgoingEvent];
    expect([v2.envelope.version, v3.envelope.version]).toEqual(['v2', 'v3']);
    expect(v2.headers['occurrence-id']).toBe(v3.headers['occurrence-id']);
    expect(v2.key).toBe(v3.key);
    expect(JSON.parse(v3.bytes.toString())).toEqual(v3.envelope);
    expect(v3.headers).toMatchObject({
      'event-type': 'lifecycle.leave-supplier.requested',
      'event-version': 'v3',
      'event-id': v3.envelope.id,
    });
    expect(v3).toMatchObject({
      cell: 1,
      instance: 'house-move#1',
      step: 'lifecycle.leave-supplier.requested',
      faults: [],
    });
    await emulator.stop();
  });

  it('sends the same bytes at any pace, and others for another seed, start or run id', async () => {
    const bytes = async (options: object) => {
      const { sink, emissions } = keeping();
      const emulator = await startEmulator({
        scenario: 'house-move',
        instances: 3,
        sinks: [sink],
        ...options,
      });
      await emulator.finished;
      await emulator.stop();
      return emissions.map((emission) => emission.bytes.toString()).join('\n');
    };
    const expected = await bytes({ speed: 'instant' });
    expect(await bytes({ speed: 1e12 })).toBe(expected);
    expect(await bytes({ rate: 1e9 })).toBe(expected);
    expect(await bytes({ speed: 'instant', seed: 2 })).not.toBe(expected);
    expect(await bytes({ speed: 'instant', start: Date.UTC(2026, 5, 1) })).not.toBe(expected);
    const again = await bytes({ speed: 'instant', runId: 'again' });
    expect(again).not.toBe(expected);
    const idless = (text: string) => text.replaceAll(/"id":"[^"]*"/g, '');
    expect(idless(again)).toBe(idless(expected));
  });

  it('maps virtual time to wall time linearly for a speed', async () => {
    const clock = virtualClock();
    const { sink, emissions } = keeping();
    const emulator = await start(everyHour, sink, { speed: 3600, clock });
    for (const expected of [1, 2, 3]) {
      await settle();
      expect(emissions).toHaveLength(expected);
      clock.advance(999);
      await settle();
      expect(emissions).toHaveLength(expected);
      clock.advance(1);
    }
    expect((await emulator.finished).events).toBe(4);
  });

  it('waits for events that are further away than a timer of Node can last', async () => {
    const clock = virtualClock();
    let longest = 0;
    const schedule = (delay: number, callback: () => void) => {
      longest = Math.max(longest, delay);
      return clock.schedule(delay, callback);
    };
    const { sink, emissions } = keeping();
    const emulator = await start(everyHour, sink, { speed: 0.001, clock: { ...clock, schedule } });
    await settle();
    while (emissions.length < 2) {
      clock.advanceToNext();
      await settle();
    }
    expect(clock.now()).toBe(1000 * 3_600_000);
    expect(longest).toBeLessThan(2 ** 31);
    await emulator.stop();
  });

  it('plays the house move of seed 1 in 10 to 25 seconds by default', async () => {
    const clock = virtualClock();
    const { sink, emissions } = keeping();
    const emulator = await startEmulator({ scenario: 'house-move', sinks: [sink], clock });
    await settle();
    expect(emissions.length).toBeGreaterThan(0);
    let before = clock.now();
    while (await settle().then(() => clock.advanceToNext())) {
      expect(clock.now() - before).toBeLessThanOrEqual(1500.001);
      before = clock.now();
    }
    await emulator.finished;
    expect(clock.now()).toBeGreaterThanOrEqual(10_000);
    expect(clock.now()).toBeLessThanOrEqual(25_000);
  });

  it('waits for a slow sink and does not catch up afterwards', async () => {
    const clock = virtualClock();
    const gates: (() => void)[] = [];
    const { sink, emissions } = keeping(() => new Promise((open) => gates.push(open)));
    await start(everyHour, sink, { speed: 3600, clock });
    await settle();
    clock.advance(10_000);
    await settle();
    expect(emissions).toHaveLength(1);
    // What was due meanwhile comes at once; after that every gap has its length again.
    gates.shift()?.();
    await settle();
    expect(emissions).toHaveLength(2);
    gates.shift()?.();
    await settle();
    clock.advance(999);
    await settle();
    expect(emissions).toHaveLength(2);
    clock.advance(1);
    await settle();
    expect(emissions).toHaveLength(3);
  });

  it('stops at any moment, also while it waits for a sink', async () => {
    const { sink, emissions, ended } = keeping(() => new Promise(() => undefined));
    const emulator = await start(everyHour, sink);
    await settle();
    const summary = await emulator.run.stop();
    expect(summary).toMatchObject({ stopped: true, events: 0 });
    expect(emissions).toHaveLength(4);
    expect(ended()).toBe(0);
    await emulator.stop();
    await emulator.stop();
  });

  it('stops while paused, continues step by step, then freely', async () => {
    const { sink, emissions } = keeping();
    const emulator = await start(everyHour, sink, { run: { paused: true } });
    await settle();
    expect(emissions).toHaveLength(0);
    emulator.run.step();
    await settle();
    expect(emissions).toHaveLength(1);
    emulator.run.step(2);
    await settle();
    expect(emissions).toHaveLength(3);
    expect(emulator.run.summary).toMatchObject({ events: 3, stopped: false });
    emulator.run.resume();
    expect((await emulator.finished).events).toBe(4);
  });

  it('keeps no step for a later event', async () => {
    const { sink, emissions } = keeping();
    const emulator = await start(everyHour, sink, { run: { paused: true, open: true } });
    emulator.run.step(10);
    await emulator.run.idle();
    await emulator.trigger('account.created-v1');
    await settle();
    expect(emissions).toHaveLength(4);
    emulator.run.step();
    await settle();
    expect(emissions).toHaveLength(5);
  });

  it('keeps a rate of events at any gaps', async () => {
    const clock = virtualClock();
    const { sink, emissions } = keeping();
    await start(everyHour, sink, { rate: 100, clock });
    for (const expected of [1, 2, 3]) {
      await settle();
      expect(emissions).toHaveLength(expected);
      clock.advance(10);
    }
  });

  it('keeps its rate although timers are late', async () => {
    const clock = virtualClock();
    const late = {
      now: clock.now,
      schedule: (delay: number, call: () => void) => clock.schedule(delay + 1, call),
    };
    const { sink, emissions } = keeping();
    const emulator = await start(everyHour, sink, { instances: 25, rate: 100, clock: late });
    while (await settle().then(() => clock.advanceToNext()));
    await emulator.finished;
    expect(emissions).toHaveLength(100);
    expect(clock.now()).toBeGreaterThanOrEqual(980);
    expect(clock.now()).toBeLessThanOrEqual(1000);
  });

  it('ends at "until", or after "duration"', async () => {
    const events = async (more: object) =>
      (await (await start(everyHour, keeping().sink, more)).finished).events;
    const begin = Date.UTC(2026, 2, 2, 9);
    expect(await events({ until: begin + 2 * 3_600_000 })).toBe(2);
    expect(await events({ duration: 2 * 3_600_000 + 1 })).toBe(3);
  });

  it('reaches the instant of the last event though it is dropped', async () => {
    const played = async (faults: string) => {
      const { run } = await start(houseMove, keeping().sink, { faults, run: { open: true } });
      return { ...(await run.finished), now: run.now };
    };
    const [whole, empty] = [await played('drop=0%'), await played('drop=100%')];
    expect(empty).toMatchObject({ events: 0, now: whole.last });
  });

  it('sends a quarter as a shard, and all shards give the whole run', async () => {
    const lines = async (shard?: { index: number; count: number }) => {
      const { sink, emissions } = keeping();
      const emulator = await start(houseMove, sink, { instances: 200, ...(shard && { shard }) });
      await emulator.finished;
      return emissions.map(({ bytes }) => bytes.toString());
    };
    const whole = await lines();
    const shards = await Promise.all([1, 2, 3, 4].map((index) => lines({ index, count: 4 })));
    for (const shard of shards) expect(shard.length).toBeGreaterThan(whole.length / 8);
    // Each line begins with its id.
    expect(shards.flat().sort()).toEqual(whole);
  });

  it('rejects with the error of a failed sink', async () => {
    const { sink } = keeping(() => Promise.reject(new Error('disk full')));
    const emulator = await start(everyHour, sink);
    await expect(emulator.finished).rejects.toThrow('disk full');
    await emulator.stop();
  });
});

describe('startEmulator()', () => {
  it.each([
    [{ scenario: 'house-mov' }, 'There is no scenario "house-mov". Did you mean "house-move"?'],
    [{ scenario: [], sinks: [], http: false as const }, 'at least one scenario'],
    [{ scenario: 'house-move', seed: 1.5 }, '"seed" must be a whole number'],
    [{ scenario: 'house-move', instances: 0 }, '"instances" must be a whole number from 1 to'],
    [{ scenario: 'house-move', instances: 1e9 }, '"instances" must be a whole number from 1 to'],
    [{ scenario: 'house-move', start: -1 }, '"start" must be a whole number'],
    [
      { scenario: 'house-move', speed: 0 },
      '"speed" must be "instant" or "story" or a number above 0 and at most 1000000000000000, not 0.',
    ],
    [
      { scenario: 'house-move', speed: 1e308 },
      '"speed" must be "instant" or "story" or a number above 0 and at most 1000000000000000, not 1e+308.',
    ],
    [{ scenario: 'house-move', branches: { occupant: 'none' } }, 'no branch called "occupant"'],
    [{ scenario: 'house-move', branches: { occupier: 'me' } }, 'no outcome of "occupier" called "me"'],
  ])('checks the options before it starts: %j', async (options, message) => {
    await expect(startEmulator({ http: { port: 0 }, ...options })).rejects.toThrow(message);
  });
});
