import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type Emulator,
  type EmulatorOptions,
  replayRecording,
  startEmulator,
} from '../../../emulator/index.js';
import * as random from '../../../emulator/engine/random.js';
import { followCells } from '../../../emulator/run/cell-timeline.js';
import { defaultStart } from '../../../emulator/engine/calendar.js';
import { Plan } from '../../../emulator/run/plan.js';
import { virtualClock } from '../../../src/base/clock.js';
import { silentLogger } from '../../../src/base/logger.js';
import { accountOf, supplier, withKey } from '../platform-api/data-import-payloads.js';
import { apiKey } from '../platform-api/serve.js';
import { play } from '../scenarios/play.js';

/** Every search for a start draws: more draws than this for one request, and it is taken for endless. */
const most = 20_000;
const work = { draws: 0 };
const { randomStream } = random;
beforeEach(() => {
  vi.spyOn(random, 'randomStream').mockImplementation((...name: readonly (string | number)[]) => {
    if (++work.draws > most) throw new Error('This search has no end.');
    return randomStream(...name);
  });
});

const day = 86_400_000;
const everyday = { scenario: 'everyday', accounts: 50 } as const;
const ports = {
  kafka: false,
  http: { port: 0 },
  logger: silentLogger,
  platformApi: { apiKeys: [apiKey] },
} as const;

/** Requests to an emulator; each begins to count its draws. */
function client(url = '') {
  const ask = async (path: string, body?: unknown) => {
    work.draws = 0;
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${url}${path}`, { ...init, headers: withKey });
    return { status: response.status, body: (await response.json()) as never };
  };
  const status = async (path: string, body?: unknown) => (await ask(path, body)).status;
  return {
    ask,
    status,
    importAccount: () => status('/v1/data-import/accounts/', accountOf('N-1')),
    start: () =>
      ask('/emulator/v1/run/start', { scenario: 'house-move' }) as Promise<{
        status: number;
        body: { started: [{ account: string; cell: number }] };
      }>,
    trigger: () => status('/emulator/v1/trigger', { event: 'account.created-v1' }),
    account: (number: string) => status(`/v1/accounts/${number}/`),
    /** Everything that is answered by playing a cell. */
    lookUp: async (number: string, cell: number) => [
      await status(`/v1/accounts/${number}/`),
      await status(`/emulator/v1/world/accounts/${number}`),
      await status(`/emulator/v1/world/cells/${cell}`),
      await status(`/dashboard/account/${number}`),
      await status(`/dashboard/course/${cell}`),
    ],
  };
}

/** The emulator on a run that stands still unless it is advanced. */
async function served(options: EmulatorOptions) {
  work.draws = -Infinity;
  const emulator = await startEmulator({ clock: virtualClock(), speed: 60, ...ports, ...options });
  onTestFinished(() => emulator.stop());
  emulator.setSupplier(supplier, {});
  return emulator;
}

async function advance(emulator: Emulator, days: number): Promise<void> {
  work.draws = -Infinity;
  await emulator.advance(emulator.now + days * day);
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'busbar-kinds-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function scenarioFile(): Promise<string> {
  const file = join(await temporaryFolder(), 'mine.mjs');
  const scenario = "{ name: 'mine', title: 'Mine', description: 'Mine.', branches: {}, *run() {} }";
  await writeFile(file, `export const mine = ${scenario};`);
  return file;
}

const kinds: Readonly<Record<string, () => Promise<Emulator>>> = {
  'without a scenario': () => served({}),
  'of a scenario': () => served({ scenario: 'house-move' }),
  'of a scenario that has ended': async () => {
    const emulator = await served({ scenario: 'phone-call', speed: 'instant' });
    await emulator.idle();
    return emulator;
  },
  'of a scenario file': async () => served({ scenario: await scenarioFile() }),
  'of a population': async () => {
    const emulator = await served(everyday);
    await advance(emulator, 2);
    return emulator;
  },
  'of a population and a scenario': () => served({ ...everyday, scenario: ['house-move', 'everyday'] }),
  'of a share of a population': () => served({ ...everyday, shard: { index: 2, count: 4 } }),
  'of a population, paused': () => served({ ...everyday, run: { paused: true } }),
  'of a population, stepped': async () => {
    let sent: () => void = () => undefined;
    const stepped = new Promise<void>((resolve) => (sent = resolve));
    const sink = {
      name: 'test',
      write: () => sent(),
      end: () => undefined,
      close: () => Promise.resolve(),
    };
    const emulator = await served({ ...everyday, run: { paused: true }, sinks: [sink] });
    emulator.run.step();
    await stepped;
    return emulator;
  },
};

/** Those that take nothing in any more. */
const overKinds: Readonly<Record<string, () => Promise<Emulator>>> = {
  'that has reached its end': async () => {
    const emulator = await served({ ...everyday, duration: day });
    await advance(emulator, 400);
    return emulator;
  },
  'that was stopped': async () => {
    const emulator = await served(everyday);
    await advance(emulator, 1);
    await emulator.run.stop();
    return emulator;
  },
};

describe('a run handles imports, starts, triggers and reads in bounded work', () => {
  it.each(Object.entries(kinds))('%s', async (_, open) => {
    const emulator = await open();
    expect(emulator.now).toBeGreaterThanOrEqual(defaultStart);
    const { ask, importAccount, start, trigger, lookUp } = client(emulator.url);
    expect(await importAccount()).toBe(201);
    const { status, body } = await start();
    expect(status).toBe(201);
    const [{ account, cell }] = body.started;
    expect(await trigger()).toBe(202);
    expect(await lookUp(account, cell)).toEqual([200, 200, 200, 200, 200]);
    if (emulator.knows(1)) {
      work.draws = 0;
      const old = emulator.cell(1).account.number;
      expect(await lookUp(old, 1)).toEqual([200, 200, 200, 200, 200]);
    }

    await advance(emulator, 1);
    const path = `/v1/data-import/import-suppliers/${supplier}/accounts/N-1/`;
    const { body: imported } = await ask(path);
    expect(imported).toMatchObject({ status: 'PROCESSED' });
    const { account_number } = imported as { account_number: string };
    const { index } = emulator.accountAt(account_number).cell;
    expect(await lookUp(account_number, index)).toEqual([200, 200, 200, 200, 200]);
    expect(await lookUp(account, cell)).toEqual([200, 200, 200, 200, 200]);
  });
});

describe('an ended run refuses inputs in bounded work and shows its accounts', () => {
  it.each(Object.entries(overKinds))('%s', async (_, open) => {
    const emulator = await open();
    const { importAccount, trigger, lookUp } = client(emulator.url);
    expect(await importAccount()).toBe(503);
    expect(await trigger()).toBe(409);
    work.draws = 0;
    const { number } = emulator.cell(1).account;
    expect(await lookUp(number, 1)).toEqual([200, 200, 200, 200, 200]);
    expect(await lookUp('A-00000000', 60)).toEqual([404, 404, 404, 404, 404]);
  });

  it('replays a recording', async () => {
    work.draws = -Infinity;
    const file = join(await temporaryFolder(), 'run.ndjson');
    const [first] = await play('everyday', { accounts: 50, duration: day, run: { record: file } });
    const replayed = await replayRecording({ file, speed: 'instant', ...ports });
    onTestFinished(() => replayed.stop());
    await replayed.finished;
    const { importAccount, start, trigger, status } = client(replayed.url);
    expect(await importAccount()).toBe(503);
    expect([(await start()).status, await trigger()]).toEqual([404, 404]);
    const { number } = new Plan({ ...everyday, duration: day }).cell(first!.cell, defaultStart).account;
    expect(await status(`/v1/accounts/${number}/`)).toBe(200);
    expect(await status('/v1/accounts/A-00000000/')).toBe(404);
    expect(await status(`/dashboard/course/${first!.cell}`)).toBe(200);
  });
});

describe('the world of a run', () => {
  it('ends with the run although its clock continues', async () => {
    const emulator = await served({ ...everyday, duration: 3 * day });
    await advance(emulator, 3);
    const end = emulator.now;
    const atEnd = [1, 2, 3].map((cell) => emulator.cell(cell, end).account.ledger.entries.length);
    await advance(emulator, 60);
    expect([1, 2, 3].map((cell) => emulator.cell(cell).account.ledger.entries.length)).toEqual(atEnd);
    const steps = followCells()(new Plan(emulator.plan), 1, emulator.now);
    expect(steps.filter(({ at }) => at >= defaultStart + 3 * day)).toEqual([]);
  });
});
