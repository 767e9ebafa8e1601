import { recordHeaders } from '../transports/record-headers.js';
import type { ConsumerRecord } from '../transports/transport.js';
import type { Work } from './work.js';

/** The queued records of one key. The first is being handled, waits for a retry, or waits for a slot. */
export class Lane {
  readonly key: string | null;
  head: Work;
  /** Whether the first record is being handled. */
  isBusy = true;
  /** Cancels the wait for a retry or for an abandoned handler. */
  stopWaiting: (() => void) | undefined;
  #last: Work;

  constructor(key: string | null, first: Work) {
    this.key = key;
    this.head = first;
    this.#last = first;
  }

  append(work: Work): void {
    if (this.stopWaiting !== undefined) keepCopy(work);
    this.#last.next = work;
    this.#last = work;
  }

  /** Copies the records before a pause, for which the whole lane waits. */
  keepCopies(): void {
    for (let work: Work | undefined = this.head; work !== undefined; work = work.next) keepCopy(work);
  }
}

/** Returns the key of the record's lane: equal bytes make equal text, in any encoding. */
export function laneKeyOf(work: Work): string | null {
  if (work.lane === undefined) work.lane = laneKeyOfBytes(work.record.key);
  return work.lane;
}

export function laneKeyOfBytes(key: Uint8Array | null): string | null {
  return key === null ? null : Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
}

function keepCopy(work: Work): void {
  if (work.isCopied) return;
  work.isCopied = true;
  work.record = copyRecord(work.record);
  // Its event has the record of the batch.
  work.verdict = undefined;
}

/**
 * Copies the bytes of a record. They are a slice of a batch, and a record that waits for a retry would keep the whole
 * batch in memory.
 */
function copyRecord(record: ConsumerRecord): ConsumerRecord {
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
