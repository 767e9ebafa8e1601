import type { Letter } from './letter.js';

/** What a partition tells whom it works for. */
export interface PartitionOwner {
  /** Everything before `offset` is settled. */
  commit(offset: number): void;
  /** There is room again, after not everything was taken. */
  resume(): void;
  /** Nothing runs and nothing can be started: all is settled, or waits on the clock. */
  quiet(): void;
  /** A record cannot be settled, and the run must end. */
  fail(error: Error): void;
  /** A record could not be set aside, and the partition must stop. */
  stopped(error: Error): void;
  /** A record was set aside. */
  setAside(letter: Letter): void;
}
