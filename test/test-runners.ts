/**
 * Installs the packed package into a project that is tested with node:test, Vitest and Jest in turn: a contract, samples,
 * an expectation and a broker in each of them; then once more with a bug, which must show.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { packedDependencies } from './pack.js';

interface Runner {
  /** First lines of a test file of the runner. */
  readonly imports: string;
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
}

/** Milliseconds that a test may take: a busy machine fails none. */
const testTimeout = '1800000';

const runners: Readonly<Record<string, Runner>> = {
  'node:test': {
    imports: `import { after as afterAll, before as beforeAll, describe, it } from 'node:test';`,
    command: ['node', '--test', 'node-test.test.js'],
  },
  vitest: {
    imports: `import { afterAll, beforeAll, describe, it } from 'vitest';`,
    command: ['vitest', 'run', '--dir', '.', '--testTimeout', testTimeout, 'vitest.test.js'],
  },
  jest: {
    // Those of Jest are global.
    imports: '',
    command: ['jest', '--ci', '--testTimeout', testTimeout, 'jest.test.js'],
    env: { NODE_OPTIONS: '--experimental-vm-modules' },
  },
};

const tests = `
import assert from 'node:assert/strict';
import { createConsumer } from 'busbar';
import { idempotent, memoryStore } from 'busbar/idempotency';
import { startBroker } from 'busbar-emulator/broker';
import { createTestBench, describeContract, event, given, samples, useService } from 'busbar-emulator/testing';

const created = new Map();
// It outlives a restart, as the rows do.
let handled = memoryStore({ ttl: Infinity });
const makeConsumer = () => {
  const consumer = createConsumer({ name: 'created' });
  if (process.env.BUG === undefined) consumer.use(idempotent({ store: handled }));
  consumer.on('account.created', 'v1', async ({ payload: { account_number } }) => {
    created.set(account_number, (created.get(account_number) ?? 0) + 1);
  });
  return consumer;
};

function reset() {
  created.clear();
  handled = memoryStore({ ttl: Infinity });
}

describeContract(makeConsumer, {
  observe: () => created,
  reset,
  only: ['samples', 'duplicates'],
  timeout: ${testTimeout},
  runner: { describe, it },
});

const broker = useService(() => startBroker({ port: 0, topics: [{ name: 'events' }] }), { beforeAll, afterAll });

it('has a broker', () => assert.equal(broker().inspect().topics.length, 1));

it('has every kind of sample', async () => {
  const bench = createTestBench(makeConsumer());
  for (const { payload } of samples('account.created', 'v1')) await bench.deliver('account.created', 'v1', payload);
  await bench.idle();
  await bench.stop();
  assert.deepEqual(bench.deadLetters, []);
});

it('compares a consumer with a state', async () => {
  reset();
  const bench = createTestBench(makeConsumer());
  await given(bench)
    .when(event('account.created', 'v1', { account_number: 'A-1B2C3D4E' }))
    .thenState(() => created, new Map([['A-1B2C3D4E', 1]]));
  await bench.stop();
});
`;

const folder = mkdtempSync(join(tmpdir(), 'busbar-runners-'));
try {
  const { vitest } = manifest.devDependencies;
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      name: 'tested',
      private: true,
      type: 'module',
      dependencies: packedDependencies(folder),
      devDependencies: { jest: '30.5.2', vitest },
    }),
  );
  execFileSync('npm', ['install', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (const [name, runner] of Object.entries(runners)) {
    writeFileSync(join(folder, `${name.replace(':', '-')}.test.js`), `${runner.imports}\n${tests}`);
    const good = play(runner);
    console.log(`${name}: ended with ${good.status}`);
    if (good.status !== 0) throw new Error(`It should end with 0:\n${good.output}`);
    const bad = play(runner, { BUG: 'counts twice' });
    console.log(`${name}, with a bug: ended with ${bad.status}`);
    if (bad.status !== 1) throw new Error(`It should end with 1:\n${bad.output}`);
    if (!/duplicates/.test(bad.output)) throw new Error(`The check is not named:\n${bad.output}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function play({ command: [program, ...args], env }: Runner, more: Readonly<Record<string, string>> = {}) {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, VITEST: _vitest, ...inherited } = process.env;
  const path = `${join(folder, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`;
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...inherited, PATH: path, NO_COLOR: '1', ...env, ...more },
  });
  return { status, output: stdout + stderr };
}
