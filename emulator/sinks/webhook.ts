import { createHmac } from 'node:crypto';
import {
  callback,
  clockObject,
  nonEmptyText,
  number,
  type OptionTable,
  readOptions,
  text,
  whole,
} from '../../src/base/options.js';
import { type Clock, sleep, systemClock } from '../../src/base/clock.js';
import { BusbarError } from '../../src/base/errors.js';
import { quoted } from '../../src/base/quoted.js';
import type { Emission } from '../run/emission.js';
import type { Sink } from './sink.js';

export interface WebhookSinkOptions {
  /** `http:` or `https:`; neither its query nor its credentials are ever shown. */
  readonly url: string;
  /** Events in a request. 1, the default, sends the envelope itself; more send an array of envelopes. */
  readonly batch?: number;
  /** Signs every request: see {@link signature}. Default none. */
  readonly secret?: string;
  /** Requests for one batch before the sink gives up. Default 8, about a minute. */
  readonly attempts?: number;
  /** How long an answer may take, in milliseconds. Default 30,000. */
  readonly timeout?: number;
  readonly clock?: Clock;
  /** In [0, 1): the jitter between attempts. Default `Math.random`. */
  readonly random?: () => number;
}

const webhookSinkOptions = {
  // An address may hold a password.
  url: { type: text, isRequired: true, isSecret: true },
  batch: { type: whole({ from: 1, to: 1000 }), default: 1 },
  secret: { type: nonEmptyText, isSecret: true },
  attempts: { type: whole({ from: 1 }), default: 8 },
  timeout: { type: number({ above: 0, to: 2 ** 31 - 1 }), default: 30_000, unit: 'milliseconds' },
  clock: { type: clockObject, default: systemClock },
  random: { type: callback, default: () => Math.random() },
} satisfies OptionTable<WebhookSinkOptions>;

/** The first pause between attempts, in milliseconds; each further one is up to twice as long. */
const firstPause = 250;
const longestPause = 30_000;

/**
 * Sends events by HTTP POST, in order, one request at a time. Tries again after a status of 429 or 5xx, or none at
 * all; any other status that is not 2xx ends the run, as does the last attempt.
 * @throws BusbarError `invalid-option`
 */
export function webhookSink(options: WebhookSinkOptions): Sink {
  const settings = readOptions('webhookSink()', webhookSinkOptions, options);
  const { batch, secret, attempts, timeout, clock, random } = settings;
  const url = parseUrl(settings.url);
  const closing = new AbortController();
  const shown = quoted(`${url.origin}${url.pathname}`);

  async function post(emissions: readonly Emission[]): Promise<void> {
    const body = bodyOf(emissions, batch);
    let problem = '';
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const signed = secret !== undefined && { [signatureHeader]: signature(body, secret, clock.now()) };
      const headers = { ...headersOf(emissions, batch), ...signed };
      const answer = await request(body, headers);
      if (answer === 'taken') return;
      ({ problem } = answer);
      if (answer.isFinal) throw failed(`${problem}. It was not asked again`);
      if (attempt === attempts) break;
      // Full jitter above the half: many emulators that wait for one receiver come back at different times.
      const pause = Math.min(longestPause, firstPause * 2 ** (attempt - 1)) * (0.5 + random() / 2);
      await sleep(clock, Math.max(pause, answer.retryAfter ?? 0), closing.signal);
    }
    throw failed(`${problem}, the last of ${attempts} times`);
  }

  async function request(
    body: Buffer,
    headers: Readonly<Record<string, string>>,
  ): Promise<'taken' | Refusal> {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeout)]);
    try {
      const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
      // Until the body is read, the connection cannot be used again.
      await response.body?.cancel();
      if (response.ok) return 'taken';
      const { status } = response;
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
      const retryAfter = seconds > 0 ? Math.min(seconds * 1000, longestPause) : undefined;
      return { problem: `answered ${status}`, isFinal: status !== 429 && status < 500, retryAfter };
    } catch (error) {
      if (closing.signal.aborted) throw failed('was not asked any more: the run was stopped');
      const { name, cause } = error as Error & { cause?: NodeJS.ErrnoException };
      const reason = name === 'TimeoutError' ? 'no answer in time' : (cause?.code ?? 'no connection');
      return { problem: `could not be reached (${reason})`, isFinal: false, retryAfter: undefined };
    }
  }

  const failed = (what: string) => new BusbarError('connection-failed', `The webhook ${shown} ${what}.`);

  return {
    name: 'webhook',
    // What a run counts as sent, and records, is then what has been answered.
    batchSize: batch,
    async write(emissions) {
      for (let at = 0; at < emissions.length; at += batch) await post(emissions.slice(at, at + batch));
    },
    end: () => undefined,
    close() {
      closing.abort();
      return Promise.resolve();
    },
  };
}

export const signatureHeader = 'busbar-signature';

/**
 * `t=<seconds since the epoch>,v1=<hex>`: HMAC-SHA256 (RFC 2104) of `<seconds>.<body>` with the secret. The time is
 * signed too, so that a receiver can refuse what somebody kept and sends again.
 */
export function signature(body: Uint8Array, secret: string, now: number): string {
  const seconds = Math.floor(now / 1000);
  const hmac = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
  return `t=${seconds},v1=${hmac}`;
}

interface Refusal {
  readonly problem: string;
  /** Asking again would be answered likewise. */
  readonly isFinal: boolean;
  /** Milliseconds that the receiver asks to wait. */
  readonly retryAfter: number | undefined;
}

/** The bytes of events as they are, also where a fault has damaged them. */
function bodyOf(emissions: readonly Emission[], batch: number): Buffer {
  const [first] = emissions;
  if (batch === 1 && first !== undefined) return first.bytes;
  const parts = emissions.flatMap(({ bytes }, index) => [index === 0 ? open : comma, bytes]);
  return Buffer.concat([...parts, close]);
}

const open = Buffer.from('[');
const comma = Buffer.from(',');
const close = Buffer.from(']');

function headersOf(emissions: readonly Emission[], batch: number): Record<string, string> {
  const [first] = emissions;
  const own =
    batch === 1 && first !== undefined ? { ...first.headers, 'event-key': headerText(first.key) } : {};
  return { ...own, 'content-type': 'application/json', 'user-agent': 'busbar-emulator' };
}

/** HTTP headers are ASCII; keys are whatever a scenario makes them. */
function headerText(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : encodeURIComponent(text);
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (isHttp && url.username === '' && url.password === '') return url;
  const message = 'A webhook needs an address that begins with http:// or https://, without a user name.';
  throw new BusbarError('invalid-option', message);
}
