import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../command.js';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'busbar-scenarios-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const play = (file: string, ...more: string[]) =>
  run('emulate', ['--scenario', file, '--instant', '--to', 'stdout', ...more]);

function written(name: string, code: string): string {
  const file = join(folder, name);
  writeFileSync(file, code);
  return file;
}

const scenario = (run: string) => `
  export const mine = {
    name: 'mine', title: 'Mine', description: 'Mine.', branches: {},
    *run(context) { ${run} },
  };`;

describe('emulate --scenario FILE', () => {
  it.each(['examples/smart-meter-visit.ts', 'dist/examples/smart-meter-visit.js'])(
    'plays the worked example from %s, with its branches',
    async (file) => {
      const { code, stdout, stderr } = await play(join(root, file), '--branch', 'door=closed');
      expect(stderr).toMatch(/^Done: 3 events/);
      expect(code).toBe(0);
      const types = stdout
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { event_type: string }).event_type);
      expect(types).toEqual([
        'account_metadata.created',
        'account_metadata.updated',
        'industry.electricity.change_of_service.meter_deactivated',
      ]);
    },
  );

  it.each([
    ['is not there', () => './no-such.js', 2, 'There is no file "./no-such.js"'],
    ['is not a program', () => './package.json', 2, 'File "./package.json" is not a program. Name one'],
    [
      'exports no scenario',
      () => written('empty.mjs', 'export const a = 1;'),
      2,
      'exports no scenario. Export what',
    ],
    [
      'is a broken program',
      () => written('broken.mjs', 'export const a = ;'),
      2,
      "cannot be loaded: Line 1 is not JavaScript: Unexpected token ';'.",
    ],
    [
      'throws on the way',
      () => written('throws.mjs', scenario('throw new Error("no meter");')),
      1,
      'Scenario instance "mine#1" in cell 1 at 2026-03-02T09:00:00.000Z threw: no meter',
    ],
    [
      'emits something invalid',
      () =>
        written(
          'invalid.mjs',
          scenario(
            "yield { kind: 'emit', name: 'step', occurrence: { type: 'account.occupied', key: context.cell.account.number, versions: [{ version: 'v1', payload: {} }] } };",
          ),
        ),
      1,
      'Scenario instance "mine#1" in cell 1, step "step", emits an invalid "account.occupied-v1"',
    ],
  ])('prints one line for a file that %s', async (_what, file, exit, message) => {
    const { code, stderr, stdout } = await play(file());
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    expect(code).toBe(exit);
  });
});
