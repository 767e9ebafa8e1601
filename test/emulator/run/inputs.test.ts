import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  after,
  defineScenario,
  emit,
  type OutgoingEvent,
  type EmulatorOptions,
  type Sink,
  startEmulator,
} from '../../../emulator/index.js';
import { london } from '../../../emulator/engine/calendar.js';
import { Plan } from '../../../emulator/run/plan.js';
import { inputsIn } from '../../../emulator/run/recording/open-recording.js';
import { accountOnSupply } from '../../../emulator/world/billing/books.js';
import { virtualClock } from '../../../src/base/clock.js';
import { silentLogger } from '../../../src/base/logger.js';
import { cases } from '../../cases.js';

const hour = 3_600_000;
const day = 24 * hour;

function keeping() {
  const emissions: OutgoingEvent[] = [];
  const sink: Sink = {
    name: 'keeping',
    write: (batch) => void emissions.push(...batch),
    end: () => undefined,
    close: () => Promise.resolve(),
  };
  return { sink, emissions, bytes: () => emissions.map(({ bytes }) => bytes.toString()) };
}

const open = (options: EmulatorOptions = {}) => {
  const kept = keeping();
  return startEmulator({
    speed: 'instant',
    logger: silentLogger,
    ...options,
    run: { open: true, ...options.run },
    sinks: [kept.sink],
  }).then((emulator) => ({ emulator, ...kept }));
};

const hourly = defineScenario({
  name: 'hourly',
  title: '',
  description: '',
  branches: {},
  *run({ cell }) {
    const { number } = cell.account;
    yield* emit('account.occupied', 'v1', { account_number: number }, { key: number });
    yield* after({ hours: 1 });
    yield* emit('account.occupied', 'v1', { account_number: number }, { key: number });
  },
});

/** Lets promises and immediates run until nothing moves any more. */
const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
};

/** Returns the events of an open or closed run that repeats inputs. */
async function again(options: EmulatorOptions, more: EmulatorOptions) {
  const { emulator, bytes } = await open({ ...options, ...more });
  if (more.run?.open === false) await emulator.finished;
  else await emulator.idle();
  await emulator.stop();
  return bytes();
}

describe('an open run', () => {
  it('sends the events of a closed run if it has no inputs', async () => {
    const options = { scenario: 'everyday', accounts: 300, duration: 3 * day, speed: 'instant' } as const;
    expect(await again(options, { run: { open: true } })).toEqual(
      await again(options, { run: { open: false } }),
    );
  });

  it('starts the scenario of an input in a new household', async () => {
    const { emulator, emissions } = await open();
    await emulator.idle();
    expect(emissions).toEqual([]);
    const started = emulator.start('house-move', { branches: { occupier: 'unknown' } });
    await emulator.idle();
    expect(emissions[0]).toMatchObject({ instance: started.instance, cell: started.cell });
    expect(JSON.stringify(emissions[0]?.envelope.payload)).toContain(started.account);
    const other = emulator.start('contact-email');
    expect(other.cell).not.toBe(started.cell);
    await emulator.stop();
    expect(() => emulator.start('house-move')).toThrow(/was stopped or has failed/);
  });

  it('becomes idle only after it has sent the events of all earlier inputs', async () => {
    const written: OutgoingEvent[] = [];
    let letGo: () => void = () => undefined;
    const slow: Sink = {
      name: 'slow',
      async write(batch) {
        written.push(...batch);
        await new Promise<void>((resolve) => {
          letGo = resolve;
        });
      },
      end: () => undefined,
      close: () => Promise.resolve(),
    };
    const emulator = await startEmulator({
      run: { open: true },
      speed: 'instant',
      logger: silentLogger,
      sinks: [slow],
    });
    await emulator.trigger('account.created-v1');
    await settle();
    // The run knows of no further events: it waits for its sink, and idles then.
    expect(written).toHaveLength(1);
    await emulator.trigger('account.created-v1');
    const settled = emulator.idle().then(() => written.length);
    letGo();
    await expect.poll(() => written.length).toBe(2);
    letGo();
    expect(await settled).toBe(2);
    await emulator.stop();
  });

  it('starts a scenario in the household of an account and keeps its state', async () => {
    const { emulator, emissions } = await open({ scenario: 'house-move', branches: { outcome: 'moved' } });
    await emulator.idle();
    const account = JSON.stringify(emissions[0]?.envelope.payload).match(/A-[\dA-F]{8}/)?.[0] ?? '';
    const before = emissions.length;
    const { cell } = emulator.start('contact-email', { account });
    await emulator.idle();
    expect(cell).toBe(1);
    expect(emissions.length).toBeGreaterThan(before);
    expect(emissions.slice(before).every((each) => each.cell === 1)).toBe(true);
    expect(new Set(emissions.map(({ envelope }) => envelope.id)).size).toBe(emissions.length);
    expect(() => emulator.start('contact-email', { account: 'A-00000000' })).toThrow(
      /no account "A-00000000"/,
    );
    await emulator.stop();
  });

  it('handles an input while it waits for its next event', async () => {
    const clock = virtualClock();
    const { emulator, emissions } = await open({ scenario: hourly, speed: 60, clock });
    await expect.poll(() => emissions.length).toBe(1);
    await settle();
    const before = emissions.length;
    const { now } = emulator;
    clock.advance(1000);
    await settle();
    await emulator.trigger('account.created-v1');
    await settle();
    expect(emissions.slice(before).map(({ envelope }) => envelope.event_type)).toContain('account.created');
    const at = emissions.find(({ step }) => step === 'trigger')?.at;
    // Whether its clock was looked at meanwhile decides about the millisecond.
    expect([now + 60_000, now + 60_001]).toContain(at);
    await emulator.stop();
  });

  it('refuses inputs for the past and accepts inputs for the future', async () => {
    const { emulator, emissions } = await open();
    await emulator.advance(emulator.now + day);
    const { now } = emulator;
    await expect(emulator.trigger('account.created-v1', { at: now - 1 })).rejects.toThrow(
      '"at" must be a virtual instant from',
    );
    await emulator.trigger('account.created-v1', { at: now + day });
    await emulator.idle();
    expect(emissions[0]?.at).toBe(now + day);
    await emulator.stop();
  });

  it('stops while paused and advances to an instant', async () => {
    const { emulator, emissions } = await open({ run: { paused: true } });
    const { now } = emulator;
    emulator.start('house-move', { at: now + 10 * day });
    await emulator.trigger('account.created-v1', { at: now + day });
    await settle();
    expect([emissions.length, emulator.run.state]).toEqual([0, 'paused']);
    expect(await emulator.advance(now + 2 * day)).toBe(now + 2 * day);
    expect(emissions).toHaveLength(1);
    emulator.run.step();
    await settle();
    expect(new Set(emissions.map(({ headers }) => headers['occurrence-id'])).size).toBe(2);
    await emulator.stop();
  });

  it('advances only after all earlier events, also while a sink writes', async () => {
    const written: OutgoingEvent[] = [];
    let release = () => {};
    const slow: Sink = {
      name: 'slow',
      write(batch) {
        written.push(...batch);
        return new Promise((resolve) => (release = resolve));
      },
      end: () => undefined,
      close: () => Promise.resolve(),
    };
    const emulator = await startEmulator({
      run: { open: true, paused: true },
      sinks: [slow],
      scenario: [hourly],
      logger: silentLogger,
    });
    const { now } = emulator;
    const arrivals: number[] = [];
    const advance = (to: number) =>
      emulator.advance(to).then((at) => arrivals.push((at - now) / hour, written.length));
    void advance(now + hour / 2);
    await settle();
    void advance(now + 3 * hour);
    for (let batch = 0; batch < 2; batch++) {
      release();
      await settle();
    }
    expect(arrivals).toEqual([0.5, 1, 3, 2]);
    await emulator.stop();
  });

  it('gives a scenario the parsed data of its start', async () => {
    const repeated = defineScenario({
      name: 'repeated',
      title: '',
      description: '',
      branches: {},
      parseInput(data: unknown): { times: number } {
        if (typeof data === 'object' && data !== null && 'times' in data)
          return { times: Number(data.times) };
        throw new TypeError('no times');
      },
      *run({ cell, input }) {
        const { number } = cell.account;
        for (let nth = 0; nth < (input?.times ?? 1); nth++) {
          yield* emit('account.occupied', 'v1', { account_number: number }, { key: number });
        }
      },
    });
    const { emulator, emissions } = await open({ scenario: repeated });
    const { account } = emulator.start('repeated', { data: { times: 2 } });
    await emulator.idle();
    expect(emissions.map(({ key }) => key === account)).toEqual([false, true, true]);
    expect(() => emulator.start('repeated', { data: 1 })).toThrow('no times');
    expect(() => emulator.start('house-move', { data: 1 })).toThrow('"house-move" takes no data');
    await emulator.stop();
  });

  it('replaces the faults from an instant on', async () => {
    const { emulator, emissions } = await open();
    emulator.setFaults('duplicate=100%');
    await emulator.trigger('account.created-v1');
    await emulator.idle();
    emulator.setFaults(null);
    await emulator.trigger('account.created-v1');
    await emulator.idle();
    expect(emissions.map(({ faults }) => faults)).toEqual([[], ['duplicate'], []]);
    expect(() => emulator.setFaults('duplicat=1%')).toThrow('no fault "duplicat"');
    await emulator.stop();
  });

  it('resets to another seed with the events of a new run', async () => {
    const { emulator, emissions, bytes } = await open({ scenario: 'house-move' });
    await emulator.idle();
    emissions.length = 0;
    await emulator.reset({ seed: 7 });
    await emulator.idle();
    expect(bytes()).toEqual(await again({ scenario: 'house-move', seed: 7 }, {}));
    await emulator.stop();
  });

  it('takes nothing from a concurrent reset that fails', async () => {
    const { emulator, emissions, bytes } = await open({ scenario: 'house-move' });
    const resets = [emulator.reset({ scenario: 'house-mve' }), emulator.reset({ seed: 8 })];
    const [wrong, right] = await Promise.allSettled(resets);
    expect([wrong?.status, right?.status, emulator.generation]).toEqual(['rejected', 'fulfilled', 2]);
    await emulator.idle();
    const expected = await again({ scenario: 'house-move', seed: 8 }, {});
    expect(bytes().slice(emissions.length - expected.length)).toEqual(expected);
    await emulator.stop();
  });
});

/** An action of a user, and the progress of the run before it. */
const deed = fc.record({
  steps: fc.integer({ min: 0, max: 12 }),
  what: fc.oneof(
    fc.record({
      kind: fc.constant('start' as const),
      scenario: fc.constantFrom('house-move', 'contact-email', 'billing-cycle', 'debt-path'),
      sameHousehold: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('trigger' as const), sameHousehold: fc.boolean() }),
    fc.record({
      kind: fc.constant('faults' as const),
      faults: fc.constantFrom(
        null,
        'duplicate=50%',
        'delay=50%:2h',
        'reorder=50%:1h,drop=20%',
        'burst=10x:1h:50%',
      ),
    }),
    fc.record({ kind: fc.constant('advance' as const), hours: fc.integer({ min: 1, max: 200 }) }),
  ),
});

describe('the same seed and the same log of inputs', () => {
  it('give the same bytes at any arrival of the inputs', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1000 }),
        fc.array(deed, { maxLength: 6 }),
        async (seed, deeds) => {
          const options = {
            scenario: ['house-move', 'switch-loss'],
            instances: 2,
            seed,
            duration: 40 * day,
          } as const;
          const { emulator, bytes } = await open({ ...options, run: { paused: true } });
          const account = emulator.cell(1).account.number;
          // A scenario that needs supply is refused for an account that has left.
          const supplied = () => accountOnSupply(emulator.cell(1), london.dayAt(emulator.now))?.number;
          for (const { steps, what } of deeds) {
            if (steps > 0) emulator.run.step(steps);
            await settle();
            try {
              if (what.kind === 'advance') await emulator.advance(emulator.now + what.hours * hour);
              else if (what.kind === 'faults') emulator.setFaults(what.faults);
              else if (what.kind === 'start') {
                const own = what.sameHousehold ? supplied() : undefined;
                emulator.start(what.scenario, own === undefined ? {} : { account: own });
              } else
                await emulator.trigger(
                  'account.created-v1',
                  what.sameHousehold ? { set: [`account_number=${account}`] } : {},
                );
            } catch (error) {
              // The run may have ended.
              expect(error).toMatchObject({ code: 'run-over' });
            }
          }
          emulator.run.resume();
          await emulator.idle();
          await emulator.stop();
          const { inputs = [] } = emulator.plan;
          expect(await again({ ...options, inputs }, { run: { open: false } })).toEqual(bytes());
          expect(await again({ ...options, inputs }, { run: { open: true } })).toEqual(bytes());
        },
      ),
      { numRuns: cases(10, 40) },
    );
  });

  it('keep the cell kind of the first input if a later input starts earlier', async () => {
    const { emulator } = await open({ run: { paused: true } });
    const first = emulator.start('gas-disputed-opening', { at: emulator.now + 30 * day });
    emulator.start('billing-cycle', { account: first.account, at: emulator.now + day });
    expect(emulator.cell(first.cell).setting).toBe('newcomer');
    const again = new Plan(emulator.plan);
    expect(again.cell(first.cell, again.start + 31 * day).setting).toBe('newcomer');
    await emulator.stop();
  });

  it('give the same state of a household', async () => {
    const { emulator } = await open({ scenario: 'phone-call', seed: 3 });
    await emulator.idle();
    const account = emulator.cell(1).account.number;
    emulator.start('billing-cycle', { account });
    await emulator.idle();
    const entries = (at: number) =>
      new Plan(emulator.plan).cell(1, at).accounts.map(({ ledger }) => ledger.entries.length);
    expect(emulator.accountAt(account).cell.accounts.map(({ ledger }) => ledger.entries.length)).toEqual(
      entries(emulator.now),
    );
    expect(() => emulator.cell(1, emulator.now + 1)).toThrow('before that instant');
    await emulator.stop();
  });
});

describe('a scenario that needs supply', () => {
  it('does not start for an account that has moved out', async () => {
    const { emulator } = await open({ scenario: 'house-move', seed: 3, branches: { outcome: 'moved' } });
    await emulator.idle();
    const account = emulator.cell(1).account.number;
    expect(() => emulator.start('billing-cycle', { account })).toThrow(
      `Account "${account}" is not on supply on 2026-04-20. Choose an account with an agreement.`,
    );
    await emulator.stop();
  });
});

describe('a recording of an open run', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'busbar-inputs-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('takes as many new households as its option says', async () => {
    const { emulator } = await open({ scenario: 'phone-call', room: 2 });
    for (const cell of [2, 3]) expect(emulator.start('phone-call').cell).toBe(cell);
    expect(() => emulator.start('phone-call')).toThrow('start it with a larger "room"');
    await emulator.stop();
  });

  it('gives no inputs to a release that plays another world', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'busbar-inputs-'));
    await writeFile(join(folder, 'old'), '{"busbar-recording":1,"options":{},"catalogue":""}\n');
    await expect(inputsIn(join(folder, 'old'))).rejects.toThrow('another version of the world than 2');
    await rm(folder, { recursive: true });
  });

  it('contains the inputs, so that the run resumes and repeats', async () => {
    const record = join(folder, 'run.ndjson');
    const options = { scenario: 'house-move', seed: 4 } as const;
    const { emulator, emissions, bytes } = await open({ ...options, run: { record, paused: true } });
    emulator.run.step(3);
    await settle();
    emulator.start('contact-email');
    emulator.run.resume();
    await emulator.idle();
    await emulator.stop();

    const inputs = await inputsIn(record);
    expect(inputs).toEqual(emulator.plan.inputs);
    expect(await again(options, { inputs, run: { open: false } })).toEqual(bytes());

    const whole = await readFile(record, 'utf8');
    const { open: openFile } = await import('node:fs/promises');
    const file = await openFile(record, 'r+');
    await file.truncate(Math.floor(whole.length * 0.7));
    await file.close();
    const rest = await again(options, { run: { resume: record } });
    expect(rest.length).toBeGreaterThan(0);
    expect(bytes().slice(-rest.length)).toEqual(rest);
    expect((await readFile(record, 'utf8')).length).toBe(whole.length);
    expect(emissions.length).toBeGreaterThan(rest.length);
  });
});
