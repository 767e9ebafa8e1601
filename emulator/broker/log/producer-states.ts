import { type BatchHeader, type ErrorCode, errorCodes } from 'busbar/internal/kafka-protocol';

/** A batch that was appended before, with its base offset. */
export interface Duplicate {
  readonly baseOffset: number;
  /** The timestamp of the last record, which Kafka returns for producer and broker timestamps. */
  readonly logAppendTimeMs: number;
}

interface ProducerState {
  epoch: number;
  /** The latest five, newest last: a producer may have five in flight, and Kafka stores five, too. */
  readonly batches: (Duplicate & { readonly first: number; readonly last: number })[];
}

const REMEMBERED_BATCHES = 5;
const MAX_PRODUCERS = 10_000;
const MAX_SEQUENCE = 0x7fff_ffff;

/** The idempotent producers of one partition (KIP-98): sequence checks and duplicate detection. */
export class ProducerStates {
  readonly #states = new Map<number, ProducerState>();

  /** Returns undefined if the batch may be appended. */
  check(batch: BatchHeader): Duplicate | ErrorCode | undefined {
    if (batch.producerId < 0) return undefined;
    const state = this.#states.get(batch.producerId);
    if (state && batch.producerEpoch < state.epoch) return errorCodes.invalidProducerEpoch;
    if (batch.producerEpoch < 0 || batch.baseSequence < 0) return errorCodes.invalidRecord;
    // As in Kafka, a producer may start with any sequence.
    if (!state) return undefined;
    if (batch.producerEpoch > state.epoch) {
      return batch.baseSequence === 0 ? undefined : errorCodes.outOfOrderSequenceNumber;
    }
    const last = lastSequence(batch);
    const again = state.batches.find((known) => known.first === batch.baseSequence && known.last === last);
    if (again) return { baseOffset: again.baseOffset, logAppendTimeMs: again.logAppendTimeMs };
    const expected = ((state.batches.at(-1)?.last ?? -1) + 1) % (MAX_SEQUENCE + 1);
    return batch.baseSequence === expected ? undefined : errorCodes.outOfOrderSequenceNumber;
  }

  all() {
    return [...this.#states].map(([producerId, { epoch, batches }]) => ({
      producerId,
      producerEpoch: epoch,
      lastSequence: batches.at(-1)?.last ?? -1,
      lastTimestamp: batches.at(-1)?.logAppendTimeMs ?? -1,
    }));
  }

  remember(batch: BatchHeader, baseOffset: number): void {
    if (batch.producerId < 0) return;
    let state = this.#states.get(batch.producerId);
    if (!state || state.epoch !== batch.producerEpoch) state = { epoch: batch.producerEpoch, batches: [] };
    state.batches.push({
      ...{ first: batch.baseSequence, last: lastSequence(batch) },
      ...{ baseOffset, logAppendTimeMs: batch.maxTimestamp },
    });
    if (state.batches.length > REMEMBERED_BATCHES) state.batches.shift();
    // Deleted and set, so that the map begins with the longest idle producer.
    this.#states.delete(batch.producerId);
    this.#states.set(batch.producerId, state);
    const [oldest] = this.#states.keys();
    if (this.#states.size > MAX_PRODUCERS && oldest !== undefined) this.#states.delete(oldest);
  }
}

/** Sequences wrap to 0 after 2^31 - 1. */
function lastSequence(batch: BatchHeader): number {
  return (batch.baseSequence + batch.lastOffsetDelta) % (MAX_SEQUENCE + 1);
}
