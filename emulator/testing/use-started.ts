import { getBuiltinModule } from 'node:process';
import { BusbarError } from 'busbar/base';

/** The hooks of a test runner. */
export interface TestHooks {
  readonly beforeAll: (work: () => Promise<void>) => unknown;
  readonly afterAll: (work: () => Promise<void>) => unknown;
}

/**
 * Starts a service, e.g. an emulator, a broker or a bench, before the tests of a file, and stops it after them. Returns
 * a function that returns the service inside a test.
 * @param hooks Hooks of the runner. Default: the globals `beforeAll` and `afterAll` (Jest, Vitest with `globals`), else
 * those of `node:test`. Vitest without `globals` must pass its own.
 * @throws BusbarError `invalid-option` under Vitest without hooks, and when you call the function before the tests
 * @example
 * const emulator = useService(() => startEmulator({ scenario: 'house-move', kafka: { port: 0 }, http: false }));
 * it('reads the bills', async () => { emulator().bootstrapServers; });
 */
export function useService<T extends { stop(): Promise<unknown> }>(
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
    const message = 'useService() has not started the service yet. Call the function in a test or a hook.';
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
    'useService() found no hooks of Vitest. Pass them: useService(start, { beforeAll, afterAll }).';
  throw new BusbarError('invalid-option', message);
}
