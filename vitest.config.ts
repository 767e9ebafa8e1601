import { defineConfig } from 'vitest/config';

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
      { find: /^busbar\/emulator$/, replacement: source('./emulator/index.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    restoreMocks: true,
  },
});
