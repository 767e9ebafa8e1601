/**
 * `npm run test:invariants [-- --accounts 20000 --days 90 --seed 1]`: records a population and checks the recording against
 * every invariant, with the built commands. `emulate check` has only the stream and HTTP.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '20000' },
    days: { type: 'string', default: '90' },
    seed: { type: 'string', default: '1' },
  },
});
const { accounts, days, seed } = values;
const folder = mkdtempSync(join(tmpdir(), 'busbar-invariants-'));
const recording = join(folder, 'run.ndjson');
const population = [
  '--scenario',
  'everyday',
  '--accounts',
  accounts,
  '--duration',
  `P${days}D`,
  '--seed',
  seed,
];

try {
  emulate(...population, '--instant', '--record', recording, '--to', 'file:/dev/null');
  console.log(
    `${accounts} accounts, ${days} days: ${Math.round(statSync(recording).size / 1e6)} MB recorded.`,
  );
  emulate('check', recording);
} finally {
  rmSync(folder, { recursive: true });
}

function emulate(...args: readonly string[]): void {
  const begun = Date.now();
  const command = ['--max-old-space-size=3000', 'emulator/dist/cli/main.js', ...args];
  const { status } = spawnSync(process.execPath, command, {
    cwd: new URL('../..', import.meta.url),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  console.log(
    `emulate ${args[0] === 'check' ? 'check' : '--record'}: ${Math.round((Date.now() - begun) / 1000)} s`,
  );
  if (status !== 0) process.exitCode = 1;
}
