import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  after,
  defineScenario,
  emit,
  type Emission,
  type EmulatorOptions,
  type Sink,
  startEmulator,
} from '../../../emulator/index.js';
import { cellAt } from '../../../emulator/run/plan.js';
import { inputsIn } from '../../../emulator/run/recording/input-log.js';
import { virtualClock } from '../../../src/base/clock.js';
import { silentLogger } from '../../../src/base/logger.js';

const hour = 3_600_000;
const day = 24 * hour;

function keeping() {
  const emissions: Emission[] = [];
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
    open: true,
    speed: 'instant',
    logger: silentLogger,
    ...options,
    sinks: [kept.sink],
  }).then((emulator) => ({ emulator, ...kept }));
};

const hourly = defineScenario({
  name: 'hourly',
  title: '',
  story: '',
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

/** What a run that gets the same inputs again sends, whether it is open or not. */
async function again(options: EmulatorOptions, more: EmulatorOptions) {
  const { emulator, bytes } = await open({ ...options, ...more });
  if (more.open === false) await emulator.finished;
  else await emulator.settled();
  await emulator.stop();
  return bytes();
}

describe('a run that things come into', () => {
  it('sends what it would without, where nothing comes in', async () => {
    const options = { scenario: 'everyday', accounts: 300, duration: 3 * day, speed: 'instant' } as const;
    expect(await again(options, { open: true })).toEqual(await again(options, { open: false }));
  });

  it('waits for inputs, and starts what they say in a household of its own', async () => {
    const { emulator, emissions } = await open();
    await emulator.settled();
    expect(emissions).toEqual([]);
    const started = emulator.start('house-move', { branches: { occupier: 'unknown' } });
    await emulator.settled();
    expect(emissions[0]).toMatchObject({ instance: started.instance, cell: started.cell });
    expect(JSON.stringify(emissions[0]?.envelope.payload)).toContain(started.account);
    const other = emulator.start('contact-email');
    expect(other.cell).not.toBe(started.cell);
    await emulator.stop();
    expect(() => emulator.start('house-move')).toThrow(/nothing can come in/);
  });

  it('is settled only when what had come in by then is sent, also while it was about to rest', async () => {
    const written: Emission[] = [];
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
      open: true,
      speed: 'instant',
      logger: silentLogger,
      sinks: [slow],
    });
    await emulator.trigger('account.created-v1');
    await settle();
    // Nothing more is to be sent, as far as the run knows: it waits for its sink, and rests then.
    expect(written).toHaveLength(1);
    await emulator.trigger('account.created-v1');
    const settled = emulator.settled().then(() => written.length);
    letGo();
    await expect.poll(() => written.length).toBe(2);
    letGo();
    expect(await settled).toBe(2);
    await emulator.stop();
  });

  it('begins a scenario in the household of an account, whose state goes on', async () => {
    const { emulator, emissions } = await open({ scenario: 'house-move', branches: { outcome: 'moved' } });
    await emulator.settled();
    const account = JSON.stringify(emissions[0]?.envelope.payload).match(/A-[\dA-F]{8}/)?.[0] ?? '';
    const before = emissions.length;
    const { cell } = emulator.start('contact-email', { account });
    await emulator.settled();
    expect(cell).toBe(1);
    expect(emissions.length).toBeGreaterThan(before);
    expect(emissions.slice(before).every((each) => each.cell === 1)).toBe(true);
    expect(new Set(emissions.map(({ envelope }) => envelope.id)).size).toBe(emissions.length);
    expect(() => emulator.start('contact-email', { account: 'A-00000000' })).toThrow(
      /no account "A-00000000"/,
    );
    await emulator.stop();
  });

  it('is woken by an input while it waits for its next event', async () => {
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

  it('takes nothing in at a time that has passed, and something for later', async () => {
    const { emulator, emissions } = await open();
    await emulator.advance(emulator.now + day);
    const { now } = emulator;
    await expect(emulator.trigger('account.created-v1', { at: now - 1 })).rejects.toThrow(
      '"at" must be a virtual instant from',
    );
    await emulator.trigger('account.created-v1', { at: now + day });
    await emulator.settled();
    expect(emissions[0]?.at).toBe(now + day);
    await emulator.stop();
  });

  it('stands still while paused, and can be moved forward to a time', async () => {
    const { emulator, emissions } = await open({ paused: true });
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

  it('gives a scenario what the start brings with it, once it has read it', async () => {
    const told = defineScenario({
      name: 'told',
      title: '',
      story: '',
      branches: {},
      reads(data: unknown): { times: number } {
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
    const { emulator, emissions } = await open({ scenario: told });
    const { account } = emulator.start('told', { data: { times: 2 } });
    await emulator.settled();
    expect(emissions.map(({ key }) => key === account)).toEqual([false, true, true]);
    expect(() => emulator.start('told', { data: 1 })).toThrow('no times');
    expect(() => emulator.start('house-move', { data: 1 })).toThrow('"house-move" takes no data');
    await emulator.stop();
  });

  it('does other faults from an instant on', async () => {
    const { emulator, emissions } = await open();
    emulator.setFaults('duplicate=100%');
    await emulator.trigger('account.created-v1');
    await emulator.settled();
    emulator.setFaults(null);
    await emulator.trigger('account.created-v1');
    await emulator.settled();
    expect(emissions.map(({ faults }) => faults)).toEqual([[], ['duplicate'], []]);
    expect(() => emulator.setFaults('duplicat=1%')).toThrow('no fault "duplicat"');
    await emulator.stop();
  });

  it('begins again from another seed, and gives the same as a fresh run with it', async () => {
    const { emulator, emissions, bytes } = await open({ scenario: 'house-move' });
    await emulator.settled();
    emissions.length = 0;
    await emulator.reset({ seed: 7 });
    await emulator.settled();
    expect(bytes()).toEqual(await again({ scenario: 'house-move', seed: 7 }, {}));
    await emulator.stop();
  });
});

/** What people do to a run, and how far it has got before. */
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
  it('give the same bytes, whenever the inputs came', async () => {
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
          const { emulator, bytes } = await open({ ...options, paused: true });
          const account = emulator.cellAt(1).account.number;
          for (const { steps, what } of deeds) {
            if (steps > 0) emulator.run.step(steps);
            await settle();
            try {
              if (what.kind === 'advance') await emulator.advance(emulator.now + what.hours * hour);
              else if (what.kind === 'faults') emulator.setFaults(what.faults);
              else if (what.kind === 'start')
                emulator.start(what.scenario, what.sameHousehold ? { account } : {});
              else
                await emulator.trigger(
                  'account.created-v1',
                  what.sameHousehold ? { set: [`account_number=${account}`] } : {},
                );
            } catch (error) {
              // The run may have come to its end.
              expect(error).toMatchObject({ code: 'run-over' });
            }
          }
          emulator.run.resume();
          await emulator.settled();
          await emulator.stop();
          const { inputs = [] } = emulator.plan;
          expect(await again({ ...options, inputs }, { open: false })).toEqual(bytes());
          expect(await again({ ...options, inputs }, { open: true })).toEqual(bytes());
        },
      ),
      { numRuns: 40 },
    );
  });

  it('give the same state of a household', async () => {
    const { emulator } = await open({ scenario: 'house-move', seed: 3, branches: { outcome: 'moved' } });
    await emulator.settled();
    const account = emulator.cellAt(1).account.number;
    emulator.start('billing-cycle', { account });
    await emulator.settled();
    const entries = (at: number) =>
      cellAt(emulator.plan, 1, at).accounts.map(({ ledger }) => ledger.entries.length);
    expect(emulator.accountAt(account).cell.accounts.map(({ ledger }) => ledger.entries.length)).toEqual(
      entries(emulator.now),
    );
    expect(() => emulator.cellAt(1, emulator.now + 1)).toThrow('has not happened');
    await emulator.stop();
  });
});

describe('a recording of a run that things came into', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'busbar-inputs-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('holds the inputs: the run can be gone on with, and had again', async () => {
    const record = join(folder, 'run.ndjson');
    const options = { scenario: 'house-move', seed: 4 } as const;
    const { emulator, emissions, bytes } = await open({ ...options, record, paused: true });
    emulator.run.step(3);
    await settle();
    emulator.start('contact-email');
    emulator.run.resume();
    await emulator.settled();
    await emulator.stop();

    const inputs = await inputsIn(record);
    expect(inputs).toEqual(emulator.plan.inputs);
    expect(await again(options, { inputs, open: false })).toEqual(bytes());

    const whole = await readFile(record, 'utf8');
    const { open: openFile } = await import('node:fs/promises');
    const file = await openFile(record, 'r+');
    await file.truncate(Math.floor(whole.length * 0.7));
    await file.close();
    const rest = await again(options, { resume: record });
    expect(rest.length).toBeGreaterThan(0);
    expect(bytes().slice(-rest.length)).toEqual(rest);
    expect((await readFile(record, 'utf8')).length).toBe(whole.length);
    expect(emissions.length).toBeGreaterThan(rest.length);
  });
});
