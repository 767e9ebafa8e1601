import { setImmediate as turn } from 'node:timers/promises';
import { decompress } from 'busbar/internal/dead-letters';
import { decodeRecordSet, type FetchedRecord, type RecordSet } from 'busbar/internal/kafka-protocol';
import type { RecordPosition } from '../broker/index.js';
import type { BrokerSink } from '../sinks/broker.js';

/** Bytes that are read in one turn of the event loop. */
const chunk = 1_048_576;

/** Yields the records up to an offset. Reads the log itself: Kafka's protocol would take longer than decoding. */
export async function* recordsUpTo(
  end: number,
  from: RecordPosition,
  broker: BrokerSink['broker'],
): AsyncIterable<readonly FetchedRecord[]> {
  let { offset } = from;
  while (offset < end) {
    const { records, last } = await recordsAt({ ...from, offset }, broker, chunk);
    if (last === undefined) return;
    // A batch is read whole, also when the offset lies within it.
    const isAsked = records[0]?.offset === offset && last < end;
    yield isAsked ? records : records.filter((record) => record.offset >= offset && record.offset < end);
    offset = last + 1;
    if (offset < end) await turn();
  }
}

/** Returns the records of whole batches from the one with the offset, by default of that batch. */
export function recordsAt(
  from: RecordPosition,
  broker: BrokerSink['broker'],
  maxBytes = 1,
): Promise<RecordSet> {
  const parts = broker.read(from, maxBytes);
  // Most reads return one part, which needs no copy.
  const bytes = parts[0] !== undefined && parts.length === 1 ? parts[0] : Buffer.concat(parts);
  return decodeRecordSet(bytes, from, [], (compressed, compression) =>
    decompress(compressed, compression, from),
  );
}
