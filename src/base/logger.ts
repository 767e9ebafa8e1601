/** Named values of a log line. Never payload values: they are personal data. */
export type LogFields = Readonly<Record<string, unknown>>;

/** The logger that Busbar uses. `console` and the loggers of most libraries match it. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** Logs nothing. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Logs one line per message to standard error, except `debug`: `warn: message {"field":1}`. The default. */
export const stderrLogger: Logger = {
  debug() {},
  info: (message, fields) => write('info', message, fields),
  warn: (message, fields) => write('warn', message, fields),
  error: (message, fields) => write('error', message, fields),
};

function write(level: string, message: string, fields?: LogFields): void {
  process.stderr.write(`${level}: ${message}${fields === undefined ? '' : ` ${JSON.stringify(fields)}`}\n`);
}
