/** The default wire format: UTF-8 JSON with these members, in this order. */
export interface BusbarEnvelope {
  /** UUIDv7 (RFC 9562), unique to the occurrence and version; sorts as the stream does. */
  readonly id: string;
  readonly event_type: string;
  readonly version: string;
  /** RFC 3339 with milliseconds, UTC. */
  readonly occurred_at: string;
  readonly payload: unknown;
}

/** Headers that accompany the default envelope, so that a consumer can route without parsing. */
export const envelopeHeaders = {
  type: 'event-type',
  version: 'event-version',
  id: 'event-id',
  /** Shared by the versions of one occurrence. */
  occurrence: 'occurrence-id',
} as const;
