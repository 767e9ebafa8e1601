import { choice, matching, type OptionTable, readOptions } from '../../src/base/options.js';
import { checkSasl } from '../../src/transports/kafka/connection.js';
import { producerOptions, type RecordProducerOptions } from '../../src/transports/kafka/producer-options.js';
import type { ProducedRecord } from '../../src/transports/kafka/record-producer.js';
import type { Emission } from '../run/emission.js';
import { eventTopic } from './broker.js';
import type { Sink } from './sink.js';

export interface KafkaSinkOptions extends RecordProducerOptions {
  /** Default `platform.events`. */
  readonly topic?: string;
  /** One topic for each domain (`platform.events.billing`) or event type, named after `topic`. Default one for all. */
  readonly topicPer?: 'domain' | 'type';
}

const topicName = matching(/^[\w.-]{1,120}$/, 'a topic: 1 to 120 letters, digits, ".", "_" and "-"');

const kafkaSinkOptions = {
  ...producerOptions,
  topic: { type: topicName, default: eventTopic },
  topicPer: { type: choice('domain', 'type') },
} satisfies OptionTable<KafkaSinkOptions>;

/** Records that are sent together, at most. */
const batchSize = 1000;

/** Bytes likewise: brokers refuse batches beyond 1 MiB (`message.max.bytes`), headers and overhead included. */
const batchBytes = 640 * 1024;

/**
 * Sends a run to Apache Kafka: key and headers of each emission, in order per key, at least once.
 * @throws BusbarError `invalid-option`; `connection-failed` when no broker can be reached.
 */
export async function kafkaSink(options: KafkaSinkOptions): Promise<Sink> {
  const { topic, topicPer } = readOptions('kafkaSink()', kafkaSinkOptions, options);
  checkSasl('kafkaSink()', options.sasl);
  // Here and not above: a run that goes elsewhere should not load a client.
  const { connectProducer } = await import('../../src/transports/kafka/record-producer.js');
  const producer = await connectProducer(options);
  const topicOf = namer(topic, topicPer);

  return {
    name: 'kafka',
    batchSize,
    async write(emissions) {
      let records: ProducedRecord[] = [];
      let size = 0;
      for (const emission of emissions) {
        const { key, bytes: value, headers } = emission;
        if (records.length === batchSize || (size + value.length > batchBytes && records.length > 0)) {
          await producer.send(records);
          records = [];
          size = 0;
        }
        records.push({ topic: topicOf(emission), key, value, headers });
        size += value.length;
      }
      if (records.length > 0) await producer.send(records);
    },
    end: () => undefined,
    close: () => producer.close(),
  };
}

function namer(topic: string, per: KafkaSinkOptions['topicPer']): (emission: Emission) => string {
  if (per === undefined) return () => topic;
  return ({ envelope: { event_type: type } }) =>
    `${topic}.${per === 'type' ? type : (type.split('.', 1)[0] ?? type)}`;
}
