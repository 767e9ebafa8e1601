/**
 * Names of span attributes. `messaging.*` follows the OpenTelemetry semantic conventions, which are still in
 * development. `busbar.*` adds names that the conventions lack.
 */
export const attributes = {
  /** Kind of source, such as `kafka`. */
  system: 'messaging.system',
  operationName: 'messaging.operation.name',
  operationType: 'messaging.operation.type',
  topic: 'messaging.destination.name',
  /** Number of the partition as text. */
  partition: 'messaging.destination.partition.id',
  offset: 'messaging.kafka.offset',
  messageId: 'messaging.message.id',
  /** Bytes of the record's value. */
  size: 'messaging.message.body.size',
  /** A code of `docs/errors.md`. */
  error: 'error.type',
  eventType: 'busbar.event.type',
  eventVersion: 'busbar.event.version',
  consumer: 'busbar.consumer',
  handler: 'busbar.handler',
  /** Number of the attempt; 1 for the first. */
  attempt: 'busbar.attempt',
  /** Delay before the next attempt in milliseconds, in the span event `retry`. */
  retryIn: 'busbar.retry_in',
} as const;
