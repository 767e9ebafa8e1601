import type { DeadLetter } from './dead-letter.js';

export interface PartitionOwner {
  /** Every record before `offset` is settled. */
  commit(offset: number): void;
  /** The partition has room again, after it refused records. */
  resume(): void;
  /** Nothing runs and nothing can be started: every record is settled or waits for a retry. */
  quiet(): void;
  /** A record cannot be settled, and the run must end. */
  fail(error: Error): void;
  /** A record could not be dead-lettered, and the partition must stop. */
  stopped(error: Error): void;
  deadLettered(letter: DeadLetter): void;
}
