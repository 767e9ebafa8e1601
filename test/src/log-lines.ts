import type { Logger } from '../../src/base/logger.js';

/** A logger that keeps its lines: `warn: message {"code":"..."}`. Keeps the first line of each run separately. */
export function logLines(): Logger & {
  readonly lines: readonly string[];
  readonly starts: readonly string[];
} {
  const lines: string[] = [];
  const starts: string[] = [];
  const line = (level: string) => (message: string, fields?: object) => {
    const text = `${level}: ${message}${fields === undefined ? '' : ` ${JSON.stringify(fields)}`}`;
    (message === 'consumer starting' ? starts : lines).push(text);
  };
  return {
    lines,
    starts,
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
  };
}
