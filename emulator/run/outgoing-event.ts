import type { BusbarEnvelope } from 'busbar';
import type { RecordAbout } from 'busbar/internal/websocket-protocol';

/** An encoded event bound for sinks. */
export interface OutgoingEvent extends Omit<RecordAbout, 'type' | 'version'> {
  /** Decoded envelope. */
  readonly envelope: BusbarEnvelope;
  /** Value of the record. Every sink sends these bytes. */
  readonly bytes: Buffer;
  /** Headers of the record. */
  readonly headers: Readonly<Record<string, string>>;
  /** Partition key: the entity whose events stay in order. */
  readonly key: string;
  /** Value and headers in Busbar's own envelope, if another is sent. */
  readonly original?: Pick<OutgoingEvent, 'bytes' | 'headers'>;
}
