import { BusbarError } from 'busbar/base';
import type { Emulator } from './start-emulator.js';

export type HttpReader = ReturnType<typeof httpReader>;

export interface Page<T> {
  readonly results: readonly T[];
  /** Whether there are further pages. */
  readonly isCut: boolean;
}

/** Returns functions that read the HTTP APIs of an emulator. */
export function httpReader({ url, apiKeys: [key = ''] }: Emulator) {
  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;

  /** Returns undefined for what does not exist. */
  async function find<T>(
    path: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<T | undefined> {
    const response = await get(new URL(path, url), { authorization, ...headers });
    const body = (await response.json()) as T;
    if (response.ok) return body;
    if (response.status === 404) return undefined;
    throw new BusbarError('invalid-option', `${path} returned ${response.status}.`);
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

  return { find, read, list };
}

/** Asks again once: a server may close an idle connection as the request is sent (RFC 9110, section 9.2.2). */
async function get(url: URL, headers: Readonly<Record<string, string>>): Promise<Response> {
  try {
    return await fetch(url, { headers }).catch(() => fetch(url, { headers }));
  } catch (error) {
    const { code = 'unknown error' } = Object((error as Error).cause) as NodeJS.ErrnoException;
    throw new BusbarError('connection-failed', `${url.pathname} cannot be read: ${code}.`, { cause: error });
  }
}
