import kafkajs from 'kafkajs';
import { withDefaults } from '../../base/options.js';
import { BusbarError } from '../../base/errors.js';
import { configOf, whereOf } from './kafkajs/config.js';
import { translated } from './kafkajs/errors.js';
import { producerOptions, type RecordProducerOptions } from './producer-options.js';

/** A record on its way to a topic. */
export interface ProducedRecord {
  readonly topic: string;
  readonly key: string;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Writes records to Kafka. Any client can stand behind it. */
export interface RecordProducer {
  /**
   * Resolves when every in-sync replica has the records; those of one key stay in order.
   * @throws BusbarError `connection-failed` when the brokers did not take them in time.
   */
  send(records: readonly ProducedRecord[]): Promise<void>;
  /** Later calls wait for the first. */
  close(): Promise<void>;
}

// A CommonJS module whose exports Node does not find by name.
const { CompressionTypes, Kafka, logLevel, Partitioners } = kafkajs;

/**
 * Connects a producer that is idempotent (KIP-98), waits for all in-sync replicas, and chooses partitions as the Java
 * client does: murmur2 of the key.
 * @throws BusbarError `connection-failed` when no broker can be reached.
 */
export async function connectProducer(options: RecordProducerOptions): Promise<RecordProducer> {
  const settings = withDefaults(producerOptions, options);
  const { compression, retries } = settings;
  const kafka = new Kafka({
    ...configOf(settings),
    logLevel: logLevel.NOTHING,
    retry: { retries, initialRetryTime: 100, maxRetryTime: 8_000 },
  });
  const producer = kafka.producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    idempotent: true,
    // More would let a batch that is tried again overtake the next.
    maxInFlightRequests: 1,
    retry: { retries, initialRetryTime: 100, maxRetryTime: 8_000 },
  });
  const codec = compression === 'gzip' ? CompressionTypes.GZIP : CompressionTypes.None;
  const where = whereOf(options);
  const failed = (what: string, cause: unknown) => {
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    return new BusbarError('connection-failed', `Kafka at ${where} ${what} (${reason}).`, { cause });
  };
  try {
    await producer.connect();
  } catch (error) {
    await producer.disconnect().catch(() => undefined);
    // One that is not let in is told so; all else may be better later.
    const told = translated(error, where, 'could not be reached');
    throw told.code === 'not-authorized' ? told : failed('could not be reached', error);
  }
  let closing: Promise<void> | undefined;

  return {
    async send(records) {
      try {
        const topicMessages = byTopic(records);
        await producer.sendBatch({ acks: -1, compression: codec, topicMessages });
      } catch (error) {
        throw failed('did not take the events', error);
      }
    },
    close() {
      closing ??= producer.disconnect();
      return closing;
    },
  };
}

function byTopic(records: readonly ProducedRecord[]): kafkajs.TopicMessages[] {
  const topics = new Map<string, ProducedRecord[]>();
  for (const record of records) {
    const known = topics.get(record.topic);
    if (known === undefined) topics.set(record.topic, [record]);
    else known.push(record);
  }
  return [...topics].map(([topic, messages]) => ({ topic, messages }));
}
