import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import {
  checkOptions,
  nonEmptyText,
  objectWith,
  type OptionTable,
  portNumber,
  readOptions,
} from '../base/options.js';
import { listen } from '../base/listen.js';
import type { Health } from '../running/health.js';
import type { RunningConsumer } from '../running/running-consumer.js';
import { kindOf } from '../base/errors.js';
import type { Metrics } from './metrics.js';

/** Options of {@link serveOperations}. */
export interface OperationsOptions {
  /** Port; 0 lets the system choose. */
  readonly port: number;
  /** Address to listen on. In a container, probes need `0.0.0.0` or `::`. Default `127.0.0.1`. */
  readonly host?: string;
  /** Metrics for `/metrics`. Without them, `/metrics` does not exist. */
  readonly metrics?: Pick<Metrics, 'contentType' | 'text'>;
}

const operationsOptions = {
  port: { type: portNumber, isRequired: true },
  host: { type: nonEmptyText, default: '127.0.0.1' },
  metrics: { type: objectWith('made by metrics()', 'text') },
} satisfies OptionTable<OperationsOptions>;

const aRun = objectWith('returned by run(), after await', 'health');

/** A server of {@link serveOperations}. */
export interface RunningOperations {
  readonly port: number;
  /** Address of the server: `http://127.0.0.1:9464`. */
  readonly url: string;
  /** Closes every connection. Later calls wait for the first. */
  stop(): Promise<void>;
}

/**
 * Serves `/healthz` (progress), `/readyz` (readiness) and `/metrics` over HTTP. Continues after the consumer has ended,
 * and keeps the process alive until `stop`.
 * @throws BusbarError `port-in-use`; `invalid-option` for a port or host on which it cannot listen
 * @example
 * const operations = await serveOperations(running, { port: 9464 });
 */
export async function serveOperations(
  running: Pick<RunningConsumer, 'health'>,
  options: OperationsOptions,
): Promise<RunningOperations> {
  checkOptions('serveOperations()', { running: { type: aRun, isRequired: true } }, { running });
  const settings = readOptions('serveOperations()', operationsOptions, options);
  const { host, metrics } = settings;
  const pages = new Map<string, Page>([
    ['/healthz', () => alive(running.health())],
    ['/readyz', () => ready(running.health())],
  ]);
  if (metrics !== undefined) pages.set('/metrics', () => metricsPage(metrics));

  // Legitimate requests have no body and short headers.
  const limits = { maxHeaderSize: 8_192, headersTimeout: 5_000, requestTimeout: 5_000 };
  const server = createServer(limits, listener(pages));
  server.maxConnections = 100;
  const { port, address, family } = await listen(server, {
    port: settings.port,
    host,
    subject: 'serveOperations()',
    option: 'port',
  });
  let stopping: Promise<void> | undefined;
  return {
    port,
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    stop: () => (stopping ??= close(server)),
  };
}

interface PageResponse {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

type Page = () => PageResponse | Promise<PageResponse>;

function alive({ status, reasons }: Health): PageResponse {
  return json(status === 'ok' ? 200 : 503, { status, reasons: bounded(reasons) });
}

function ready({ unready }: Health): PageResponse {
  const isReady = unready.length === 0;
  return json(isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', reasons: bounded(unready) });
}

async function metricsPage(metrics: Pick<Metrics, 'contentType' | 'text'>): Promise<PageResponse> {
  try {
    return { status: 200, type: metrics.contentType, body: await metrics.text() };
  } catch (error) {
    // Most likely a custom collector failed. Its message may contain anything.
    return json(500, {
      status: 'error',
      reasons: [`The metrics could not be collected: ${kindOf(error)}.`],
    });
  }
}

function listener(pages: ReadonlyMap<string, Page>): RequestListener {
  const paths = [...pages.keys()].join(', ');
  return ({ method, url = '/' }, response) => {
    const page = pages.get(url.split('?', 1)[0] ?? '');
    if (page === undefined) {
      send(response, json(404, { status: 'error', reasons: [`Page not found. The pages are ${paths}.`] }));
    } else if (method !== 'GET' && method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      send(response, json(405, { status: 'error', reasons: ['The page is read-only. Use GET or HEAD.'] }));
    } else {
      void Promise.resolve(page()).then((content) => send(response, content));
    }
  };
}

function send(response: ServerResponse, { status, type, body }: PageResponse): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    // Does not wait for the body of a rejected request.
    ...(status === 200 || status === 503 ? {} : { connection: 'close' }),
  });
  response.end(body);
}

function json(
  status: number,
  body: { readonly status: string; readonly reasons: readonly string[] },
): PageResponse {
  return { status, type: 'application/json; charset=utf-8', body: `${JSON.stringify(body)}\n` };
}

const maxReasons = 20;

/** Limits the reasons in a response. */
function bounded(reasons: readonly string[]): readonly string[] {
  if (reasons.length <= maxReasons) return reasons;
  return [...reasons.slice(0, maxReasons), `And ${reasons.length - maxReasons} more.`];
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
