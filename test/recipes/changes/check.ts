import type { Recipe } from '../recipe.js';

export const check: Recipe = {
  title: 'Add a check of `verify`',
  names: { name: 'plain-samples' },
  files: {
    'emulator/testing/checks/plain-samples.ts': `
import { checkOfSamples } from './check.js';

/** No handler throws. */
export const plainSamplesCheck = checkOfSamples(
  { name: 'plain-samples', title: 'no handler throws' },
  ({ thrown }, about) =>
    thrown.size === 0 ? undefined : { diagnosis: 'handler-fails', about, reason: 'A handler throws.' },
);
`,
  },
  edits: [
    {
      file: 'emulator/testing/checks/index.ts',
      line: 'import { retriesCheck }',
      where: 'before',
      insert: "import { plainSamplesCheck } from './plain-samples.js';",
    },
    { file: 'emulator/testing/checks/index.ts', line: 'samplesCheck,', insert: '  plainSamplesCheck,' },
    {
      file: 'test/emulator/testing/verify/checks.test.ts',
      line: 'const wrong: readonly',
      insert: `
  [
    'plain-samples',
    'a handler that throws',
    (consumer) =>
      consumer.on(created, 'v1', () => {
        throw new TypeError('always');
      }),
    'handler-fails',
    /handler throws/,
  ],`,
    },
  ],
};
