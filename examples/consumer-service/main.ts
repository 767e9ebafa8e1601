/**
 * The service as a process. It reads its settings from the environment, logs JSON lines to standard output, and stops
 * cleanly at SIGTERM. After a fatal error it exits with code 1, so that its platform restarts it.
 */
import { jsonLogger } from './logs.ts';
import { startService } from './service.ts';
import { settingsFrom } from './settings.ts';

const logger = jsonLogger((line) => process.stdout.write(line));
try {
  const service = await startService(settingsFrom(process.env), logger);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.once(signal, () => {
      logger.info('service stopping', { signal });
      void service.stop();
    });
  }
  await service.finished;
  logger.info('service stopped');
} catch (error) {
  logger.error('service failed', { error: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
}
