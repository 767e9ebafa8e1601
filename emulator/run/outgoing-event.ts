import type { BusbarEnvelope } from 'busbar';
import type { RecordAbout } from 'busbar/internal/websocket-protocol';

/** An encoded event bound for sinks. */
export interface OutgoingEvent extends Omit<RecordAbout, 'type' | 'version'> {
  /** Decoded envelope. */
  readonly envelope: BusbarEnvelope;
  /** Envelope as UTF-8 JSON. Every sink sends these bytes. */
  readonly bytes: Buffer;
  /** Headers of the record. */
  readonly headers: Readonly<Record<string, string>>;
  /** Partition key: the entity whose events stay in order. */
  readonly key: string;
}
