// Measures the built-in envelope, in a child process that reports each figure.
import { busbarEnvelope, createConsumer, recordHeaders } from 'busbar';
import { ratiosTo } from '../measure.js';
import {
  answers,
  type Batch,
  batchSize,
  catalogue,
  handling,
  parse,
  recordOf,
  sampleAt,
  timed,
} from './paths.js';

const values = Array.from({ length: batchSize }, (_, n) => {
  const { event, payload } = sampleAt(n);
  const id = `018f3c2e-0000-7000-8000-${String(n).padStart(12, '0')}`;
  const { type, version } = event;
  return JSON.stringify({ id, event_type: type, version, occurred_at: '2026-03-01T09:30:00.000Z', payload });
});
const named: Batch = () =>
  values.map((value, n) => {
    const { type, version } = sampleAt(n).event;
    return recordOf(value, recordHeaders({ 'event-type': type, 'event-version': version }));
  });
const unnamed: Batch = () => values.map((value) => recordOf(value, recordHeaders()));

const consumer = handling(busbarEnvelope());
const other = createConsumer({ catalogue });
other.on('account.updated', 'v1', () => undefined);

const overNamed = ratiosTo(timed(named, parse), {
  handled: timed(named, (record) => answers(consumer, record, 'handle')),
  unhandled: timed(named, (record) => answers(other, record, 'skip')),
});
process.send?.({ case: 'header-routed', ratio: overNamed.handled, target: 1.2 });
const overUnnamed = ratiosTo(timed(unnamed, parse), {
  handled: timed(unnamed, (record) => answers(consumer, record, 'handle')),
});
process.send?.({ case: 'envelope-routed', ratio: overUnnamed.handled, target: 1.3 });
process.send?.({ case: 'unhandled-by-header', ratio: overNamed.unhandled, target: 0.1 });
process.disconnect();
