import { type Logger, stderrLogger } from '../../base/logger.js';
import { choice, loggerObject, nonEmptyText, type OptionTable, whole } from '../../base/options.js';
import { connectionOptions, type KafkaConnectionOptions } from './connection.js';

export { brokerAddresses, checkSasl } from './connection.js';

export interface RecordProducerOptions extends KafkaConnectionOptions {
  /** Compression of batches. Default `gzip`. */
  readonly compression?: 'gzip' | 'none';
  /** Number of retries of a request before `send` rejects. Default 8, about half a minute. */
  readonly retries?: number;
  /** Logs when no broker can be reached, and when one is reached again. Default {@link stderrLogger}. */
  readonly logger?: Logger;
}

export const producerOptions = {
  ...connectionOptions,
  clientId: { type: nonEmptyText, default: 'busbar-emulator' },
  compression: { type: choice('gzip', 'none'), default: 'gzip' },
  // An idempotent producer must retry: it cannot continue after a request whose response was lost.
  retries: { type: whole({ from: 1, to: 100 }), default: 8 },
  logger: { type: loggerObject, default: stderrLogger },
} satisfies OptionTable<RecordProducerOptions>;
