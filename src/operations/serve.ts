import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nonEmptyText, objectWith, type OptionTable, portNumber, readOptions } from '../base/options.js';
import { BusbarError } from '../base/errors.js';
import type { RunningConsumer } from '../running/run.js';
import { kindOf } from '../base/thrown.js';
import type { Metrics } from './metrics.js';

export interface OperationsOptions {
  /** 0 lets the system choose. */
  readonly port: number;
  /** Default `127.0.0.1`. In a container, where probes come from outside, `0.0.0.0` or `::`. */
  readonly host?: string;
  /** What `/metrics` answers. Without it there is no such page. */
  readonly metrics?: Pick<Metrics, 'contentType' | 'text'>;
}

const operationsOptions = {
  port: { type: portNumber, isRequired: true },
  host: { type: nonEmptyText, default: '127.0.0.1' },
  metrics: { type: objectWith('made by metrics()', 'text') },
} satisfies OptionTable<OperationsOptions>;

export interface RunningOperations {
  readonly port: number;
  /** `http://127.0.0.1:9464` */
  readonly url: string;
  /** Closes every connection. Later calls wait for the first. */
  stop(): Promise<void>;
}

/**
 * Serves `/healthz` (does it get on?), `/readyz` (does it take records?) and `/metrics` over HTTP. It goes on when the
 * consumer has ended, to tell of it, and keeps the process alive until `stop`.
 * @throws BusbarError `port-in-use`; `invalid-option` for a port or a host that cannot be listened on
 * @example
 * const operations = await serveOperations(running, { port: 9464 });
 */
export async function serveOperations(
  running: Pick<RunningConsumer, 'health'>,
  options: OperationsOptions,
): Promise<RunningOperations> {
  const { port: wanted, host, metrics } = readOptions('serveOperations()', operationsOptions, options);
  const pages = new Map<string, Page>([
    ['/healthz', () => alive(running)],
    ['/readyz', () => ready(running)],
  ]);
  if (metrics !== undefined) pages.set('/metrics', () => exposed(metrics));

  // Nothing that is asked for here has a body or long headers.
  const limits = { maxHeaderSize: 8_192, headersTimeout: 5_000, requestTimeout: 5_000 };
  const server = createServer(limits, listener(pages));
  server.maxConnections = 100;
  await listen(server, wanted, host);
  const { port, address, family } = server.address() as AddressInfo;
  let stopping: Promise<void> | undefined;
  return {
    port,
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    stop: () => (stopping ??= close(server)),
  };
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

type Page = () => Answer | Promise<Answer>;

function alive(running: Pick<RunningConsumer, 'health'>): Answer {
  const { status, reasons } = running.health();
  return json(status === 'ok' ? 200 : 503, { status, reasons: bounded(reasons) });
}

function ready(running: Pick<RunningConsumer, 'health'>): Answer {
  const { unready } = running.health();
  const isReady = unready.length === 0;
  return json(isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', reasons: bounded(unready) });
}

async function exposed(metrics: Pick<Metrics, 'contentType' | 'text'>): Promise<Answer> {
  try {
    return { status: 200, type: metrics.contentType, body: await metrics.text() };
  } catch (error) {
    // A collector of the user's own, most likely; what it says may be anything.
    return json(500, {
      status: 'error',
      reasons: [`The metrics could not be collected: ${kindOf(error)}.`],
    });
  }
}

function listener(pages: ReadonlyMap<string, Page>): RequestListener {
  const known = [...pages.keys()].join(', ');
  return ({ method, url = '/' }, response) => {
    const page = pages.get(url.split('?', 1)[0] ?? '');
    if (page === undefined) {
      send(
        response,
        json(404, { status: 'error', reasons: [`There is nothing here. There are: ${known}.`] }),
      );
    } else if (method !== 'GET' && method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      send(response, json(405, { status: 'error', reasons: ['This can only be read: use GET or HEAD.'] }));
    } else {
      void Promise.resolve(page()).then((answer) => send(response, answer));
    }
  };
}

function send(response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    // A body that was refused is not waited for.
    ...(status === 200 || status === 503 ? {} : { connection: 'close' }),
  });
  response.end(body);
}

function json(
  status: number,
  body: { readonly status: string; readonly reasons: readonly string[] },
): Answer {
  return { status, type: 'application/json; charset=utf-8', body: `${JSON.stringify(body)}\n` };
}

const maxReasons = 20;

/** A thousand blocked partitions need not all be told to a probe. */
function bounded(reasons: readonly string[]): readonly string[] {
  if (reasons.length <= maxReasons) return reasons;
  return [...reasons.slice(0, maxReasons), `And ${reasons.length - maxReasons} more.`];
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      const message = `Another program listens on port "${port}". Choose another one; 0 takes any that is free.`;
      throw new BusbarError('port-in-use', message, { cause });
    }
    const message = `serveOperations() cannot listen on port "${port}" of host "${host}"${code === undefined ? '' : `: ${code}`}.`;
    throw new BusbarError('invalid-option', message, { cause });
  }
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
