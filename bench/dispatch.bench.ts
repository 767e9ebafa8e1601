import type { Consumer, ConsumerRecord, EnvelopeCodec, EventKey } from '../src/index.js';
import { builtLibrary } from './built.js';
import { type Measured, ratiosTo } from './measure.js';
import { sampleEvents } from './sample-events.js';

const recordCount = 12 * 25;
const passes = 40;

/** The consumer path over `JSON.parse(buffer.toString())` of the same values; the targets are those of the design. */
export async function* measure(): AsyncIterable<Measured> {
  const { busbarEnvelope, createConsumer, openCatalogue, recordHeaders } = await builtLibrary();
  const catalogue = openCatalogue();
  const samples = await sampleEvents(catalogue);

  // Every record has bytes and header values of its own, as off a wire.
  const records = Array.from({ length: recordCount }, (_, n) => {
    const { event, payload } = samples[n % samples.length]!;
    const id = `018f3c2e-0000-7000-8000-${String(n).padStart(12, '0')}`;
    const { type, version } = event;
    const occurred_at = '2026-03-01T09:30:00.000Z';
    const value = Buffer.from(JSON.stringify({ id, event_type: type, version, occurred_at, payload }));
    const headers = { 'event-type': type, 'event-version': version, 'event-id': id };
    return recordOf(value, recordHeaders(headers));
  });
  const unnamed = records.map((record) => ({ ...record, headers: recordHeaders() }));
  const bare = records.map((record, n) => {
    const { event, payload } = samples[n % samples.length]!;
    return { ...recordOf(Buffer.from(JSON.stringify(payload)), record.headers), named: event };
  });

  const handling = async (envelope: EnvelopeCodec): Promise<Consumer> => {
    const consumer = createConsumer({ catalogue, envelope });
    for (const { event } of samples)
      consumer.on(event.type as never, event.version as never, () => undefined);
    for (const record of envelope === interned ? bare : records) await consumer.dispatch(record);
    return consumer;
  };
  const byName = await handling(interned);
  const byHeaders = await handling(busbarEnvelope());
  const other = createConsumer({ catalogue });
  other.on('account.updated', 'v1', () => undefined);
  const validators = await Promise.all(samples.map(({ event }) => catalogue.validator(event)));

  const bareParsed = ratiosTo(() => parseAll(bare), {
    'parse and validate': () => {
      let valid = 0;
      for (let pass = 0; pass < passes; pass++) {
        for (let n = 0; n < bare.length; n++) {
          if (validators[n % validators.length]!(JSON.parse(bare[n]!.value.toString()))) valid++;
        }
      }
      expectAll(valid);
    },
    'interned-key': () => dispatchAll(byName, bare, 'handle'),
  });
  yield { case: 'parse-validate', ratio: bareParsed['parse and validate'], target: 1.1 };
  yield { case: 'interned-key', ratio: bareParsed['interned-key'], target: 1.15 };

  const enveloped = ratiosTo(() => parseAll(records), {
    headers: () => dispatchAll(byHeaders, records, 'handle'),
    envelope: () => dispatchAll(byHeaders, unnamed, 'handle'),
    unhandled: () => dispatchAll(other, records, 'skip'),
  });
  yield { case: 'header-routed', ratio: enveloped.headers, target: 1.2 };
  yield { case: 'envelope-routed', ratio: enveloped.envelope, target: 1.3 };
  yield { case: 'unhandled-by-header', ratio: enveloped.unhandled, target: 0.1 };
}

interface BenchRecord extends ConsumerRecord {
  readonly value: Buffer;
}

/** A wire format in which the name comes with the record, as for one topic per event. */
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

function recordOf(value: Buffer, headers: ConsumerRecord['headers']): BenchRecord {
  return { topic: 'platform.events', partition: 0, offset: 0, timestamp: 0, key: null, value, headers };
}

function parseAll(records: readonly BenchRecord[]): void {
  let parsed = 0;
  for (let pass = 0; pass < passes; pass++) {
    for (const record of records) if (JSON.parse(record.value.toString()) !== null) parsed++;
  }
  expectAll(parsed);
}

function dispatchAll(consumer: Consumer, records: readonly BenchRecord[], action: string): void {
  let seen = 0;
  for (let pass = 0; pass < passes; pass++) {
    for (const record of records) {
      const verdict = consumer.dispatch(record);
      if ('action' in verdict && verdict.action === action) seen++;
    }
  }
  expectAll(seen);
}

/** A benchmark that measured something else than it says would be worse than none. */
function expectAll(count: number): void {
  if (count !== recordCount * passes)
    throw new Error(`Only ${count} of ${recordCount * passes} records took the path.`);
}
