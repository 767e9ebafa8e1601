import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../command.js';

const folder = mkdtempSync(join(tmpdir(), 'busbar-envelope-'));
afterAll(() => rmSync(folder, { recursive: true }));
const play = (...args: string[]) =>
  run('emulate', ['--scenario', 'house-move', '--instant', '--quiet', ...args]);
const firstOf = (stdout: string) => JSON.parse(stdout.split('\n', 1)[0] ?? '') as object;

describe('emulate --envelope', () => {
  it('sends lines that "busbar catalogue check" recognises', async () => {
    const { stdout } = await play('--envelope', 'eventbridge', '--to', 'stdout');
    const file = join(folder, 'sent.ndjson');
    writeFileSync(file, stdout);
    const checked = await run('busbar', ['catalogue', 'check', file, '--json']);
    expect(JSON.parse(checked.stdout)).toMatchObject({
      envelope: { setting: 'eventbridge' },
      problems: { undecodable: 0, 'unknown-event': 0, invalid: 0, extra: 0, duplicate: 0, disorder: 0 },
    });
  });

  it('sends a module, a trigger and a replay in the envelope', async () => {
    const file = join(folder, 'mine.mjs');
    writeFileSync(
      file,
      `const encode = ({ type, payload }) => ({ value: JSON.stringify({ mine: type, payload }), headers: {} });
       const decode = () => ({});
       export const envelope = { name: 'mine', peek: () => undefined, decode, encode };`,
    );
    const played = await play('--envelope', file, '--to', 'stdout', '--record', join(folder, 'run.ndjson'));
    const to = ['--envelope', file, '--to', 'stdout', '--quiet'];
    const replayed = await run('emulate', ['replay', join(folder, 'run.ndjson'), '--instant', ...to]);
    expect(firstOf(played.stdout)).toMatchObject({ mine: expect.any(String) });
    expect(replayed.stdout).toBe(played.stdout);
    const triggered = await run('emulate', ['trigger', 'account.created', ...to]);
    expect(firstOf(triggered.stdout)).toMatchObject({ mine: 'account.created', payload: {} });
  });

  it.each(['stdout', 'file:sent.ndjson', 'https://localhost:1/?batch=2'])(
    'rejects an envelope in headers for a sink without headers: %s',
    async (to) => {
      const path = to.replace('sent', join(folder, 'none'));
      const { stdout, stderr, code } = await play('--envelope', 'cloudevents-binary', '--to', path);
      expect(stderr).toMatch(/^emulate: "--to \w+" sends no headers, but the envelope needs them\./);
      expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
      expect(existsSync(join(folder, 'none.ndjson'))).toBe(false);
    },
  );
});
