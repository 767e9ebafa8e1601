import { envelopeHeaders } from '../../src/envelope/busbar.js';
import type { Settlement } from '../../src/running/observer.js';
import type { ConsumerRecord } from '../../src/transports/transport.js';

/** What became of a record, as soon as it is settled. Holds names, never what a payload says. */
export interface Outcome {
  readonly outcome: Settlement['outcome'];
  /** Type and version, by headers where no handler got the event; undefined where nothing names them. */
  readonly type: string | undefined;
  readonly version: string | undefined;
  /** The event's id, by header. */
  readonly id: string | undefined;
  readonly key: string | undefined;
  /** Why it was skipped, or the error code with which it was set aside; undefined for an event that was handled. */
  readonly reason: string | undefined;
  /** The handler that had it last; undefined where none did. */
  readonly handler: string | undefined;
  /** 0 where no handler ran. */
  readonly attempts: number;
  /** From the first attempt to the end, pauses included, in milliseconds of virtual time. */
  readonly duration: number;
  /** When it was settled, in virtual milliseconds since the epoch. */
  readonly at: number;
}

export function outcomeOf(record: ConsumerRecord, settlement: Settlement, at: number): Outcome {
  const { headers, key } = record;
  const { attempts, duration } = settlement;
  const event = settlement.outcome === 'skipped' ? undefined : settlement.event;
  const text = (name: string) => {
    const value = headers.get(name);
    return value === undefined ? undefined : Buffer.from(value).toString();
  };
  return {
    outcome: settlement.outcome,
    type: event?.type ?? text(envelopeHeaders.type),
    version: event?.version ?? text(envelopeHeaders.version),
    id: text(envelopeHeaders.id),
    key: key === null ? undefined : Buffer.from(key).toString(),
    reason: reasonOf(settlement),
    handler: handlerOf(settlement),
    attempts,
    duration,
    at,
  };
}

function reasonOf(settlement: Settlement): string | undefined {
  if (settlement.outcome === 'skipped') return settlement.reason;
  return settlement.outcome === 'dead-lettered' ? settlement.cause.code : undefined;
}

function handlerOf(settlement: Settlement): string | undefined {
  if (settlement.outcome === 'handled') return settlement.handler;
  return settlement.outcome === 'dead-lettered' ? settlement.cause.handler : undefined;
}
