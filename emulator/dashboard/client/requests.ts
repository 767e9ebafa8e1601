import type { ActionResult } from './shell/result-text.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Sends JSON. Resolves to undefined if no response arrives whole, and to no value if its body is not JSON. */
async function exchange(method: Method, path: string, body: unknown) {
  try {
    const response = await fetch(path, {
      method,
      ...(body !== undefined && {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    return { isGood: response.ok, value: parsed(await response.text()) };
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Fetches JSON, by a POST request if there is a body. Resolves to undefined if no response arrives whole, and to no value
 * if the server refuses the request.
 */
export async function fetchJson(
  path: string,
  body?: unknown,
): Promise<{ readonly value?: unknown } | undefined> {
  const response = await exchange(body === undefined ? 'GET' : 'POST', path, body);
  return response && (response.isGood ? response : {});
}

/** Sends JSON to the control API. Resolves to its response, undefined after an error, and to a text for the user. */
export async function request<T>(
  path: string,
  body: unknown,
  describe: (received: T) => string,
  method: Method = 'POST',
): Promise<{ readonly received: T | undefined; readonly answer: ActionResult }> {
  const { isGood = false, value } = (await exchange(method, `/emulator/v1${path}`, body)) ?? {};
  if (isGood) return { received: value as T, answer: { isGood, text: describe(value as T) } };
  const { message = noResponse } = (value ?? {}) as { readonly message?: string };
  return { received: undefined, answer: { isGood, text: message } };
}

export const noResponse = 'The emulator does not respond.';
