import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { playsAll } from './test/cases.ts';

/**
 * Ends what hangs, and nothing else: the slowest test takes less than a minute, on a busy machine less than two. In
 * milliseconds.
 */
const hanging = 600_000;

/**
 * In bytes of code, 15 times the default: most functions of a test run too rarely to be worth optimizing. Later releases
 * of Node do not start with this option.
 */
const optimizesLess = process.version.startsWith('v20.') ? ['--interrupt-budget=1000000'] : [];

/** The packages by their names, from their sources: only spawned commands run what `npm run build` wrote. */
const tsconfig = readFileSync(new URL('tsconfig.json', import.meta.url), 'utf8');
const { compilerOptions } = JSON.parse(tsconfig) as {
  compilerOptions: { paths: Record<string, readonly [string]> };
};
const alias = Object.entries(compilerOptions.paths).map(([name, [file]]) => ({
  find: new RegExp(`^${name.replaceAll('.', '\\.')}$`),
  replacement: fileURLToPath(new URL(file, import.meta.url)),
}));

export default defineConfig({
  resolve: { alias },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(playsAll ? [] : ['**/*.long.test.ts'])],
    setupFiles: playsAll ? [] : ['test/same-cases.ts'],
    // A process runs one file after another: loading the sources again for each would take longer than most tests.
    pool: 'forks',
    isolate: false,
    execArgv: [
      // PostgreSQL in WebAssembly starts in half the time when its code is not optimized, which takes seconds.
      '--liftoff-only',
      // In megabytes. What a test makes is garbage soon: in 16, much of it would be copied first.
      '--min-semi-space-size=64',
      '--max-semi-space-size=64',
      ...optimizesLess,
    ],
    // One more than processors: many tests wait for a process, a browser or a broker.
    maxWorkers: availableParallelism() + 1,
    testTimeout: hanging,
    hookTimeout: hanging,
    teardownTimeout: hanging,
    expect: { poll: { timeout: hanging } },
    restoreMocks: true,
    // Here as in CI: a snapshot that is missing, or that no test asks for, fails. `-u` writes them.
    update: 'none',
  },
});
