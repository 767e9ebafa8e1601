import { BusbarError } from '../../src/errors.js';
import { quoted } from '../../src/quoted.js';
import type { ProducedRecord, RecordProducerOptions } from '../../src/transports/kafka/record-producer.js';
import type { Emission } from '../run/emission.js';
import { eventTopic } from './broker.js';
import type { Sink } from './sink.js';

export interface KafkaSinkOptions extends RecordProducerOptions {
  /** Default `platform.events`. */
  readonly topic?: string;
  /** One topic for each domain (`platform.events.billing`) or event type, named after `topic`. Default one for all. */
  readonly topicPer?: 'domain' | 'type';
}

/** Records that are sent together, at most. */
const batchSize = 1000;

/** Bytes likewise: brokers refuse batches beyond 1 MiB (`message.max.bytes`), headers and overhead included. */
const batchBytes = 640 * 1024;

/**
 * Sends a run to Apache Kafka: key and headers of each emission, in order per key, at least once.
 * @throws BusbarError `invalid-option`; `connection-failed` when no broker can be reached.
 */
export async function kafkaSink(options: KafkaSinkOptions): Promise<Sink> {
  const { topic = eventTopic, topicPer } = options;
  if (!/^[\w.-]{1,120}$/.test(topic)) {
    const rule = 'A topic has letters, digits, ".", "_" and "-", here at most 120.';
    throw new BusbarError('invalid-option', `${quoted(topic)} cannot be a topic. ${rule}`);
  }
  for (const broker of options.brokers) {
    if (/^(\[[\da-f:]+\]|[^\s:]+):\d{1,5}$/i.test(broker)) continue;
    throw new BusbarError('invalid-option', `${quoted(broker)} is no broker; write host:port.`);
  }
  const { retries = 1 } = options;
  // An idempotent producer has to try again: it could not go on after a request whose answer was lost.
  if (!Number.isInteger(retries) || retries < 1 || retries > 100) {
    const message = `Kafka's retries are a whole number from 1 to 100, not ${retries}.`;
    throw new BusbarError('invalid-option', message);
  }
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
