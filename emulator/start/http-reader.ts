import { Agent, type IncomingMessage, request, type RequestOptions } from 'node:http';
import { BusbarError } from 'busbar/base';
import type { platformApi } from 'busbar/catalogue';
import type { Sink } from '../run/sink.js';
import type { Emulator } from './start-emulator.js';

export type HttpReader = ReturnType<typeof httpReader>;

/** Path of the ground truth in the control API. */
export const world = '/emulator/v1/world';

export interface Page<T> {
  readonly results: readonly T[];
  /** Whether there are further pages. */
  readonly isCut: boolean;
}

/** Returns functions that read the HTTP APIs of an emulator. */
export function httpReader({ url, apiKeys: [key = ''] }: Emulator) {
  const agent = new Agent({ keepAlive: true });
  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;

  /** Returns undefined for what does not exist. */
  async function find<T>(
    path: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<T | undefined> {
    const options = { agent, headers: { authorization, ...headers } };
    const { status, body } = await get(new URL(path, url), options);
    if (status === 200) return JSON.parse(body) as T;
    if (status === 404) return undefined;
    throw new BusbarError('invalid-option', `${path} returned ${status}.`);
  }

  async function read<T>(path: string): Promise<T> {
    const found = await find<T>(path);
    if (found !== undefined) return found;
    throw new BusbarError('invalid-option', `${path} returned 404.`);
  }

  /** @param pages Maximum number of pages. Default all. */
  async function list<T>(path: string, pages = Infinity): Promise<Page<T>> {
    const results: T[] = [];
    let next: string | null = path;
    for (; next !== null && pages > 0; pages--) {
      const page: { readonly results: readonly T[]; readonly next: string | null } = await read(next);
      results.push(...page.results);
      next = page.next;
    }
    return { results, isCut: next !== null };
  }

  /** Returns the products by code. */
  async function products(): Promise<ReadonlyMap<string, platformApi.Product>> {
    const { results } = await list<platformApi.Product>('/v1/products/?page_size=100');
    return new Map(results.map((product) => [product.code, product]));
  }

  return { find, read, list, products };
}

export function productCodeOf(tariff: string): string {
  return /^[EG]-[12]R-(.+)-[A-P]$/.exec(tariff)?.[1] ?? '';
}

/** Reads something about each item, eight at a time, and returns it in their order. */
export async function* inTurns<Item, Read>(
  items: readonly Item[],
  read: (item: Item) => Promise<Read>,
): AsyncGenerator<Read, void, void> {
  for (let nth = 0; nth < items.length; nth += 8)
    yield* await Promise.all(items.slice(nth, nth + 8).map(read));
}

/** Returns a sink that passes events to a function. */
export function watching(write: Sink['write']): Sink {
  return { name: 'watch', write, end: () => undefined, close: () => Promise.resolve() };
}

interface Reply {
  readonly status: number;
  readonly body: string;
}

/** Asks again once: a server may close an idle connection as the request is sent (RFC 9110, section 9.2.2). */
async function get(url: URL, options: RequestOptions): Promise<Reply> {
  try {
    return await ask(url, options).catch(() => ask(url, options));
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new BusbarError('connection-failed', `${url.pathname} cannot be read: ${code}.`, { cause: error });
  }
}

/** Takes half of the processor time of `fetch`. */
function ask(url: URL, options: RequestOptions): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const receive = (response: IncomingMessage) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      response.on('error', reject);
    };
    request(url, options, receive).on('error', reject).end();
  });
}
