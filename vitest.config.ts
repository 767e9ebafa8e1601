import { defineConfig } from 'vitest/config';

/**
 * Ends what hangs, and nothing else: the slowest test takes less than a minute, and half an hour on two processors that
 * have 45 other things to do. In milliseconds.
 */
const hanging = 1_800_000;

const source = (path: string) => new URL(path, import.meta.url).pathname;

export default defineConfig({
  resolve: {
    // Tests read the sources; only spawned commands run what `npm run build` wrote.
    alias: [
      { find: /^busbar$/, replacement: source('./src/index.ts') },
      { find: /^busbar\/catalogue$/, replacement: source('./catalogue/index.ts') },
      { find: /^busbar\/kafka$/, replacement: source('./src/transports/kafka/index.ts') },
      { find: /^busbar\/operations$/, replacement: source('./src/operations/index.ts') },
      { find: /^busbar\/websocket$/, replacement: source('./src/transports/websocket.ts') },
      { find: /^busbar\/broker$/, replacement: source('./emulator/broker/index.ts') },
      { find: /^busbar\/testing$/, replacement: source('./emulator/testing/index.ts') },
      { find: /^busbar\/emulator$/, replacement: source('./emulator/index.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: hanging,
    hookTimeout: hanging,
    teardownTimeout: hanging,
    expect: { poll: { timeout: hanging } },
    restoreMocks: true,
  },
});
