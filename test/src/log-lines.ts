import type { Logger } from '../../src/logger.js';

/** A logger that keeps what it is told: `warn: message {"code":"..."}`. */
export function logLines(): Logger & { readonly lines: readonly string[] } {
  const lines: string[] = [];
  const line = (level: string) => (message: string, fields?: object) =>
    void lines.push(`${level}: ${message}${fields === undefined ? '' : ` ${JSON.stringify(fields)}`}`);
  return { lines, debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}
