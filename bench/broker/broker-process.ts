// A broker in a process of its own, steered over IPC: `rss` answers its memory, disconnecting ends it.
import { startBroker } from '../../emulator/broker/index.js';

const before = performance.now();
const broker = await startBroker({
  port: 0,
  topics: ['bench', 'warm-up'].map((name) => ({ name, partitions: 4 })),
});
const startedIn = performance.now() - before;
process.send?.({ bootstrapServers: broker.bootstrapServers, port: broker.port, startedIn });
process.on('message', () => void process.send?.({ rss: process.memoryUsage().rss }));
process.on('disconnect', () => void broker.stop());
