import { getBuiltinModule } from 'node:process';
import { BusbarError } from '../../src/base/errors.js';

/** What registers work to be done before and after the tests of a file. */
export interface TestHooks {
  readonly beforeAll: (work: () => Promise<void>) => unknown;
  readonly afterAll: (work: () => Promise<void>) => unknown;
}

/**
 * Starts something before the tests of a file and stops it after them: an emulator, a broker, a bench. Answers a
 * function that gives it, to be called in a test. `hooks` are the runner's: default the globals `beforeAll` and
 * `afterAll` (Jest, Vitest with `globals`), else those of `node:test`; Vitest without `globals` has to hand its own in.
 * @throws BusbarError `invalid-option` under Vitest without either, and when it is asked for before the tests begin
 * @example
 * const emulator = useStarted(() => startEmulator({ scenario: 'house-move', kafkaPort: 0, httpPort: false }));
 * it('reads the bills', async () => { emulator().bootstrapServers; });
 */
export function useStarted<T extends { stop(): Promise<unknown> }>(
  start: () => T | Promise<T>,
  hooks: TestHooks = hooksOfRunner(),
): () => T {
  let started: T | undefined;
  hooks.beforeAll(async () => {
    started = await start();
  });
  hooks.afterAll(async () => {
    await started?.stop();
  });
  return () => {
    if (started !== undefined) return started;
    const message =
      'useStarted(): nothing is started yet. Ask for it in a test or a hook, not while the file is read.';
    throw new BusbarError('invalid-option', message);
  };
}

function hooksOfRunner(): TestHooks {
  const { beforeAll, afterAll } = globalThis as Partial<TestHooks>;
  if (beforeAll !== undefined && afterAll !== undefined) return { beforeAll, afterAll };
  if (process.env['VITEST'] === undefined) {
    const { before, after } = getBuiltinModule('node:test');
    return { beforeAll: before, afterAll: after };
  }
  const message =
    'useStarted(): Vitest has no globals here. Hand in its hooks: useStarted(start, { beforeAll, afterAll }).';
  throw new BusbarError('invalid-option', message);
}
