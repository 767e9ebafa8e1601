import type { RunningAttempt } from './running-attempt.js';
import type { ConsumerRecord } from '../transports/transport.js';
import type { Verdict } from '../verdict.js';

/** One record between being taken and being settled. */
export interface Work {
  /** Replaced by a copy before a long wait. */
  record: ConsumerRecord;
  isCopied: boolean;
  /** Its place in the partition's window; grows with the offset. */
  readonly place: number;
  /** Its lane's key, once it was asked for. */
  lane: string | null | undefined;
  /** Known beforehand where the lane depends on the event. */
  verdict: Verdict | undefined;
  /** Attempts begun. */
  attempts: number;
  /** When the first one began, by the run's clock. */
  since: number | undefined;
  running: RunningAttempt | undefined;
  /** Nobody waits for it any more: what still comes of it is discarded. */
  isAbandoned: boolean;
  /** The next of its lane. */
  next: Work | undefined;
}

export function workOn(record: ConsumerRecord, place: number): Work {
  return {
    record,
    isCopied: false,
    place,
    lane: undefined,
    verdict: undefined,
    attempts: 0,
    since: undefined,
    running: undefined,
    isAbandoned: false,
    next: undefined,
  };
}

/** What counts for the window's bytes; headers are small, and decoded by some transports only when asked for. */
export function sizeOf({ key, value }: ConsumerRecord): number {
  return (key?.byteLength ?? 0) + (value?.byteLength ?? 0);
}
