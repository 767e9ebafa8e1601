import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describeContract } from 'busbar-emulator/testing';
import { expect, it, onTestFinished } from 'vitest';
import { consumerOf, counting } from './verify/verifying.js';

const scenarios = ['house-move'];

it('registers a test for each check, which fails on findings', async () => {
  const { make, observe } = consumerOf(counting);
  const tests = new Map<string, () => Promise<void>>();
  describeContract(make, {
    observe,
    scenarios,
    only: ['samples', 'duplicates'],
    runner: {
      describe: (_name, define) => define(),
      it: (name, test) => void tests.set(name, test),
    },
  });
  expect([...tests.keys()]).toEqual([
    'samples: samples of every kind are handled',
    'duplicates: redelivered events change nothing',
  ]);
  const [handled, doubled] = [...tests.values()];
  await handled!();
  await expect(doubled!()).rejects.toThrow(
    'account.created-v1: applies an event again when it is redelivered',
  );
  expect(() => describeContract(make)).toThrow('no global "describe"');
});

it('lets the process end after a subset of its tests', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-contract-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const built = (path: string) => pathToFileURL(join(import.meta.dirname, '../../..', path)).href;
  const file = join(folder, 'contract.test.mjs');
  writeFileSync(
    file,
    `import { createConsumer } from '${built('dist/src/index.js')}';
    import { describeContract } from '${built('emulator/dist/testing/index.js')}';
    import { describe, it } from 'node:test';
    const listeners = () => process.listeners('uncaughtException');
    describeContract(async ({ restApi }) => {
      const { url } = await restApi();
      const consumer = createConsumer();
      consumer.on('account.created', 'v1', async () => void (await fetch(url)));
      return consumer;
    }, {
      scenarios: [],
      only: ['samples', 'mutation'],
      runner: { describe, it: (name, test) => it(name, async () => {
        const before = listeners();
        await test();
        const after = listeners();
        if (before.length === 0 || before.some((each, index) => each !== after[index])) throw new Error('The listeners are others.');
      }) },
    });`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--test',
    '--test-reporter=tap',
    '--test-name-pattern=samples',
    file,
  ]);
  expect(stdout).toMatch(/ok 1 - samples/);
  expect(stdout).toMatch(/ok 2 - mutation.* # SKIP|# pass 1/);
});
