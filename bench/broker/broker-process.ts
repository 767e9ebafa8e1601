// A broker in a process of its own, steered over IPC: `rss` answers its memory, disconnecting ends it.
import { startBroker } from '../../emulator/broker/index.js';

const ignore = (): void => undefined;
const before = performance.now();
const broker = await startBroker({
  port: 0,
  // What the hostile clients get is measured, not read.
  logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  topics: ['bench', 'warm-up'].map((name) => ({ name, partitions: 4 })),
});
const startedIn = performance.now() - before;
process.send?.({ bootstrapServers: broker.bootstrapServers, port: broker.port, startedIn });
process.on('message', () => void process.send?.({ rss: process.memoryUsage().rss }));
process.on('disconnect', () => void broker.stop());
