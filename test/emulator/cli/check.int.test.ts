import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openCatalogue } from '../../../catalogue/index.js';
import { checkStream } from '../../../emulator/cli/check.js';
import type { OutgoingEvent } from '../../../emulator/index.js';
import { invariants } from '../../../emulator/invariants/index.js';
import { servedInvariants } from '../../../emulator/served/index.js';
import { run } from '../../command.js';
import { play } from '../scenarios/play.js';

const folder = mkdtempSync(join(tmpdir(), 'busbar-check-'));
const file = (name: string, lines: readonly string[]) => {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
  return path;
};
const envelopes = (emissions: readonly OutgoingEvent[]) => emissions.map(({ bytes }) => bytes.toString());
/** A house move whose completion occurs twice, the second time later with another id. */
const leftTwice = (lines: readonly string[]) => {
  const line = lines.find((each) => each.includes('"lifecycle.leave-supplier.completed"')) ?? '';
  const event = JSON.parse(line) as object;
  const later = { id: 'ffffffff-0000-7000-8000-000000000000', occurred_at: '2027-01-01T00:00:00.000Z' };
  return [...lines, JSON.stringify({ ...event, ...later })];
};
let moves: readonly OutgoingEvent[] = [];
let lastProgress = '';

beforeAll(async () => {
  moves = await play('house-move', { instances: 3 });
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => (process.exitCode = 0));

describe('emulate check', () => {
  it('finds no problem in the output of emulate, and exits with 0', async () => {
    const { code, stdout } = await run('emulate', ['check', '-'], envelopes(moves).join('\n'));
    expect(code).toBe(0);
    const ofWorld = invariants.filter(({ proof }) => proof === 'world');
    const skipped = [...ofWorld, ...servedInvariants].map(({ name }) => name);
    expect(stdout.split('\n')).toEqual([
      `${moves.length} events checked against ${invariants.length - ofWorld.length} invariants.`,
      `NOT RUN: ${skipped.join(', ')}: only a recording names the run that they need.`,
      '0 broken lines, 0 invalid events, 0 violations.',
      '',
    ]);
  });

  it('prints a line for a violation, and exits with 1', async () => {
    const path = file('twice.ndjson', leftTwice(envelopes(moves)));
    const { code, stdout } = await run('emulate', ['check', path]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^leave-in-order: lifecycle\.leave-supplier\.completed-v3 ffffffff-\S+: leaving process "LS-\w{8}" cannot come after "lifecycle\.leave-supplier\.completed"$/m,
    );
    expect(stdout).toMatch(/0 broken lines, 0 invalid events, \d violations?\.\n$/);
  });

  it('suggests a fix for a missing file, and exits with 2', async () => {
    const { code, stderr } = await run('emulate', ['check', join(folder, 'nothing')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^emulate: File ".*nothing" cannot be read: ENOENT\. Give a recording, or "-"/);
  });

  it.each(['', '\n'])('rejects an input without events, and exits with 1: %j', async (input) => {
    const { code, stdout, stderr } = await run('emulate', ['check', '-'], input);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('emulate: Standard input has no events. Give a recording or lines of envelopes.\n');
  });

  it('accepts a recording', async () => {
    const lines = moves.map(({ bytes, at, key, cell, instance, step, headers }) =>
      JSON.stringify({ at, key, cell, instance, step, faults: [], headers, value: bytes.toString() }),
    );
    const about = { 'busbar-recording': 1, worldVersion: 2, options: {}, catalogue: 'sha256:0' };
    const nested = moves.map(({ envelope, key }) => JSON.stringify({ envelope, key }));
    for (const own of [lines, nested]) {
      const summary = await summaryOf([JSON.stringify(about), ...own]);
      expect(summary).toMatchObject({ events: moves.length, brokenLines: 0, violations: 0 });
    }
  });

  it('plays a recorded run again for invariants that need the ground truth', async () => {
    const path = join(folder, 'recorded.ndjson');
    const [run1, more] = [['house-move', 'billing-cycle'], { instances: 3, branches: { outcome: 'moved' } }];
    await play(run1, { ...more, run: { record: path } });
    expect((await checkedFile(path)).at(-1)).toMatchObject({
      invariants: invariants.length + servedInvariants.length,
      skipped: [],
      violations: 0,
    });
    expect(lastProgress).toMatch(/^[\d,]+ events checked, [1-9]\d* accounts read over HTTP$/);
    // A final bill precedes its charges, which no single event shows.
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const at = lines.findIndex((line) => line.includes('"event_type\\":\\"billing.final_bill'));
    const bill = JSON.parse(lines[at] ?? '') as { value: string };
    const envelope = JSON.parse(bill.value) as { occurred_at: string };
    const early = new Date(Date.parse(envelope.occurred_at) - 40_000).toISOString();
    const value = JSON.stringify({ ...envelope, occurred_at: early });
    writeFileSync(path, lines.with(at, JSON.stringify({ ...bill, value })).join('\n'));
    expect(await checkedFile(path)).toMatchObject([
      { kind: 'violation', invariant: 'charges-before-their-bill' },
      { kind: 'violation', invariant: 'charges-before-their-bill' },
      { kind: 'summary', violations: 2 },
    ]);
  });

  it('reports why it cannot play a recorded run again', async () => {
    const path = join(folder, 'elsewhere.ndjson');
    await play('billing-cycle', { run: { record: path } });
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"sha256:[\da-f]+"/, '"sha256:0"'));
    const summary = (await checkedFile(path)).at(-1);
    expect(summary).toMatchObject({
      violations: 0,
      skipped: expect.arrayContaining(['final-bill-to-the-end']),
    });
    expect((summary as { unknown: string }).unknown).toContain('was recorded with another catalogue');
    const { stdout } = await run('emulate', ['check', path]);
    expect(stdout).toContain('The recorded run cannot be played again: The run in "');
  });

  it('reads lines that begin with a byte order mark', async () => {
    const lines = await checked([`\uFEFF${envelopes(moves)[0] ?? ''}`, ...envelopes(moves).slice(1)]);
    expect(lines.at(-1)).toMatchObject({ kind: 'summary', events: moves.length, brokenLines: 0 });
  });

  it('refuses UTF-16 in one line', async () => {
    const path = join(folder, 'utf-16.ndjson');
    writeFileSync(path, Buffer.from(`\uFEFF${envelopes(moves).join('\r\n')}`, 'utf16le'));
    const { code, stdout, stderr } = await run('emulate', ['check', path]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('emulate: The input is UTF-16 text. Convert it to UTF-8.\n');
  });

  it('reports broken lines by number, without values, and continues', async () => {
    const [first = '', ...others] = envelopes(moves);
    const wrong = [
      '{"secret@example.com"',
      '[]',
      '{"id":"1","event_type":"account.created","version":"v1","payload":{}}',
      '{"id":"1","event_type":"account.created","version":"v1","occurred_at":"2026-01-01T00:00:00Z"}',
      '{"key":"A-1","value":"{\\"cut"}',
      '{"key":"A-1","base64":"AAAA"}',
      '1'.repeat(64 * 1024 * 1024 + 1),
    ];
    const lines = await checked([first, '', ...wrong, ...others]);
    expect(lines.slice(0, wrong.length)).toEqual([
      { kind: 'broken-line', line: 3, what: 'it is not JSON' },
      { kind: 'broken-line', line: 4, what: 'it is not an object' },
      { kind: 'broken-line', line: 5, what: 'its envelope has no instant "occurred_at"' },
      { kind: 'broken-line', line: 6, what: 'its envelope has no "payload"' },
      { kind: 'broken-line', line: 7, what: 'what was sent is not a JSON object' },
      { kind: 'broken-line', line: 8, what: 'what was sent is not text' },
      { kind: 'broken-line', line: 9, what: 'it is longer than 67108864 bytes' },
    ]);
    expect(lines.at(-1)).toMatchObject({ kind: 'summary', events: moves.length, brokenLines: 7 });
    expect(process.exitCode).toBe(1);
  });

  it('validates every payload with the catalogue', async () => {
    const about = { version: 'v1', occurred_at: '2026-01-01T00:00:00Z' };
    const event = (event_type: string, payload: unknown) =>
      JSON.stringify({ id: event_type, event_type, ...about, payload });
    const lines = await checked([
      event('account.occupied', { account_number: 'A-1B2C3D4E' }),
      event('account.occupied', { account_number: 17 }),
      event('account.vanished', {}),
    ]);
    expect(lines).toMatchObject([
      { kind: 'invalid-event', line: 2, event: 'account.occupied-v1' },
      { kind: 'invalid-event', line: 3, what: 'the catalogue has no such event' },
      { kind: 'summary', events: 3, invalidEvents: 2, violations: 0 },
    ]);
    expect((lines[0] as { what: string }).what).toMatch(/^the payload at "\/account_number" /);
    expect((lines[0] as { what: string }).what).not.toContain('17');
    expect(process.exitCode).toBe(1);
  });

  it('reports missing events only with --complete', async () => {
    const events = envelopes(
      // Long enough for the bill to be due: some customers return, and debts are followed up for months.
      await play(['house-move', 'switch-loss', 'debt-path'], {
        instances: 3,
        branches: { account: 'new', outcome: 'reversed', end: 'terminated' },
      }),
    );
    const lost = events.findIndex((line) => line.includes('"billing.final_bill"'));
    const lines = [...events.slice(0, lost), ...events.slice(lost + 1)];
    expect(await summaryOf(lines)).toMatchObject({ violations: 0 });
    expect(await summaryOf(lines, true)).toMatchObject({ violations: 1 });
  });

  it('reads lines from chunks of any size', async () => {
    const bytes = Buffer.from(envelopes(moves).join('\n'));
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
      bytes.subarray(index * 7, index * 7 + 7),
    );
    expect(await summaryOf(pieces)).toMatchObject({ events: moves.length, brokenLines: 0 });
  });
});

/** Returns the JSON output for lines, or chunks of lines. */
function checked(lines: readonly (string | Buffer)[], complete = false): Promise<object[]> {
  const input = Readable.from(
    lines.map((line) => (typeof line === 'string' ? Buffer.from(`${line}\n`) : line)),
  );
  return checkedFile('-', { complete, input });
}

async function checkedFile(
  path: string,
  { complete = false, input }: { complete?: boolean; input?: Readable } = {},
): Promise<object[]> {
  let printed = '';
  const output = {
    write: (text: string) => (printed += text),
    flush: () => Promise.resolve(),
    progress: (line: (period: number) => string) => () => (lastProgress = line(1)),
    catalogue: () => Promise.resolve(openCatalogue()),
  };
  await checkStream({ file: path, json: true, complete }, output, input);
  return printed
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
}

async function summaryOf(lines: readonly (string | Buffer)[], complete = false): Promise<object | undefined> {
  return (await checked(lines, complete)).at(-1);
}
