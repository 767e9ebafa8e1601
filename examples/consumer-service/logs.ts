import type { LogFields, Logger } from 'busbar';

/** Returns a logger that writes one JSON object per line, with time, level and message first. */
export function jsonLogger(write: (line: string) => void): Logger {
  const log = (level: string) => (message: string, fields?: LogFields) => {
    write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`);
  };
  return { debug: () => undefined, info: log('info'), warn: log('warn'), error: log('error') };
}
