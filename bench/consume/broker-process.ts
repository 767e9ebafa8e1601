// The broker of the benchmark, in a child process, with the messages that all candidates consume.
import { type EmbeddedBroker, startEmbeddedBroker } from '../../emulator/broker/start.js';
import { silentLogger } from '../../src/base/logger.js';
import { messageAt } from './messages.js';

const count = Number(process.argv[2]);
const partitions = 4;
const broker = await startEmbeddedBroker({
  port: 0,
  logger: silentLogger,
  topics: ['events', 'events.dead-letter'].map((name) => ({ name, partitions })),
});
fill(broker);
process.send?.({ host: '127.0.0.1', port: broker.port });
process.on('disconnect', () => void broker.stop());

function fill(into: EmbeddedBroker): void {
  const batch = 1_000;
  for (let first = 0; first < count; first += batch) {
    const records = Array.from({ length: Math.min(batch, count - first) }, (_, n) => {
      const { key, value, headers } = messageAt(first + n);
      return {
        partition: (first / batch) % partitions,
        key: Buffer.from(key),
        value: Buffer.from(value),
        headers,
      };
    });
    into.append('events', records);
  }
}
