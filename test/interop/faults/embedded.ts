import { startBroker } from '../../../emulator/broker/index.js';
import { silentLogger } from '../../../src/base/logger.js';
import type { FaultyBroker } from './fault-run.js';

/** The embedded broker. It keeps its records in memory, so it is not restarted: the ways to it are cut instead. */
export async function embeddedBroker(): Promise<FaultyBroker & { stop(): Promise<void> }> {
  const broker = await startBroker({
    port: 0,
    autoCreateTopics: false,
    minSessionTimeoutMs: 100,
    logger: silentLogger,
  });
  return {
    host: '127.0.0.1',
    port: broker.port,
    async takeDeadLetters(isTaking) {
      broker.faults.clear();
      // Only members produce under this name, and nothing but dead letters.
      if (!isTaking) broker.faults.add({ on: 'Produce', client: 'busbar', error: 'NOT_ENOUGH_REPLICAS' });
    },
    stop: () => broker.stop(),
  };
}
