import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { cases } from '../../cases.js';
import { commands, hasFullDisk, run, runOnFullDisk } from '../../command.js';

if (!hasFullDisk) console.log('NOT RUN: emulate on a full disk: there is no /dev/full');

const folder = mkdtempSync(join(tmpdir(), 'busbar-full-disk-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string) => join(folder, name);
const calls = ['--scenario', 'phone-call', '--instances', '200', '--instant'];
const recorded = file('recorded.ndjson');
const broken = file('broken.ndjson');

beforeAll(async () => {
  await run('emulate', [...calls, '--to', `file:${file('all.ndjson')}`, '--record', recorded]);
  writeFileSync(broken, 'not JSON\n'.repeat(1000));
});

describe.runIf(hasFullDisk)('emulate with standard output on a full disk', () => {
  const commandLines: readonly (readonly [what: string, args: readonly string[]])[] = [
    ['replay', ['replay', recorded, '--instant', '--to', 'stdout']],
    ['many triggers', ['trigger', 'account.created-v1', '--count', '2000']],
    ['check --json', ['check', broken, '--json']],
    // In the long suite:
    ['--help', ['--help']],
    ['a run that is recorded', [...calls, '--to', 'stdout', '--record', file('other.ndjson')]],
    ['a run', [...calls, '--to', 'stdout']],
    [
      'a run that a file gets, too',
      [...calls, '--to', 'stdout', '--to', `file:${file('other-events.ndjson')}`],
    ],
    ['a run with servers', [...calls, '--to', 'stdout', '--http-port', '0', '--kafka-port', '0']],
    ['one trigger', ['trigger', 'account.created-v1']],
    ['check', ['check', recorded]],
    ['scenarios', ['scenarios']],
    ['scenarios --json', ['scenarios', '--json']],
    ['one scenario', ['scenarios', 'house-move']],
    ['--version', ['--version']],
  ];
  it.each(commandLines.slice(0, cases(3, commandLines.length)))(
    'ends with one line and exit code 1: %s',
    async (_what, args) => {
      const { code, stderr } = await runOnFullDisk('emulate', args);
      const about = stderr.split('\n').filter((line) => line.includes('ENOSPC'));
      expect(about).toEqual([
        expect.stringMatching(/^emulate: Standard output cannot be written: ENOSPC\. Check its disk/),
      ]);
      expect(stderr).not.toMatch(/\n {4}at |Done:/);
      expect(code).toBe(1);
    },
  );

  it('reports the progress and how to resume, without lost events', async () => {
    const record = file('interrupted.ndjson');
    const { stderr } = await runOnFullDisk('emulate', [...calls, '--to', 'stdout', '--record', record]);
    expect(stderr).toMatch(
      /The run ends after 0 events\. Resume it with: npx emulate --resume ".*interrupted/,
    );
    const resumed = await run('emulate', ['--resume', record, '--instant', '--to', 'stdout']);
    expect(resumed.stdout).toBe(readFileSync(file('all.ndjson'), 'utf8'));
    expect(readFileSync(record, 'utf8')).toBe(readFileSync(recorded, 'utf8'));
  });

  it('continues when only its log is on the full disk', async () => {
    const { code, stdout } = await runOnFullDisk('emulate', [...calls, '--to', 'stdout'], 'stderr');
    expect(code).toBe(0);
    expect(stdout).toBe(readFileSync(file('all.ndjson'), 'utf8'));
  });
});

describe('emulate with standard output in a file of limited size', () => {
  /** Bash limits the size of files as a full disk does: the first part of a write is stored. */
  function startLimited(kibibytes: number, args: string) {
    const limited = `ulimit -f ${kibibytes}; exec "${process.execPath}" "${commands.emulate}" ${args}`;
    const child = spawn('/bin/bash', ['-c', `${limited} > "${file('limited.ndjson')}"`], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const output = { stderr: '' };
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
    return { child, output };
  }

  it('ends when it cannot write an event after the run', async () => {
    const args = '--scenario phone-call --instant --to stdout --http-port 0';
    const { child, output } = startLimited(16, args);
    const closed = once(child, 'close');
    while (!output.stderr.includes('Run finished')) await once(child.stderr, 'data');
    const [, url = ''] = /Control API +(\S+)/.exec(output.stderr) ?? [];
    const body = JSON.stringify({ event: 'account.created-v1', count: 100 });
    const headers = { 'content-type': 'application/json' };
    await fetch(`${url}trigger`, { method: 'POST', headers, body });
    await closed;
    expect(output.stderr).toMatch(/^emulate: Standard output cannot be written: EFBIG\./m);
    expect(child.exitCode).toBe(1);
  });

  it.each([['the last lines', 279] as const, ['the middle', 200] as const].slice(0, cases(1, 2)))(
    'reports the progress of the run when %s does not fit',
    async (_where, kibibytes) => {
      const { child, output } = startLimited(kibibytes, `${calls.join(' ')} --to stdout`);
      await once(child, 'close');
      const [, events] =
        /cannot be written: EFBIG\..* The run ends after (\d+) events/.exec(output.stderr) ?? [];
      expect(Number(events)).toBeGreaterThan(0);
      const whole = readFileSync(file('limited.ndjson'), 'utf8').split('\n').slice(0, -1);
      expect(whole.length).toBeGreaterThanOrEqual(Number(events));
      expect(child.exitCode).toBe(1);
    },
  );
});

describe('emulate whose reader goes away', () => {
  it('sends the whole run to the other sinks', async () => {
    const events = file('whole.ndjson');
    const args = [...calls, '--to', 'stdout', '--to', `file:${events}`];
    const child = spawn(process.execPath, [commands.emulate, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdout.destroy();
    await once(child, 'close');
    expect(child.exitCode).toBe(0);
    expect(stderr).toContain('Done: 532 events');
    expect(readFileSync(events, 'utf8')).toBe(readFileSync(file('all.ndjson'), 'utf8'));
  });

  const printing = [
    ['busbar', ['catalogue', 'export', '--format', 'asyncapi']],
    // In the long suite:
    ['emulate', ['--help']],
    ['emulate', ['scenarios', '--json']],
    ['busbar', ['catalogue', 'list']],
  ] as const;
  it.each(printing.slice(0, cases(1, 4)))('ends quietly: %s %j', async (command, args) => {
    const child = spawn(process.execPath, [commands[command], ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdout.destroy();
    await once(child, 'close');
    expect({ code: child.exitCode, stderr }).toEqual({ code: 0, stderr: '' });
  });
});
