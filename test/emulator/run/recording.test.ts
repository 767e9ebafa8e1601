import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type Emission,
  type EmulatorOptions,
  type ReplayRecordingOptions,
  replayRecording,
  type Sink,
  startEmulator,
} from '../../../emulator/index.js';
import { virtualClock } from '../../../src/base/clock.js';
import { silentLogger } from '../../../src/base/logger.js';

const folder = mkdtempSync(join(tmpdir(), 'busbar-recording-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string) => join(folder, name);

const faults =
  'duplicate=10%,reorder=20%:30s,delay=10%:10m,drop=5%,corrupt=5%,invalid=5%,unknown-event=2%,burst=5x:10m:50%';
const options = { scenario: 'house-move', instances: 20, faults, speed: 'instant' } as const;

function keeping(limit = Infinity) {
  const emissions: Emission[] = [];
  const sink: Sink = {
    name: 'keeping',
    write(batch) {
      if (emissions.length >= limit) throw new Error('interrupted');
      emissions.push(...batch);
    },
    end: () => undefined,
    close: () => Promise.resolve(),
  };
  return { sink, emissions };
}

async function play(more: Partial<EmulatorOptions>): Promise<Emission[]> {
  const { sink, emissions } = keeping();
  const emulator = await startEmulator({ ...options, sinks: [sink], logger: silentLogger, ...more });
  await emulator.finished.finally(() => emulator.stop());
  return emissions;
}

async function replay(more: Partial<ReplayRecordingOptions> & { file: string }): Promise<Emission[]> {
  const { sink, emissions } = keeping();
  const emulator = await replayRecording({
    speed: 'instant',
    sinks: [sink],
    logger: silentLogger,
    ...more,
  });
  await emulator.finished.finally(() => emulator.stop());
  return emissions;
}

const sent = ({ bytes, key, headers }: Emission) => ({ bytes: bytes.toString('base64'), key, headers });
const typeOf = ({ envelope }: Emission) => envelope.event_type;

describe('a recording', () => {
  it('is replayed byte for byte, with key, headers, provenance, times and faults', async () => {
    const played = await play({ record: file('whole') });
    const replayed = await replay({ file: file('whole') });
    expect(replayed.map(sent)).toEqual(played.map(sent));
    const rest = ({ at, sentAt, cell, instance, step, faults: done }: Emission) => {
      return { at, sentAt, cell, instance, step, done };
    };
    expect(replayed.map(rest)).toEqual(played.map(rest));
    expect(replayed.some((each) => each.faults.includes('corrupt'))).toBe(true);
  });

  it('is the same at any speed, and says in its first line what was recorded', async () => {
    await play({ record: file('instant') });
    await play({ record: file('fast'), speed: 1e12 });
    expect(readFileSync(file('fast'), 'utf8')).toBe(readFileSync(file('instant'), 'utf8'));
    const [first = ''] = readFileSync(file('instant'), 'utf8').split('\n', 1);
    expect(JSON.parse(first)).toMatchObject({
      'busbar-recording': 1,
      options: { scenario: ['house-move'], seed: 1, instances: 20, faults },
      catalogue: expect.stringMatching(/^sha256:[\da-f]{64}$/),
    });
  });

  it('is replayed in part: by time, type and account', async () => {
    const played = await play({ record: file('part') });
    const instants = played.map(({ at, sentAt = at }) => sentAt);
    const [from, until] = [instants[100]!, instants[200]!];
    const between = await replay({ file: file('part'), from, until });
    expect(between.map(sent)).toEqual(
      played.filter((_, n) => instants[n]! >= from && instants[n]! < until).map(sent),
    );
    const some = await replay({ file: file('part'), only: ['account.*', 'billing.final_bill'] });
    expect(some.map(sent)).toEqual(
      played
        .filter((each) => typeOf(each).startsWith('account.') || typeOf(each) === 'billing.final_bill')
        .map(sent),
    );
    const number = played.find(({ key }) => key.startsWith('A-'))!.key;
    const account = await replay({ file: file('part'), account: [number] });
    expect(account.length).toBeGreaterThan(0);
    expect(account.map(sent)).toEqual(
      played.filter(({ bytes, key }) => key === number || bytes.includes(`"${number}"`)).map(sent),
    );
    expect(await replay({ file: file('part'), only: ['account'] })).toEqual([]);
  });

  it('is replayed with its gaps, at a speed', async () => {
    await play({ record: file('gaps'), faults: 'drop=0%', instances: 1 });
    const clock = virtualClock();
    const { sink, emissions } = keeping();
    const emulator = await replayRecording({ file: file('gaps'), speed: 3600, clock, sinks: [sink] });
    const progress = { isOver: false };
    void emulator.finished.then(() => (progress.isOver = true));
    while (!progress.isOver) {
      await new Promise(setImmediate);
      clock.advanceToNext();
    }
    const [first, last] = [emissions[0]!.at, emissions.at(-1)!.at];
    expect(clock.now()).toBeCloseTo((last - first) / 3600, -2);
    await emulator.stop();
  });

  it('with a broken line is refused by its number, or goes on without it', async () => {
    const played = await play({ record: file('broken') });
    const lines = readFileSync(file('broken'), 'utf8').split('\n');
    lines[17] = '{"at":"secret"}';
    lines[20] = lines[20]!.slice(0, 40);
    writeFileSync(file('broken'), lines.join('\n'));
    const refused = replay({ file: file('broken') });
    await expect(refused).rejects.toMatchObject({ code: 'invalid-recording' });
    await expect(refused).rejects.toThrow(/^Line 18 of ".*" is broken: .* --skip-broken\.$/);
    await expect(refused).rejects.not.toThrow('secret');
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
    const rest = await replay({ file: file('broken'), skipBroken: true, logger });
    // The header is line 1.
    expect(rest.map(sent)).toEqual(played.filter((_, n) => n !== 16 && n !== 19).map(sent));
    expect(warnings).toEqual(['Line 18 is broken, and left out.', 'Line 21 is broken, and left out.']);
  });

  it.each([
    ['', 'is empty'],
    ['no json\n', 'it is not JSON'],
    ['{"id":"1"}\n', 'it is not the first line of a recording'],
    ['{"busbar-recording":2}\n', 'of another version than 1'],
  ])('that begins with %j is none', async (text, message) => {
    writeFileSync(file('none'), text);
    await expect(replay({ file: file('none') })).rejects.toThrow(message);
  });

  it('that is not there is named', async () => {
    await expect(replay({ file: file('missing') })).rejects.toMatchObject({
      code: 'file-failed',
      message: expect.stringContaining('ENOENT'),
    });
  });

  it('holds only what has reached every sink', async () => {
    const { sink, emissions } = keeping(256);
    const emulator = await startEmulator({
      ...options,
      sinks: [sink],
      record: file('held'),
      logger: silentLogger,
    });
    await expect(emulator.finished).rejects.toThrow('interrupted');
    await emulator.stop();
    const recorded = await replay({ file: file('held') });
    expect(recorded.map(sent)).toEqual(emissions.map(sent));
  });
});

describe('an interrupted run', () => {
  it('goes on exactly where its recording ends, wherever that is', async () => {
    const played = await play({ record: file('all'), faultLog: file('all.faults') });
    const whole = readFileSync(file('all'), 'utf8');
    const header = whole.indexOf('\n') + 1;
    for (const length of [header, header + 1, header + 5000, whole.length - 1, whole.length]) {
      writeFileSync(file('cut'), whole);
      truncateSync(file('cut'), length);
      const held = whole.slice(header, length).split('\n').length - 1;
      const rest = await play({ resume: file('cut'), faultLog: file('cut.faults') });
      expect(rest.map(sent)).toEqual(played.slice(held).map(sent));
      expect(readFileSync(file('cut'), 'utf8')).toBe(whole);
      expect(readFileSync(file('cut.faults'), 'utf8')).toBe(readFileSync(file('all.faults'), 'utf8'));
    }
  });

  it.each([
    [{ seed: 2 }, 'has another "seed"'],
    [{ instances: 21 }, 'has another "instances"'],
    [{ faults: 'drop=1%' }, 'has another "faults"'],
    [{ vary: ['times'] }, 'has another "vary"'],
  ] as const)('is not resumed as another one: %j', async (other, message) => {
    await play({ record: file('other') });
    await expect(play({ resume: file('other'), ...other })).rejects.toThrow(message);
  });

  it('is not resumed after a line that it would not have recorded', async () => {
    await play({ record: file('changed') });
    const lines = readFileSync(file('changed'), 'utf8').split('\n');
    lines[9] = lines[9]!.replace('"cell":', '"cell":1');
    writeFileSync(file('changed'), lines.join('\n'));
    await expect(play({ resume: file('changed') })).rejects.toThrow(/^Line 10 of ".*" is not what this run/);
  });

  it.each([
    [{ record: 'a', resume: 'b' }, 'do not go together'],
    [{ faultLog: 'a', faults: undefined }, 'name some'],
  ])('and %j cannot be', async (more, message) => {
    const { faults: _, ...plain } = options;
    const start = startEmulator({ ...plain, sinks: [], ...(more as object) });
    await expect(start).rejects.toThrow(message);
  });
});

describe('a recording that names a scenario file which is not the one that was recorded', () => {
  /** A recording of one file that names another, which marks that it was loaded. */
  async function ofAnother(name: string) {
    const [own, other, mark] = [file(`${name}.mjs`), file(`${name}-other.mjs`), file(`${name}.loaded`)];
    const scenario = "{ name: 'own', title: 'Own', story: 'Own.', branches: {}, *run() {} }";
    writeFileSync(own, `export const own = ${scenario};`);
    writeFileSync(
      other,
      `import { writeFileSync } from 'node:fs';
      writeFileSync(${JSON.stringify(mark)}, '');
      export const own = ${scenario};`,
    );
    const path = file(`${name}.ndjson`);
    await play({ scenario: ['house-move', own], record: path });
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(own, other));
    return { path, other, isLoaded: () => existsSync(mark) };
  }

  it('is not resumed, and nothing is loaded', async () => {
    const { path, other, isLoaded } = await ofAnother('resumed');
    const resumed = play({ scenario: ['house-move', other], resume: path });
    await expect(resumed).rejects.toThrow(/^Scenario file ".*" has changed since/);
    expect(isLoaded()).toBe(false);
  });

  it('is replayed without its world, says so, and nothing is loaded', async () => {
    const { path, isLoaded } = await ofAnother('replayed');
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
    const { sink, emissions } = keeping();
    const replayed = await replayRecording({
      file: path,
      speed: 'instant',
      sinks: [sink],
      httpPort: 0,
      platformApi: { apiKeys: ['sk_test'] },
      logger,
    });
    await replayed.finished;
    expect(emissions.length).toBeGreaterThan(0);
    const number = emissions.find(({ key }) => key.startsWith('A-'))?.key ?? '';
    const headers = { Authorization: `Basic ${Buffer.from('sk_test:').toString('base64')}` };
    const answer = await fetch(`${replayed.apiUrl ?? ''}accounts/${number}/`, { headers });
    expect(answer.status).toBe(404);
    await replayed.stop();
    expect(warnings).toEqual([expect.stringMatching(/^The recording is replayed without its accounts: /)]);
    expect(isLoaded()).toBe(false);
  });
});
