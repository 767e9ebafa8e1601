import { batchLayout, readHeader } from 'busbar/internal/kafka-protocol';
import type { PartitionLog } from '../log/partition-log.js';

/** Records that a group has fetched at once. */
interface Delivery {
  readonly begin: number;
  readonly end: number;
  /** Time of the response, in milliseconds since 1970. */
  readonly at: number;
}

/** Most deliveries of a partition; the oldest are dropped. */
const maxDeliveries = 1_000;

/** The newest deliveries of each partition to a group. */
export class Deliveries {
  readonly #byLog = new WeakMap<PartitionLog, Delivery[]>();

  add(log: PartitionLog, begin: number, records: readonly Buffer[], at: number): void {
    const end = endOf(records);
    if (end === undefined) return;
    const deliveries = this.#byLog.get(log) ?? [];
    deliveries.push({ begin, end, at });
    if (deliveries.length > maxDeliveries) deliveries.shift();
    this.#byLog.set(log, deliveries);
  }

  /** Returns the time of the first delivery of a record; undefined if it is not known. */
  timeOf(log: PartitionLog, offset: number): number | undefined {
    return this.#byLog.get(log)?.find(({ begin, end }) => begin <= offset && offset < end)?.at;
  }
}

/** Returns the offset after the last batch; undefined without one. */
function endOf(records: readonly Buffer[]): number | undefined {
  const part = records.at(-1);
  if (part === undefined || part.length === 0) return undefined;
  let at = 0;
  for (let next = 0; next < part.length; ) {
    at = next;
    next += batchLayout.partitionLeaderEpoch + part.readInt32BE(at + batchLayout.batchLength);
  }
  const { baseOffset, lastOffsetDelta } = readHeader(part, at);
  return baseOffset + lastOffsetDelta + 1;
}
