import type { Logger } from '../../../src/base/logger.js';

/** Records the broker's log lines. */
export class LogRecorder implements Logger {
  readonly lines: string[] = [];

  debug(): void {
    // Debug lines are dropped.
  }
  info(message: string, fields?: Record<string, unknown>): void {
    this.#keep('info', message, fields);
  }
  warn(message: string, fields?: Record<string, unknown>): void {
    this.#keep('warn', message, fields);
  }
  error(message: string, fields?: Record<string, unknown>): void {
    this.#keep('error', message, fields);
  }

  matching(pattern: RegExp): string[] {
    return this.lines.filter((line) => pattern.test(line));
  }

  #keep(level: string, message: string, fields: Record<string, unknown> = {}): void {
    this.lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  }
}
