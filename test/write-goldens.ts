// Writes every file that holds bytes of the world, after a change that raises `worldVersion`:
//
// - test/emulator/scenarios/stories/*.txt: what each scenario sends with seed 1
// - test/emulator/cli/emulate.int.test.ts: the hash of three house moves
// - test/emulator/samples/sampler.test.ts: a sample
// - test/examples/__snapshots__/house-move.int.test.ts.snap: what the example prints
// - docs/**/*.md and README.md: the outputs of their programs, but for those that leave lines out with "…"
//
// Read the differences before you commit them. The pictures in docs/images/ have a script of their own, `npm run screenshots`.
import { spawnSync } from 'node:child_process';

const files = [
  'test/emulator/scenarios/scenarios.test.ts',
  'test/emulator/cli/emulate.int.test.ts',
  'test/emulator/samples/sampler.test.ts',
  'test/examples/house-move.int.test.ts',
  'test/docs.int.test.ts',
];
const { status } = spawnSync('npx', ['vitest', 'run', ...files, '--update'], {
  stdio: 'inherit',
  env: { ...process.env, BUSBAR_GOLDENS: '1' },
});
process.exitCode = status ?? 1;
