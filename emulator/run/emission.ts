import type { BusbarEnvelope } from '../../src/envelope/busbar.js';
import type { RecordAbout } from '../../src/transports/websocket-protocol.js';

/**
 * One event on its way out: what scenarios cause and sinks send. Recording, dashboard, invariants and test bench live
 * on it.
 */
export interface Emission extends Omit<RecordAbout, 'type' | 'version'> {
  readonly envelope: BusbarEnvelope;
  /** The envelope as UTF-8 JSON, encoded once: every sink sends these bytes. */
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** Partition key: the entity whose events must stay in order. */
  readonly key: string;
}
