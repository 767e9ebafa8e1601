import { recordHeaders } from '../transports/record-headers.js';
import type { ConsumerRecord } from '../transports/transport.js';

/**
 * Copies the bytes of a record. They are a slice of a batch, and a record that waits for a retry would keep the whole
 * batch in memory.
 */
export function copyRecord(record: ConsumerRecord): ConsumerRecord {
  const { topic, partition, offset, timestamp, key, value, headers } = record;
  return {
    // A custom transport may add fields for a custom envelope.
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

/** Avoids Node's buffer pool, which would keep other bytes in memory. */
function copyBytes(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.allocUnsafeSlow(bytes.byteLength);
  copy.set(bytes);
  return copy;
}
