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

  /** Adds the records from `begin` to before `end`. */
  add(log: PartitionLog, begin: number, end: number, at: number): void {
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
