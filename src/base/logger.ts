/** Named values beside a message. Never payload values: they are personal data. */
export type LogFields = Readonly<Record<string, unknown>>;

/** What Busbar logs to. The methods of `console` and of most logging libraries fit. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** Drops everything. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** One line per message on standard error, `debug` left out: `warn: message {"field":1}`. The default. */
export const stderrLogger: Logger = {
  debug() {},
  info: (message, fields) => write('info', message, fields),
  warn: (message, fields) => write('warn', message, fields),
  error: (message, fields) => write('error', message, fields),
};

function write(level: string, message: string, fields?: LogFields): void {
  process.stderr.write(`${level}: ${message}${fields === undefined ? '' : ` ${JSON.stringify(fields)}`}\n`);
}
