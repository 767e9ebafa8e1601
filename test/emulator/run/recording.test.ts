import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type OutgoingEvent,
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
/** A path of Windows has backslashes, which JSON escapes. */
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

const faults =
  'duplicate=10%,reorder=20%:30s,delay=10%:10m,drop=5%,corrupt=5%,invalid=5%,unknown-event=2%,burst=5x:10m:50%';
const options = { scenario: 'house-move', instances: 20, faults, speed: 'instant' } as const;

function keeping(limit = Infinity) {
  const emissions: OutgoingEvent[] = [];
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

async function play(more: Partial<EmulatorOptions>): Promise<OutgoingEvent[]> {
  const { sink, emissions } = keeping();
  const emulator = await startEmulator({ ...options, sinks: [sink], logger: silentLogger, ...more });
  await emulator.finished.finally(() => emulator.stop());
  return emissions;
}

async function replay(more: Partial<ReplayRecordingOptions> & { file: string }): Promise<OutgoingEvent[]> {
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

const sent = ({ bytes, key, headers }: OutgoingEvent) => ({ bytes: bytes.toString('base64'), key, headers });
const typeOf = ({ envelope }: OutgoingEvent) => envelope.event_type;

describe('a recording', () => {
  it('replays byte for byte, with key, headers, provenance, times and faults', async () => {
    const played = await play({ run: { record: file('whole') } });
    const replayed = await replay({ file: file('whole') });
    expect(replayed.map(sent)).toEqual(played.map(sent));
    const rest = ({ at, sentAt, cell, instance, step, faults: done }: OutgoingEvent) => {
      return { at, sentAt, cell, instance, step, done };
    };
    expect(replayed.map(rest)).toEqual(played.map(rest));
    expect(replayed.some((each) => each.faults.includes('corrupt'))).toBe(true);
  });

  it('does not depend on the speed and starts with the options of the run', async () => {
    await play({ run: { record: file('instant') } });
    await play({ run: { record: file('fast') }, speed: 1e12 });
    expect(readFileSync(file('fast'), 'utf8')).toBe(readFileSync(file('instant'), 'utf8'));
    const [first = ''] = readFileSync(file('instant'), 'utf8').split('\n', 1);
    expect(JSON.parse(first)).toMatchObject({
      'busbar-recording': 1,
      worldVersion: 2,
      options: { scenario: ['house-move'], seed: 1, instances: 20, faults },
      catalogue: expect.stringMatching(/^sha256:[\da-f]{64}$/),
    });
  });

  it('replays in part, by time, type and account', async () => {
    const played = await play({ run: { record: file('part') } });
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
    await expect(replay({ file: file('part'), only: ['account'] })).rejects.toThrow('mean "account.*"?');
  });

  it('replays with its gaps, at a speed', async () => {
    await play({ run: { record: file('gaps') }, faults: 'drop=0%', instances: 1 });
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

  it('reports the number of a broken line, or skips the line', async () => {
    const played = await play({ run: { record: file('broken') } });
    const lines = readFileSync(file('broken'), 'utf8').split('\n');
    lines[17] = '{"at":"secret"}';
    lines[20] = lines[20]!.slice(0, 40);
    writeFileSync(file('broken'), lines.join('\n'));
    const refused = replay({ file: file('broken') });
    await expect(refused).rejects.toMatchObject({ code: 'invalid-recording' });
    await expect(refused).rejects.toThrow(/^Line 18 of ".*" is broken: .* --skip-broken\.$/);
    await expect(refused).rejects.not.toThrow('secret');
    const warnings: unknown[] = [];
    const logger = { ...silentLogger, warn: (...entry: unknown[]) => void warnings.push(entry) };
    const rest = await replay({ file: file('broken'), skipBroken: true, logger });
    // The header is line 1.
    expect(rest.map(sent)).toEqual(played.filter((_, n) => n !== 16 && n !== 19).map(sent));
    expect(warnings).toEqual([18, 21].map((line) => ['broken line skipped', { file: file('broken'), line }]));
  });

  it.each([
    ['', 'is empty'],
    ['no json\n', 'it is not JSON'],
    ['{"id":"1"}\n', 'it is not the first line of a recording'],
    ['{"busbar-recording":2}\n', 'of another version than 1'],
    [
      '{"busbar-recording":1,"options":{}}\n',
      'it was recorded in another version of the world than 2, which this release plays. Make one with: npx emulate --record FILE.',
    ],
  ])('refuses a file that starts with %j', async (text, message) => {
    writeFileSync(file('none'), text);
    await expect(replay({ file: file('none') })).rejects.toThrow(message);
  });

  it('reads a recording with a byte order mark, and resumes it', async () => {
    const played = await play({ run: { record: file('marked') } });
    const lines = readFileSync(file('marked'), 'utf8').split('\n');
    writeFileSync(file('marked'), `\uFEFF${lines.slice(0, 9).join('\n')}\n`);
    expect((await replay({ file: file('marked') })).map(sent)).toEqual(played.slice(0, 8).map(sent));
    await play({ run: { resume: file('marked') } });
    expect(readFileSync(file('marked'), 'utf8')).toBe(`\uFEFF${lines.join('\n')}`);
  });

  it('refuses a recording in UTF-16', async () => {
    writeFileSync(file('wide'), '\uFEFF{"busbar-recording":1}\n', 'utf16le');
    const message = 'The input is UTF-16 text. Convert it to UTF-8.';
    await expect(replay({ file: file('wide') })).rejects.toMatchObject({ code: 'file-failed', message });
  });

  it('names a missing file', async () => {
    await expect(replay({ file: file('missing') })).rejects.toMatchObject({
      code: 'invalid-option',
      message: expect.stringContaining('ENOENT'),
    });
  });

  it('contains only events that every sink has sent', async () => {
    const { sink, emissions } = keeping(256);
    const emulator = await startEmulator({
      ...options,
      sinks: [sink],
      run: { record: file('held') },
      logger: silentLogger,
    });
    await expect(emulator.finished).rejects.toThrow('interrupted');
    await emulator.stop();
    const recorded = await replay({ file: file('held') });
    expect(recorded.map(sent)).toEqual(emissions.map(sent));
  });
});

describe('an interrupted run', () => {
  it('resumes exactly at the end of its recording', async () => {
    const played = await play({ run: { record: file('all'), faultLog: file('all.faults') } });
    const whole = readFileSync(file('all'), 'utf8');
    const header = whole.indexOf('\n') + 1;
    for (const length of [header, header + 1, header + 5000, whole.length - 1, whole.length]) {
      writeFileSync(file('cut'), whole);
      truncateSync(file('cut'), length);
      const held = whole.slice(header, length).split('\n').length - 1;
      const rest = await play({ run: { resume: file('cut'), faultLog: file('cut.faults') } });
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
  ] as const)('refuses to resume with other options: %j', async (other, message) => {
    await play({ run: { record: file('other') } });
    await expect(play({ run: { resume: file('other') }, ...other })).rejects.toThrow(message);
  });

  it('refuses to resume after a line of another run', async () => {
    await play({ run: { record: file('changed') } });
    const lines = readFileSync(file('changed'), 'utf8').split('\n');
    lines[9] = lines[9]!.replace('"cell":', '"cell":1');
    writeFileSync(file('changed'), lines.join('\n'));
    await expect(play({ run: { resume: file('changed') } })).rejects.toThrow(
      /^Line 10 of ".*" differs from this run/,
    );
  });

  it.each([
    [{ record: 'a', resume: 'b' }, 'either "record" or "resume"'],
    [{ faultLog: 'a' }, 'needs faults'],
  ])('refuses %j', async (run, message) => {
    const { faults: _, ...plain } = options;
    const start = startEmulator({ ...plain, sinks: [], run });
    await expect(start).rejects.toThrow(message);
  });
});

describe('a recording of a changed scenario file', () => {
  /** A recording of one file that names another, which marks that it was loaded. */
  async function ofAnother(name: string) {
    const [own, other, mark] = [file(`${name}.mjs`), file(`${name}-other.mjs`), file(`${name}.loaded`)];
    const scenario = "{ name: 'own', title: 'Own', description: 'Own.', branches: {}, *run() {} }";
    writeFileSync(own, `export const own = ${scenario};`);
    writeFileSync(
      other,
      `import { writeFileSync } from 'node:fs';
      writeFileSync(${JSON.stringify(mark)}, '');
      export const own = ${scenario};`,
    );
    const path = file(`${name}.ndjson`);
    await play({ scenario: ['house-move', own], run: { record: path } });
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(inJson(own), inJson(other)));
    return { path, other, isLoaded: () => existsSync(mark) };
  }

  it('refuses to resume before it loads a file', async () => {
    const { path, other, isLoaded } = await ofAnother('resumed');
    const resumed = play({ scenario: ['house-move', other], run: { resume: path } });
    await expect(resumed).rejects.toThrow(/^Scenario file ".*" has changed since/);
    expect(isLoaded()).toBe(false);
  });

  it('replays without its world, with a warning, and loads no file', async () => {
    const { path, isLoaded } = await ofAnother('replayed');
    const warnings: unknown[] = [];
    const logger = { ...silentLogger, warn: (...entry: unknown[]) => void warnings.push(entry) };
    const { sink, emissions } = keeping();
    const replayed = await replayRecording({
      file: path,
      speed: 'instant',
      sinks: [sink],
      http: { port: 0 },
      platformApi: { apiKeys: ['sk_test'] },
      logger,
    });
    await replayed.finished;
    expect(emissions.length).toBeGreaterThan(0);
    const number = emissions.find(({ key }) => key.startsWith('A-'))?.key ?? '';
    const headers = { Authorization: `Basic ${Buffer.from('sk_test:').toString('base64')}` };
    const response = await fetch(`${replayed.apiUrl ?? ''}accounts/${number}/`, { headers });
    expect(response.status).toBe(404);
    await replayed.stop();
    expect(warnings).toEqual([
      ['recording replayed without accounts', expect.objectContaining({ file: path }) as unknown],
    ]);
    expect(isLoaded()).toBe(false);
  });
});
