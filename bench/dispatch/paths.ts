import {
  type Consumer,
  type ConsumerRecord,
  createConsumer,
  type EnvelopeCodec,
  openCatalogue,
} from 'busbar';
import { sampleEvents } from '../sample-events.js';

/** Records per batch of a transport, and batches that are timed together. */
export const batchSize = 60;
const batches = 150;

export const catalogue = openCatalogue();
export const samples = await sampleEvents(catalogue);
/** Validators of the samples. Once they are loaded, a verdict is synchronous. */
export const validators = await Promise.all(samples.map(({ event }) => catalogue.validator(event)));
export const sampleAt = (n: number) => samples[n % samples.length]!;

export interface BenchRecord extends ConsumerRecord {
  readonly value: Buffer;
}

export type Batch = () => BenchRecord[];

/** Returns a consumer with a handler for each sample. */
export function handling(envelope: EnvelopeCodec): Consumer {
  const consumer = createConsumer({ catalogue, envelope });
  for (const { event } of samples) consumer.on(event.type as never, event.version as never, () => undefined);
  return consumer;
}

/**
 * Times `take` over batches of fresh records, without their creation.
 * @throws Error if a record takes another path, which would falsify the figure
 */
export function timed(batch: Batch, take: (record: BenchRecord, n: number) => boolean): () => number {
  return () => {
    let time = 0;
    for (let each = 0; each < batches; each++) {
      const records = batch();
      let taken = 0;
      const start = performance.now();
      for (let n = 0; n < records.length; n++) if (take(records[n]!, n)) taken++;
      time += performance.now() - start;
      if (taken !== batchSize) throw new Error(`Only ${taken} of ${batchSize} records took the path.`);
    }
    return time;
  };
}

export function parse({ value }: BenchRecord): boolean {
  return JSON.parse(value.toString()) !== null;
}

export function answers(consumer: Consumer, record: BenchRecord, action: string): boolean {
  const verdict = consumer.verdictOn(record);
  return 'action' in verdict && verdict.action === action;
}

export function recordOf(text: string, headers: ConsumerRecord['headers']): BenchRecord {
  return {
    topic: 'platform.events',
    partition: 0,
    offset: 0,
    timestamp: 0,
    key: null,
    value: Buffer.from(text),
    headers,
  };
}
