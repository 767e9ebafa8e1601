/**
 * The service as a process. It reads its settings from the environment, tells of itself in JSON lines on standard
 * output, ends in good order at SIGTERM, and with code 1 when it cannot go on: then the platform that runs it starts
 * it anew.
 */
import { jsonLogger } from './logs.ts';
import { startService } from './service.ts';
import { settingsFrom } from './settings.ts';

const logger = jsonLogger((line) => process.stdout.write(line));
try {
  const service = await startService(settingsFrom(process.env), logger);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.once(signal, () => {
      logger.info('Stopping.', { signal });
      void service.stop();
    });
  }
  await service.finished;
  logger.info('Stopped.');
} catch (error) {
  logger.error('Ended by an error.', { error: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
}
