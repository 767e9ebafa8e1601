import type { LogEntry, logCreator } from 'kafkajs';
import type { Logger } from '../../../base/logger.js';

/**
 * Logs the warnings and errors of kafkajs as `debug`. kafkajs logs each attempt of each connection; Busbar reports an
 * outage itself. Never ask kafkajs for its own debug level, which prints whole requests.
 */
export function debugOnlyLog(logger: Logger): logCreator {
  return () =>
    ({ namespace, log }: LogEntry) =>
      logger.debug('kafkajs reported a problem', {
        problem: log.message,
        namespace,
        broker: log['broker'] as unknown,
      });
}
