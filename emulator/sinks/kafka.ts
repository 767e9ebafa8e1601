import { choice, matching, type OptionTable, readOptions } from 'busbar/base';
import { checkSasl, producerOptions, type RecordProducerOptions } from 'busbar/internal/producer-options';
import type { ProducedRecord } from 'busbar/internal/record-producer';
import type { OutgoingEvent } from '../run/outgoing-event.js';
import { eventTopic, type Sink } from '../run/sink.js';

/** The options of {@link kafkaSink}. */
export interface KafkaSinkOptions extends RecordProducerOptions {
  /** The topic, or the prefix of topics. Default `platform.events`. */
  readonly topic?: string;
  /** Splits events by domain (`platform.events.billing`) or event type into topics. Default: one topic. */
  readonly topicPer?: 'domain' | 'type';
}

const topicName = matching(/^[\w.-]{1,120}$/, 'a topic: 1 to 120 letters, digits, ".", "_" and "-"');

export const kafkaSinkOptions = {
  ...producerOptions,
  topic: { type: topicName, default: eventTopic },
  topicPer: { type: choice('domain', 'type') },
} satisfies OptionTable<KafkaSinkOptions>;

/** The maximum number of records in a batch. */
const batchSize = 1000;

/** The maximum bytes of values in a batch. Brokers refuse batches above 1 MiB (`message.max.bytes`) with all overhead. */
const batchBytes = 640 * 1024;

/**
 * Creates a sink that sends events to Apache Kafka with their keys and headers, in order per key, at least once.
 * @throws BusbarError `invalid-option`; `connection-failed` if no broker is reachable.
 */
export async function kafkaSink(options: KafkaSinkOptions): Promise<Sink> {
  const { topic, topicPer } = readOptions('kafkaSink()', kafkaSinkOptions, options);
  checkSasl('kafkaSink()', options.sasl);
  // Dynamic imports: the help and other sinks need neither.
  const { connectProducer } = await import('busbar/internal/record-producer');
  const { domainOf } = await import('busbar/internal/catalogue');
  const producer = await connectProducer(options);
  const topicOf = ({ envelope: { event_type: type } }: OutgoingEvent) =>
    topicPer === undefined ? topic : `${topic}.${topicPer === 'type' ? type : domainOf(type)}`;

  return {
    name: 'kafka',
    batchSize,
    topicOf,
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
