/* eslint-disable @typescript-eslint/no-explicit-any -- responses are looked at, not typed */
import { onTestFinished } from 'vitest';
import { type EmulatorOptions, startEmulator } from '../../../emulator/index.js';
import { silentLogger } from '../../../src/base/logger.js';

interface Called {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any;
  readonly headers: Headers;
}

/** Starts an emulator on free ports, by default without a broker. Returns it with functions that call its control API. */
export async function serve(options: EmulatorOptions = {}) {
  const emulator = await startEmulator({
    kafka: false,
    http: { port: 0 },
    speed: 'instant',
    logger: silentLogger,
    ...options,
  });
  onTestFinished(() => emulator.stop());
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Called> => {
    const response = await fetch(`${emulator.url}/emulator/v1${path}`, {
      method,
      headers: {
        ...(['POST', 'PUT', 'PATCH'].includes(method) && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
  };
  /** Sends a GET, or a POST of a body. Returns the members of the response, and its status. */
  const ask = async <T>(path: string, body?: unknown): Promise<T & { readonly status: number }> => {
    const called = await call(body === undefined ? 'GET' : 'POST', path, body);
    return { ...(called.body as T), status: called.status };
  };
  return { emulator, call, ask };
}
