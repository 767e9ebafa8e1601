import { headerReader } from 'busbar/base';
import { type ConsumerRecord, envelopeHeaders, type Settlement } from 'busbar';

/** The result of a settled record. It has names, never payload values. */
export interface Outcome {
  readonly outcome: Settlement['outcome'];
  /** Event type, from the headers if no handler received the event; undefined if the record has no type. */
  readonly type: string | undefined;
  readonly version: string | undefined;
  /** Event id, from the headers. */
  readonly id: string | undefined;
  readonly key: string | undefined;
  /** Reason for skipping, or error code of the dead letter; undefined for a handled event. */
  readonly reason: string | undefined;
  /** Name of the last handler; undefined if none ran. */
  readonly handler: string | undefined;
  /** Number of attempts; 0 if no handler ran. */
  readonly attempts: number;
  /** Virtual time from the first attempt to the end, retry pauses included, in milliseconds. */
  readonly duration: number;
  /** Virtual time of settling, in milliseconds since the epoch. */
  readonly at: number;
}

export function outcomeOf(record: ConsumerRecord, settlement: Settlement, at: number): Outcome {
  const { headers, key } = record;
  const { attempts, duration } = settlement;
  const event = 'event' in settlement ? settlement.event : undefined;
  const cause = 'cause' in settlement ? settlement.cause : undefined;
  const { text } = headerReader(headers, '');
  return {
    outcome: settlement.outcome,
    type: event?.type ?? text(envelopeHeaders.type),
    version: event?.version ?? text(envelopeHeaders.version),
    id: text(envelopeHeaders.id),
    key: key === null ? undefined : Buffer.from(key).toString(),
    reason: 'reason' in settlement ? settlement.reason : cause?.code,
    handler: 'handler' in settlement ? settlement.handler : cause?.handler,
    attempts,
    duration,
    at,
  };
}
