// A broker in a child process, controlled over IPC: `rss` returns its memory, a disconnect ends it.
import { startBroker } from '../../emulator/broker/index.js';
import { silentLogger } from '../../src/base/logger.js';

const before = performance.now();
const broker = await startBroker({
  port: 0,
  // Warnings about hostile clients are expected.
  logger: silentLogger,
  topics: ['bench', 'warm-up'].map((name) => ({ name, partitions: 4 })),
});
const startedIn = performance.now() - before;
process.send?.({ bootstrapServers: broker.bootstrapServers, port: broker.port, startedIn });
process.on('message', () => void process.send?.({ rss: process.memoryUsage().rss }));
process.on('disconnect', () => void broker.stop());
