import type { Logger } from '../../../src/logger.js';

export interface RecordingLogger extends Logger {
  readonly lines: readonly string[];
}

/** Keeps `warn: message`. */
export function recordingLogger(): RecordingLogger {
  const lines: string[] = [];
  const add = (level: string) => (message: string) => void lines.push(`${level}: ${message}`);
  return { lines, debug: add('debug'), info: add('info'), warn: add('warn'), error: add('error') };
}
