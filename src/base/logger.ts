import { inspect } from 'node:util';

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

/**
 * Logs one line per message to standard error, except `debug`: `12:00:01 message field=1` on a terminal, JSON elsewhere.
 * The variable `BUSBAR_LOG=text` or `BUSBAR_LOG=json` decides instead. The default.
 */
export const stderrLogger: Logger = loggerTo((text) => process.stderr.write(text));

/** Returns a logger that writes the lines of {@link stderrLogger}. */
export function loggerTo(write: (text: string) => unknown): Logger {
  const log = (level: string) => (message: string, fields?: LogFields) => {
    const { BUSBAR_LOG: form } = process.env;
    const isText = form === 'text' || (form !== 'json' && process.stderr.isTTY);
    const now = new Date();
    const own = { time: now.toISOString(), level, message };
    write(`${isText ? textLine(now, level, message, fields) : jsonLine(own, fields)}\n`);
  };
  return { debug() {}, info: log('info'), warn: log('warn'), error: log('error') };
}

function jsonLine(own: LogFields, fields: LogFields = {}): string {
  const renamed = Object.entries(fields).map(
    ([name, value]) => [Object.hasOwn(own, name) ? `fields.${name}` : name, value] as const,
  );
  const members = [...Object.entries(own), ...renamed].flatMap(([name, value]) => {
    const json = jsonOf(value);
    return json === undefined ? [] : [`${JSON.stringify(name)}:${json}`];
  });
  return `{${members.join(',')}}`;
}

/**
 * Returns the value as JSON, with errors as text, or what Node shows of it: a line of a log must not fail the handler
 * that writes it.
 */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_, each: unknown) => (each instanceof Error ? String(each) : each));
  } catch {
    return JSON.stringify(inspect(value));
  }
}

function textLine(now: Date, level: string, message: string, fields: LogFields = {}): string {
  const shown = Object.entries(fields).map(([name, value]) => {
    const isPlain = typeof value === 'string' && /^[\w.:/@+-]+$/.test(value);
    return `${name}=${isPlain ? value : jsonOf(value)}`;
  });
  const coloured = `\u001b[${level === 'warn' ? 33 : 31}m${level}\u001b[0m`;
  const label = level === 'info' ? [] : [hasColours(process.stderr) ? coloured : level];
  return [now.toTimeString().slice(0, '12:00:01'.length), ...label, message, ...shown].join(' ');
}

/** Whether to colour the text for a stream: on a terminal, unless `NO_COLOR` or `FORCE_COLOR` decides. */
function hasColours({ isTTY }: { readonly isTTY?: boolean }): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTTY === true && TERM !== 'dumb' && (NO_COLOR ?? '') === '';
}
