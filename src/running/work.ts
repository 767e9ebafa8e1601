import type { Clock } from '../base/clock.js';
import type { RunningAttempt } from './running-attempt.js';
import type { ConsumerRecord } from '../transports/transport.js';
import type { Verdict } from '../verdict.js';

/** A record that was taken and is not settled yet. */
export class Work {
  /** Replaced by a copy before a long wait. */
  record: ConsumerRecord;
  isCopied = false;
  /** Index in the partition's window; grows with the offset. */
  readonly index: number;
  /** Key of the lane; undefined until it is needed. */
  lane: string | null | undefined;
  /** Verdict, if the lane assigner needed it. */
  verdict: Verdict | undefined;
  attempts = 0;
  /** Start of the first attempt, by the run's clock. Later if a wait for a retry took longer than its delay. */
  since: number | undefined;
  running: RunningAttempt | undefined;
  /** Ends the attempt to store a dead letter. */
  storing: AbortController | undefined;
  /** Whether a failed attempt is final, because another program retries. */
  isRetriedElsewhere = false;
  /** Whether the consumer no longer waits for the record and discards its result. */
  isAbandoned = false;
  /** Next record of the lane. */
  next: Work | undefined;

  constructor(record: ConsumerRecord, index: number) {
    this.record = record;
    this.index = index;
  }

  /** Starts the wait for a retry. Returns a function that ends it: while the machine slept, no time has elapsed. */
  backOff(delay: number, clock: Clock): () => void {
    const due = clock.now() + Math.ceil(delay);
    return () => void (this.since = (this.since ?? due) + clock.now() - due);
  }
}

/** Returns the bytes that count for the window. Headers do not: they are small, and decoding them costs time. */
export function sizeOf({ key, value }: ConsumerRecord): number {
  return (key?.byteLength ?? 0) + (value?.byteLength ?? 0);
}
