/**
 * `npm run test:fuzz [-- --part i/n] [--times N] [--only TEXT]`: the tests that play a few of their cases in `npm test`,
 * with all of them, or N times as many. A part plays every n-th file; `--only` plays the files whose path contains TEXT.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { partOf } from './part.js';

const { values } = parseArgs({
  options: {
    part: { type: 'string' },
    times: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});
const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && file.includes(values.only))
  .map((file) => join('test', file))
  .filter((file) => /from '(\.\.?\/)+cases\.js'/.test(readFileSync(file, 'utf8')))
  .sort();
const { status } = spawnSync('npx', ['vitest', 'run', ...partOf(files, values.part)], {
  stdio: 'inherit',
  env: { ...process.env, BUSBAR_ALL_CASES: values.times },
});
process.exitCode = status ?? 1;
