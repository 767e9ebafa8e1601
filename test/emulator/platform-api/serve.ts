import { onTestFinished } from 'vitest';
import { type EmulatorOptions, type HttpOptions, startEmulator } from '../../../emulator/index.js';
import { silentLogger } from '../../../src/base/logger.js';

export const apiKey = 'sk_test';

/** The emulator with its HTTP server alone, on a run that has not begun unless `run.paused` is false. */
export async function serve(options: EmulatorOptions & { readonly http?: HttpOptions } = {}) {
  const emulator = await startEmulator({
    scenario: 'house-move',
    speed: 'instant',
    kafka: false,
    logger: silentLogger,
    ...options,
    run: { paused: true, ...options.run },
    http: { port: 0, ...options.http },
    platformApi: { apiKeys: [apiKey], ...options.platformApi },
  });
  onTestFinished(() => emulator.stop());
  const base = emulator.apiUrl ?? '';

  /** A request to a path below `/v1/`, or to an absolute locator. */
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(new URL(path, base), init);
    const text = await response.text();
    const { status, headers } = response;
    return { status, headers, text, body: (text === '' ? undefined : JSON.parse(text)) as never };
  };
  /** The body of a 200. */
  const get = async <T>(path: string, headers: Record<string, string> = {}): Promise<T> => {
    const { status, text, body } = await ask(path, { headers });
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
    return body;
  };
  return {
    emulator,
    base,
    ask,
    get,
    /** Every page of a list, by following `next`. */
    async *pages<T extends { readonly next: string | null }>(path: string): AsyncGenerator<T, void, void> {
      for (let next: string | null = path; next !== null; ) {
        const page: T = await get(next);
        yield page;
        next = page.next;
      }
    },
    /** Status and error codes, as `400 invalid_request is_green:invalid_boolean`. */
    async refused(path: string, init: RequestInit = {}): Promise<string> {
      const { status, headers, body } = await ask(path, init);
      if (!(headers.get('content-type') ?? '').startsWith('application/json')) return `${status} not JSON`;
      const { code, errors } = body as { code: string; errors: { code: string; attr: string }[] };
      return [status, code, ...errors.map((each) => `${each.attr}:${each.code}`)].join(' ');
    },
  };
}

/** HTTP basic authentication. */
export function basic(user: string, password = ''): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
