/** Where the broker reports. Record keys, values and credentials never appear in it. */
export interface BrokerLogger {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** Warnings and errors go to stderr, one line each; the rest is dropped. */
export const stderrLogger: BrokerLogger = {
  debug: () => undefined,
  info: () => undefined,
  warn: (message, fields) => writeLine('warn', message, fields),
  error: (message, fields) => writeLine('error', message, fields),
};

function writeLine(level: string, message: string, fields?: Record<string, unknown>): void {
  process.stderr.write(`${level} broker: ${message}${fields ? ` ${JSON.stringify(fields)}` : ''}\n`);
}
