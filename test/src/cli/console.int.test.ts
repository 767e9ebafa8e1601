import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { run, start } from '../../command.js';

const folder = mkdtempSync(join(tmpdir(), 'busbar-console-'));
afterAll(() => rmSync(folder, { recursive: true }));
const recording = join(folder, 'broken.ndjson');
const call = ['--scenario', 'phone-call', '--instant'];

beforeAll(async () => {
  await run('emulate', [...call, '--record', recording, '--to', 'stdout']);
  writeFileSync(recording, 'not JSON\n', { flag: 'a' });
});

describe('standard error of a command', () => {
  it('stays empty with --quiet', async () => {
    const serving = [...call, '--kafka-port', '0', '--http-port', '0', '--exit-when-done'];
    const { code, stderr } = await run('emulate', serving);
    expect({ code, lines: stderr.split('\n').slice(0, 2) }).toEqual({
      code: 0,
      lines: [
        expect.stringMatching(/^Dashboard {4}http:/) as string,
        expect.stringMatching(/^Kafka {8}127\.0\.0\.1:\d+, topic platform\.events, in memory$/) as string,
      ],
    });
    expect(await run('emulate', ['--quiet', ...serving])).toMatchObject({ code: 0, stderr: '' });
  });

  it('loses its colours with --no-color', async () => {
    const replay = ['replay', recording, '--skip-broken', '--instant', '--to', 'stdout'];
    Object.assign(process.env, { BUSBAR_LOG: 'text', FORCE_COLOR: '1' });
    onTestFinished(() => {
      delete process.env['BUSBAR_LOG'];
      delete process.env['FORCE_COLOR'];
    });
    expect((await run('emulate', replay)).stderr).toMatch(
      /\u001b\[33mwarn\u001b\[0m broken line skipped file=/,
    );
    expect((await run('emulate', [...replay, '--no-color'])).stderr).toMatch(
      / warn broken line skipped file=/,
    );
  });
});

describe('the exit code of a command', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('reports %s', async (signal, exitCode) => {
    const check = start('emulate', ['check', '-']);
    check.child.stdin.write('not JSON\n');
    await once(check.child.stdout, 'data');
    const { code, stderr } = await check.stop(signal);
    expect({ code, stderr }).toEqual({ code: exitCode, stderr: '' });
  });
});
