import { recordHeaders } from '../transports/record-headers.js';
import type { ConsumerRecord } from '../transports/transport.js';

/**
 * The record with bytes of its own. What came from a batch is a slice of it, and one record that waits for its next
 * attempt would keep all of the batch in memory.
 */
export function copyRecord(record: ConsumerRecord): ConsumerRecord {
  const { topic, partition, offset, timestamp, key, value, headers } = record;
  return {
    // A transport of the user's own may have put more into it, for an envelope of the user's own.
    ...record,
    topic,
    partition,
    offset,
    timestamp,
    key: key && copyBytes(key),
    value: value && copyBytes(value),
    headers: recordHeaders([...headers].map(([name, bytes]) => [name, copyBytes(bytes)] as const)),
  };
}

/** Not from Node's pool, which is a batch of its own; a Buffer stays one. */
function copyBytes(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.allocUnsafeSlow(bytes.byteLength);
  copy.set(bytes);
  return copy;
}
