import { signal } from '@preact/signals';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Whether the emulator refuses this browser: each start has another access token. */
export const isRefused = signal(false);

/** Number of times that another emulator or another run has replaced the one before. */
export const restarts = signal(0);

/** Milliseconds by which the clock of this browser is ahead of the emulator's; 0 if they differ by less than two seconds. */
let clockAhead = 0;

/** Returns the present by the wall clock of the emulator, which may run in a virtual machine or on another computer. */
export function emulatorNow(): number {
  return Date.now() - clockAhead;
}

/** Sends JSON. Resolves to undefined if no response arrives whole, and to no value if its body is empty. */
export async function exchange(method: Method, path: string, body: unknown) {
  try {
    const response = await fetch(path, {
      method,
      ...(body !== undefined && {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    isRefused.value = response.status === 401;
    const ahead = Date.now() - Date.parse(response.headers.get('Date') ?? '');
    // The header has whole seconds.
    clockAhead = Math.abs(ahead) > 2_000 ? ahead : 0;
    const text = await response.text();
    return { isGood: response.ok, value: text === '' ? undefined : (JSON.parse(text) as unknown) };
  } catch {
    return undefined;
  }
}

/**
 * Fetches JSON, by a POST request if there is a body. Resolves to undefined if no JSON arrives whole, and to no value if
 * the server refuses the request.
 */
export async function fetchJson(
  path: string,
  body?: unknown,
): Promise<{ readonly value?: unknown } | undefined> {
  const response = await exchange(body === undefined ? 'GET' : 'POST', path, body);
  if (response?.isGood === false) return {};
  return response?.value === undefined ? undefined : response;
}

export const noResponse = 'The emulator does not respond.';
