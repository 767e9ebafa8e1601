/**
 * Names of span attributes. Those of messaging follow the OpenTelemetry semantic conventions, which are still in
 * development: they stand here and nowhere else. `busbar.*` is what the conventions have no name for.
 */
export const attributes = {
  /** What kind of source, such as `kafka`. */
  system: 'messaging.system',
  operationName: 'messaging.operation.name',
  operationType: 'messaging.operation.type',
  topic: 'messaging.destination.name',
  /** A text. */
  partition: 'messaging.destination.partition.id',
  offset: 'messaging.kafka.offset',
  messageId: 'messaging.message.id',
  /** The record's value, in bytes. */
  size: 'messaging.message.body.size',
  /** A code of `docs/errors.md`. */
  error: 'error.type',
  eventType: 'busbar.event.type',
  eventVersion: 'busbar.event.version',
  consumer: 'busbar.consumer',
  handler: 'busbar.handler',
  /** 1 for the first. */
  attempt: 'busbar.attempt',
  /** Of the span event `retry`: the pause before the next attempt, in milliseconds. */
  retryIn: 'busbar.retry_in',
} as const;
