import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Cause, Repro } from './causes.js';

/**
 * Returns a test that fails until the cause is fixed: for Vitest if it is installed in the working directory, else for
 * `node:test`. It lies next to the reproduction.
 * @param module Path of the module with the consumer, from the folder of the test.
 */
export function failingTest(
  { title }: Cause,
  repro: Repro,
  module: string,
): { readonly file: string; readonly content: string } {
  const isVitest = existsSync(join('node_modules', 'vitest'));
  const [runner, file] = isVitest ? ['vitest', 'test.ts'] : ['node:test', 'test.mjs'];
  const content = `import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from '${runner}';
import { loadContract, readRepro, replayFailure } from 'busbar-emulator/testing';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

test(${JSON.stringify(title)}, { timeout: 60_000 }, async () => {
  const { consumer, contract } = await loadContract(path(${JSON.stringify(module)}));
  const failure = readRepro('${repro.file}', readFileSync(path('${repro.file}'), 'utf8'));
  const { status, reason } = await replayFailure(consumer, failure, contract);
  assert.equal(status, 'passed', reason);
});
`;
  return {
    file: `${repro.file.replace(/json$/, '')}${file}`,
    content: isVitest ? content.replace('(name)', '(name: string)') : content,
  };
}
