import type { Instant } from '../engine/time.js';
import type { Account, Cell } from '../world/cell.js';

/** What the REST API sees of the world behind the events: a run that is under way, or recorded. */
export interface WorldView {
  /** What the present run is played from: another after a reset to another. */
  seed(): number;
  /** The present virtual instant: that of the last event that was sent, or later. */
  now(): Instant;
  /**
   * The account of that number with its cell, as it was just after the last event by then; by default now. Undefined
   * where the run has no such account.
   */
  accountAt(number: string, at?: Instant): { readonly cell: Cell; readonly account: Account } | undefined;
  /** When the event of that id occurred; undefined for an id that the run cannot have. */
  instantOf(eventId: string): Instant | undefined;
}
