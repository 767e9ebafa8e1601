import { startEmbeddedBroker } from '../../../emulator/broker/start.js';
import type { FaultyBroker } from './fault-run.js';

const produce = 0;
const notEnoughReplicas = 19;

/** The embedded broker. It keeps its records in memory, so it is not restarted: the ways to it are cut instead. */
export async function embeddedBroker(): Promise<FaultyBroker & { stop(): Promise<void> }> {
  const ignore = () => undefined;
  const broker = await startEmbeddedBroker({
    port: 0,
    autoCreateTopics: false,
    minSessionTimeoutMs: 100,
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  });
  let isTaking = true;
  // Only members produce under this name, and nothing but dead letters.
  broker.intercept(produce, ({ clientId }) =>
    isTaking || clientId !== 'busbar' ? undefined : { errorCode: notEnoughReplicas },
  );
  return {
    host: '127.0.0.1',
    port: broker.port,
    takeDeadLetters: async (is) => void (isTaking = is),
    stop: () => broker.stop(),
  };
}
