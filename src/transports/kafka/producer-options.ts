import { choice, nonEmptyText, type OptionTable, whole } from '../../base/options.js';
import { connectionOptions, type KafkaConnectionOptions } from './connection.js';

export interface RecordProducerOptions extends Omit<KafkaConnectionOptions, 'patchIdleTimers'> {
  /** Default `gzip`. */
  readonly compression?: 'gzip' | 'none';
  /** How often a request is tried again before `send` rejects. Default 8, about half a minute. */
  readonly retries?: number;
}

/** {@link RecordProducerOptions}, as a table. */
export const producerOptions = {
  brokers: connectionOptions.brokers,
  clientId: { type: nonEmptyText, default: 'busbar-emulator' },
  ssl: connectionOptions.ssl,
  sasl: connectionOptions.sasl,
  connectionTimeout: connectionOptions.connectionTimeout,
  compression: { type: choice('gzip', 'none'), default: 'gzip' },
  // An idempotent producer has to try again: it could not continue after a request whose answer was lost.
  retries: { type: whole({ from: 1, to: 100 }), default: 8 },
} satisfies OptionTable<RecordProducerOptions>;
