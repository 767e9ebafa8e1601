/**
 * `npm run test:fuzz [-- --part i/n] [--times N] [--only TEXT] [--write]`: the `*.long.test.ts`, and the tests that play a few of
 * their cases in `npm test`, with all of them, or N times as many. A part plays every n-th file; `--only` plays the files whose path contains TEXT.
 * `--write` writes the numbers of cases into the table of docs/explanation/threat-model.md.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeFuzzTable } from './fuzz-table.js';
import { partOf } from './part.js';

const isLong = (file: string) => file.endsWith('.long.test.ts');

const { values } = parseArgs({
  options: {
    part: { type: 'string' },
    times: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
});
const files = partOf(filesOf(values.only), values.part);
if (files.length === 0) {
  // Without a file, Vitest would play all tests.
  process.stderr.write('No file has been chosen. Change --only or --part.\n');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'busbar-fuzz-'));
const log = join(folder, 'cases');
// Twenty minutes for each time only end what hangs: a million frames take two, on a busy machine nine.
const limit = `--testTimeout=${1_200_000 * Number(values.times)}`;
const { status } = spawnSync('npx', ['vitest', 'run', limit, ...files], {
  stdio: 'inherit',
  env: { ...process.env, BUSBAR_ALL_CASES: values.times, BUSBAR_CASES_LOG: log },
});
if (values.write && status === 0) writeFuzzTable(readFileSync(log, 'utf8'), values.times);
rmSync(folder, { recursive: true });
process.exitCode = status ?? 1;

/** Returns the test files with more cases than `npm test` plays, whose path contains the text. */
function filesOf(only: string): string[] {
  return readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && file.includes(only))
    .map((file) => join('test', file))
    .filter((file) => isLong(file) || /from '(\.\.?\/)+cases\.js'/.test(readFileSync(file, 'utf8')))
    .sort();
}
