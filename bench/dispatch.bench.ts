import {
  busbarEnvelope,
  type Consumer,
  type ConsumerRecord,
  createConsumer,
  type EnvelopeCodec,
  type EventKey,
  openCatalogue,
  recordHeaders,
} from 'busbar';
import { type Measured, ratiosTo } from './measure.js';
import { sampleEvents } from './sample-events.js';

/** Records per batch of a transport, and batches that are timed together. */
const batchSize = 60;
const batches = 150;

/** Measures the consumer path relative to `JSON.parse(buffer.toString())` of the same values. The design sets the targets. */
export async function* measure(): AsyncIterable<Measured> {
  const catalogue = openCatalogue();
  const samples = await sampleEvents(catalogue);
  const sampleAt = (n: number) => samples[n % samples.length]!;

  const values = Array.from({ length: batchSize }, (_, n) => {
    const { event, payload } = sampleAt(n);
    const id = `018f3c2e-0000-7000-8000-${String(n).padStart(12, '0')}`;
    const { type, version } = event;
    return JSON.stringify({
      id,
      event_type: type,
      version,
      occurred_at: '2026-03-01T09:30:00.000Z',
      payload,
    });
  });
  const named: Batch = () =>
    values.map((value, n) => {
      const { type, version } = sampleAt(n).event;
      return recordOf(value, recordHeaders({ 'event-type': type, 'event-version': version }));
    });
  const unnamed: Batch = () => values.map((value) => recordOf(value, recordHeaders()));
  const payloads = samples.map(({ payload }) => JSON.stringify(payload));
  const bare: Batch = () =>
    values.map((_, n) => ({
      ...recordOf(payloads[n % samples.length]!, recordHeaders()),
      named: sampleAt(n).event,
    }));

  const validators = await Promise.all(samples.map(({ event }) => catalogue.validator(event)));
  const handling = (envelope: EnvelopeCodec): Consumer => {
    const consumer = createConsumer({ catalogue, envelope });
    for (const { event } of samples)
      consumer.on(event.type as never, event.version as never, () => undefined);
    return consumer;
  };
  const byHeaders = handling(busbarEnvelope());
  const other = createConsumer({ catalogue });
  other.on('account.updated', 'v1', () => undefined);

  const overNamed = ratiosTo(timed(named, parse), {
    handled: timed(named, (record) => answers(byHeaders, record, 'handle')),
    unhandled: timed(named, (record) => answers(other, record, 'skip')),
  });
  yield { case: 'header-routed', ratio: overNamed.handled, target: 1.2 };
  const overUnnamed = ratiosTo(timed(unnamed, parse), {
    handled: timed(unnamed, (record) => answers(byHeaders, record, 'handle')),
  });
  yield { case: 'envelope-routed', ratio: overUnnamed.handled, target: 1.3 };
  yield { case: 'unhandled-by-header', ratio: overNamed.unhandled, target: 0.1 };

  // Last, because a second wire format in one process slows every call of a codec.
  const byName = handling(interned);
  const overBare = ratiosTo(timed(bare, parse), {
    'parse-validate': timed(bare, ({ value }, n) =>
      validators[n % validators.length]!(JSON.parse(value.toString())),
    ),
    'interned-key': timed(bare, (record) => answers(byName, record, 'handle')),
  });
  yield { case: 'parse-validate', ratio: overBare['parse-validate'], target: 1.1 };
  yield { case: 'interned-key', ratio: overBare['interned-key'], target: 1.15 };
}

interface BenchRecord extends ConsumerRecord {
  readonly value: Buffer;
}

type Batch = () => BenchRecord[];

/**
 * Times `take` over batches of fresh records, without their creation.
 * @throws Error if a record takes another path, which would falsify the figure
 */
function timed(batch: Batch, take: (record: BenchRecord, n: number) => boolean): () => number {
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

function parse({ value }: BenchRecord): boolean {
  return JSON.parse(value.toString()) !== null;
}

function answers(consumer: Consumer, record: BenchRecord, action: string): boolean {
  const verdict = consumer.verdictOn(record);
  return 'action' in verdict && verdict.action === action;
}

/** A wire format with the event name outside the value, e.g. for one topic per event. */
const interned: EnvelopeCodec = {
  name: 'interned',
  peek: (record) => (record as BenchRecord & { named: EventKey }).named,
  decode: (record, named) => ({
    type: named!.type,
    version: named!.version,
    id: undefined,
    occurredAt: undefined,
    payload: JSON.parse((record as BenchRecord).value.toString()) as unknown,
  }),
};

function recordOf(text: string, headers: ConsumerRecord['headers']): BenchRecord {
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
