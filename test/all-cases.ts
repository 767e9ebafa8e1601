/**
 * `npm run test:fuzz [-- --part i/n]`: the tests that play a few of their cases in `npm test`, with all of them. A part
 * plays every n-th file.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { partOf } from './part.js';

const { values } = parseArgs({ options: { part: { type: 'string' } } });
const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => join('test', file))
  .filter((file) => /from '(\.\.?\/)+cases\.js'/.test(readFileSync(file, 'utf8')))
  .sort();
const { status } = spawnSync('npx', ['vitest', 'run', ...partOf(files, values.part)], {
  stdio: 'inherit',
  env: { ...process.env, BUSBAR_ALL_CASES: '1' },
});
process.exitCode = status ?? 1;
