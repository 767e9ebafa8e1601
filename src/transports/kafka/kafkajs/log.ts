import type { LogEntry, logCreator } from 'kafkajs';
import type { Logger } from '../../../base/logger.js';

/**
 * kafkajs' warnings and errors, as `debug`: it logs each attempt of each connection, and what matters of them reaches
 * the user as an error or a warning of ours. Its own debug level prints whole requests and is never asked for.
 */
export function quietLog(logger: Logger): logCreator {
  return () =>
    ({ namespace, log }: LogEntry) =>
      logger.debug(`kafkajs: ${log.message}`, { namespace, broker: log['broker'] as unknown });
}
