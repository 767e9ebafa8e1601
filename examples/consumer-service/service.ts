import type { Logger } from 'busbar';
import { kafka } from 'busbar/kafka';
import { metrics, serveOperations } from 'busbar/operations';
import { seeded } from './bugs.ts';
import { openDatabase } from './database.ts';
import { movesConsumer, partsOf } from './moves.ts';
import { platformAt } from './platform.ts';
import type { Settings } from './settings.ts';

/** The running service. */
export interface Service {
  /** Address of probes and metrics, e.g. `http://127.0.0.1:9464`. */
  readonly url: string;
  /** Resolves after a stop; rejects after an error that a restart may fix. */
  readonly finished: Promise<void>;
  /** Waits for handlers, commits, leaves the group and closes the database. Later calls wait for the first. */
  stop(): Promise<void>;
}

/** Starts the database, then Kafka, then probes. If a step fails, it stops the earlier ones. */
export async function startService(settings: Settings, logger: Logger): Promise<Service> {
  const { brokers, groupId, topic, operations: address } = settings;
  const database = await openDatabase(settings.databaseUrl);
  const closing: (() => Promise<unknown>)[] = [() => database.close()];
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end();
  };
  try {
    const consumer = movesConsumer(...seeded(partsOf(database, platformAt(settings.platform))));
    const meter = await metrics();
    const transport = kafka({ brokers, groupId, topics: [topic], clientId: groupId, fromBeginning: true });
    const running = await consumer.run(transport, { logger, observer: meter });
    closing.push(() => running.stop());
    const operations = await serveOperations(running, { ...address, metrics: meter });
    closing.push(() => operations.stop());
    logger.info('service started', { group: groupId, topic, url: operations.url });

    let stopping: Promise<void> | undefined;
    const stop = () => (stopping ??= close());
    return { url: operations.url, finished: running.finished.finally(stop), stop };
  } catch (error) {
    await close();
    throw error;
  }
}
