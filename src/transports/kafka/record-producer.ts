import kafkajs from 'kafkajs';
import { systemClock } from '../../base/clock.js';
import { withDefaults } from '../../base/options.js';
import { grouped } from '../../base/grouped.js';
import { once } from '../../base/once.js';
import { OutageLog } from '../../base/outage-log.js';
import { shareConnections } from './kafkajs/bridge.js';
import { configOf, whereOf } from './kafkajs/config.js';
import { translated } from './kafkajs/errors.js';
import { partitioner } from './kafkajs/partitioner.js';
import { Sockets } from './kafkajs/sockets.js';
import { producerOptions, type RecordProducerOptions } from './producer-options.js';

export interface ProducedRecord {
  readonly topic: string;
  readonly key: string;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export interface RecordProducer {
  /**
   * Sends records. Resolves when every in-sync replica has them; records of one key stay in order.
   * @throws BusbarError `connection-failed` when the brokers did not accept them in time, `not-authorized`, `record-refused`
   */
  send(records: readonly ProducedRecord[]): Promise<void>;
  /** Disconnects. Later calls wait for the first. */
  close(): Promise<void>;
}

// kafkajs is a CommonJS module whose named exports Node does not detect.
const { CompressionTypes, Kafka, logLevel } = kafkajs;

/**
 * Connects an idempotent producer (KIP-98). It waits for all in-sync replicas, and chooses partitions like the Java
 * client: murmur2 of the key.
 * @throws BusbarError `connection-failed` when no broker can be reached, `not-authorized`
 */
export async function connectProducer(options: RecordProducerOptions): Promise<RecordProducer> {
  const settings = withDefaults(producerOptions, options);
  const { compression, retries, logger } = settings;
  const retry = { retries, initialRetryTime: 100, maxRetryTime: 8_000 };
  const outage = new OutageLog(systemClock, logger, outageLines, { brokers: options.brokers });
  const sockets = new Sockets();
  const kafka = new Kafka({
    ...configOf(settings),
    socketFactory: sockets.factory,
    logLevel: logLevel.ERROR,
    // kafkajs tries again for half a minute, and reports it only to its log.
    logCreator:
      () =>
      ({ namespace, log: { message, error } }) => {
        if (sockets.isClosed || namespace !== 'Connection') return;
        const isLost = message.startsWith('Connection');
        if (isLost || error === topicMissing) outage.failed(new Error(isLost ? message : topicMissing));
      },
    retry,
  });
  shareConnections(kafka);
  const producer = kafka.producer({
    createPartitioner: partitioner,
    idempotent: true,
    // With more, the next batch could overtake a retried one.
    maxInFlightRequests: 1,
    retry,
  });
  const codec = compression === 'gzip' ? CompressionTypes.GZIP : CompressionTypes.None;
  const where = whereOf(options);
  const disconnect = once(() => sockets.closeAfter(producer.disconnect(), systemClock));
  try {
    await producer.connect();
    outage.recovered();
  } catch (error) {
    outage.stop();
    await disconnect().catch(() => undefined);
    throw translated(error, where, 'could not be reached');
  }

  return {
    async send(records) {
      try {
        const topicMessages = [...grouped(records, ({ topic }) => topic)].map(([topic, messages]) => ({
          topic,
          messages,
        }));
        await producer.sendBatch({ acks: -1, compression: codec, topicMessages });
        outage.recovered();
      } catch (error) {
        throw translated(error, where, 'did not accept the events');
      }
    },
    close() {
      outage.stop();
      return disconnect();
    },
  };
}

/** In the log of kafkajs. */
const topicMissing = 'This server does not host this topic-partition';

const outageLines = {
  began: 'kafka accepts no events, trying again',
  lasts: 'kafka still accepts no events',
  ended: 'kafka accepts events again',
};
