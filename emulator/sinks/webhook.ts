import { createHmac } from 'node:crypto';
import {
  BusbarError,
  callback,
  type Clock,
  clockObject,
  type Logger,
  loggerObject,
  nonEmptyText,
  number,
  type OptionTable,
  OutageLog,
  quoted,
  readOptions,
  sleep,
  stderrLogger,
  systemClock,
  text,
  whole,
} from 'busbar/base';
import type { OutgoingEvent } from '../run/outgoing-event.js';
import type { Sink } from '../run/sink.js';

/** The options of {@link webhookSink}. */
export interface WebhookSinkOptions {
  /** The URL, `http:` or `https:`. Messages never show its query. */
  readonly url: string;
  /** Events per request. 1 sends the envelope itself, more send an array of envelopes. Default 1. */
  readonly batch?: number;
  /** The secret that signs every request, see {@link signature}. Default none. */
  readonly secret?: string;
  /** The maximum number of requests for a batch. Default 8, about a minute. */
  readonly attempts?: number;
  /** Milliseconds to wait for a response. Default 30,000. */
  readonly timeout?: number;
  /** Receives a warning while batches are sent again. Default `stderrLogger`. */
  readonly logger?: Logger;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Returns a number in [0, 1) for the jitter between attempts. Default `Math.random`. */
  readonly random?: () => number;
}

export const webhookSinkOptions = {
  // The URL may contain a password.
  url: { type: text, isRequired: true, isSecret: true },
  batch: { type: whole({ from: 1, to: 1000 }), default: 1 },
  secret: { type: nonEmptyText, isSecret: true },
  attempts: { type: whole({ from: 1 }), default: 8 },
  timeout: { type: number({ above: 0, to: 2 ** 31 - 1 }), default: 30_000, unit: 'milliseconds' },
  logger: { type: loggerObject, default: stderrLogger },
  clock: { type: clockObject, default: systemClock },
  random: { type: callback, default: () => Math.random() },
} satisfies OptionTable<WebhookSinkOptions>;

/** The first pause between attempts in milliseconds; each later one is up to twice as long. */
const firstPause = 250;
const maxPause = 30_000;

/**
 * Creates a sink that sends events by HTTP POST, in order, one request at a time. Retries after the status 429 or 5xx, or
 * without a response. Other statuses than 2xx end the run, and so does the last failed attempt.
 * @throws BusbarError `invalid-option`
 */
export function webhookSink(options: WebhookSinkOptions): Sink {
  const settings = readOptions('webhookSink()', webhookSinkOptions, options);
  const { batch, secret, attempts, timeout, logger, clock, random } = settings;
  const url = parseUrl(settings.url);
  const closing = new AbortController();
  const address = `${url.origin}${url.pathname}`;
  const outage = new OutageLog(systemClock, logger, outageLines, { url: address });

  async function post(emissions: readonly OutgoingEvent[]): Promise<void> {
    const body = bodyOf(emissions, batch);
    let problem = '';
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const signed = secret !== undefined && { [signatureHeader]: signature(body, secret, clock.now()) };
      const headers = { ...headersOf(emissions, batch), ...signed };
      const result = await request(body, headers);
      if (result === 'accepted') {
        outage.recovered();
        return;
      }
      ({ problem } = result);
      if (result.isFinal) throw failed(`${problem}. The sink does not retry this status`);
      if (attempt === attempts) break;
      outage.failed(new Error(problem));
      // Jitter above the half: many emulators that wait for one receiver retry at different times.
      const pause = Math.min(maxPause, firstPause * 2 ** (attempt - 1)) * (0.5 + random() / 2);
      await sleep(clock, Math.max(pause, result.retryAfter ?? 0), closing.signal);
    }
    throw failed(`${problem} at attempt ${attempts} of ${attempts}`);
  }

  async function request(
    body: Buffer,
    headers: Readonly<Record<string, string>>,
  ): Promise<'accepted' | Refusal> {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeout)]);
    try {
      const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
      // The connection is reusable only after the body was read.
      await response.body?.cancel();
      if (response.ok) return 'accepted';
      const { status } = response;
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
      const retryAfter = seconds > 0 ? Math.min(seconds * 1000, maxPause) : undefined;
      return { problem: `responded with ${status}`, isFinal: status !== 429 && status < 500, retryAfter };
    } catch (error) {
      if (closing.signal.aborted) throw failed('got no further request, because the run was stopped');
      const { name, cause } = error as Error & { cause?: NodeJS.ErrnoException };
      const reason = name === 'TimeoutError' ? 'no response in time' : (cause?.code ?? 'no connection');
      return { problem: `could not be reached (${reason})`, isFinal: false, retryAfter: undefined };
    }
  }

  const failed = (problem: string) =>
    new BusbarError('connection-failed', `The webhook ${quoted(address)} ${problem}.`);

  return {
    name: 'webhook',
    // So that a run counts and records only events that the receiver has accepted.
    batchSize: batch,
    async write(emissions) {
      for (let at = 0; at < emissions.length; at += batch) await post(emissions.slice(at, at + batch));
    },
    end: () => undefined,
    close() {
      closing.abort();
      outage.stop();
      return Promise.resolve();
    },
  };
}

const outageLines = {
  began: 'webhook accepts no events, trying again',
  lasts: 'webhook still accepts no events',
  ended: 'webhook accepts events again',
};

const signatureHeader = 'busbar-signature';

/**
 * Returns `t=<seconds since the epoch>,v1=<hex>`: HMAC-SHA256 (RFC 2104) of `<seconds>.<body>` with the secret. The time
 * is signed, too, so that a receiver can refuse old requests that an attacker repeats.
 * @param now Milliseconds since the epoch.
 */
export function signature(body: Uint8Array, secret: string, now: number): string {
  const seconds = Math.floor(now / 1000);
  const hmac = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
  return `t=${seconds},v1=${hmac}`;
}

interface Refusal {
  readonly problem: string;
  /** Whether a retry would get the same response. */
  readonly isFinal: boolean;
  /** Milliseconds that the receiver asks to wait. */
  readonly retryAfter: number | undefined;
}

/** Returns the bytes of events, also of those that a fault has corrupted. */
function bodyOf(emissions: readonly OutgoingEvent[], batch: number): Buffer {
  const [first] = emissions;
  if (batch === 1 && first !== undefined) return first.bytes;
  const parts = emissions.flatMap(({ bytes }, index) => [index === 0 ? open : comma, bytes]);
  return Buffer.concat([...parts, close]);
}

const open = Buffer.from('[');
const comma = Buffer.from(',');
const close = Buffer.from(']');

function headersOf(emissions: readonly OutgoingEvent[], batch: number): Record<string, string> {
  const [first] = emissions;
  const { 'content-type': contentType = 'application/json', ...headers } = first?.headers ?? {};
  const own = batch === 1 &&
    first !== undefined && { ...inHttp(headers), 'event-key': headerText(first.key) };
  const type =
    batch === 1 ? contentType : contentType.replace('/cloudevents+json', '/cloudevents-batch+json');
  return { ...own, 'content-type': type, 'user-agent': 'busbar-emulator' };
}

/** Returns headers in the HTTP binding of CloudEvents, in which they begin with `ce-`. */
function inHttp(headers: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.entries(headers).map(([name, text]) => [name.replace(/^ce_/, 'ce-'), text]);
  return Object.fromEntries(named) as Record<string, string>;
}

/** Encodes a key for a header: headers are ASCII, keys may be any text. */
function headerText(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : encodeURIComponent(text);
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (isHttp && url.username === '' && url.password === '') return url;
  const message =
    'The webhook has no valid URL. Use one that begins with http:// or https://, without a user name.';
  throw new BusbarError('invalid-option', message);
}
