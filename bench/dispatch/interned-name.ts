// Measures an envelope that knows the event without reading, in a child process that reports each figure.
import { type EnvelopeCodec, type EventKey, recordHeaders } from 'busbar';
import { ratiosTo } from '../measure.js';
import {
  answers,
  type Batch,
  batchSize,
  type BenchRecord,
  handling,
  parse,
  recordOf,
  sampleAt,
  samples,
  timed,
  validators,
} from './paths.js';

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

const payloads = samples.map(({ payload }) => JSON.stringify(payload));
const bare: Batch = () =>
  Array.from({ length: batchSize }, (_, n) => ({
    ...recordOf(payloads[n % payloads.length]!, recordHeaders()),
    named: sampleAt(n).event,
  }));

const consumer = handling(interned);
const overBare = ratiosTo(timed(bare, parse), {
  'parse-validate': timed(bare, ({ value }, n) =>
    validators[n % validators.length]!(JSON.parse(value.toString())),
  ),
  'interned-key': timed(bare, (record) => answers(consumer, record, 'handle')),
});
process.send?.({ case: 'parse-validate', ratio: overBare['parse-validate'], target: 1.1 });
process.send?.({ case: 'interned-key', ratio: overBare['interned-key'], target: 1.15 });
process.disconnect();
