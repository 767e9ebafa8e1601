import type { BrokerLogger } from '../../../emulator/broker/index.js';

/** Keeps what the broker reports. */
export class LogRecorder implements BrokerLogger {
  readonly lines: string[] = [];

  debug(): void {
    // What only a developer of the broker reads is not kept.
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
