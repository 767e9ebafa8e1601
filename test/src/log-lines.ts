import type { Logger } from '../../src/base/logger.js';

/** A logger that keeps what it is told: `warn: message {"code":"..."}`; what each run says at its start apart. */
export function logLines(): Logger & {
  readonly lines: readonly string[];
  readonly starts: readonly string[];
} {
  const lines: string[] = [];
  const starts: string[] = [];
  const line = (level: string) => (message: string, fields?: object) => {
    const text = `${level}: ${message}${fields === undefined ? '' : ` ${JSON.stringify(fields)}`}`;
    (message === 'The consumer starts.' ? starts : lines).push(text);
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
