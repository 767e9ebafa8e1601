import type { BusbarEnvelope } from '../../src/envelope/busbar.js';

/**
 * One event on its way out: what scenarios cause and sinks send. Recording, dashboard, invariants and test bench live
 * on it.
 */
export interface Emission {
  readonly envelope: BusbarEnvelope;
  /** The envelope as UTF-8 JSON, encoded once: every sink sends these bytes. */
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** Partition key: the entity whose events must stay in order. */
  readonly key: string;
  /** Virtual instant at which it occurred, in milliseconds since the epoch. */
  readonly at: number;
  /** Virtual instant at which it is sent, where a fault made that another. */
  readonly sentAt?: number;
  /** The household or business that it belongs to; 0 is the platform itself. */
  readonly cell: number;
  /** Scenario and its number in the cell: `house-move#1`. */
  readonly instance: string;
  /** The scenario's name for the step. */
  readonly step: string;
  /** Names of the faults that were done to it, in order. */
  readonly faults: readonly string[];
  /** The outcomes that its instance has drawn, by branch. A recording does not keep them. */
  readonly branches?: Readonly<Record<string, string>>;
}
