import { useEffect, useState } from 'preact/hooks';
import type { Violation } from 'busbar/catalogue';
import type { ActionResult } from './shell/result-text.js';

/** Fetches JSON. Resolves to undefined if no response arrives whole, and to no value if the server refuses the path. */
export async function fetchJson(path: string): Promise<{ readonly value?: unknown } | undefined> {
  try {
    const response = await fetch(path);
    return response.ok ? { value: await response.json() } : {};
  } catch {
    return undefined;
  }
}

/** Fetches JSON. Resolves to undefined if the server does not respond or does not have the path. */
export async function getJson<T>(path: string): Promise<T | undefined> {
  return (await fetchJson(path))?.value as T | undefined;
}

export type Method = 'POST' | 'PUT' | 'DELETE';

interface WholeResponse {
  readonly status: number;
  /** The JSON of the response; undefined for none. */
  readonly received: unknown;
}

/** Sends JSON. Resolves to undefined if no response arrives whole. */
async function sendJson(
  path: string,
  body: unknown,
  method: Method = 'POST',
): Promise<WholeResponse | undefined> {
  try {
    const response = await fetch(path, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(method !== 'DELETE' && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, received: text === '' ? undefined : JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Sends JSON to the control API. Resolves to its response, undefined after an error, and to a text for the user. */
export async function request<T>(
  path: string,
  body: unknown,
  describe: (received: T) => string,
  method?: Method,
): Promise<{ readonly received: T | undefined; readonly answer: ActionResult }> {
  const { status = 0, received } = (await sendJson(`/emulator/v1${path}`, body, method)) ?? {};
  if (status >= 200 && status < 300) {
    return { received: received as T, answer: { isGood: true, text: describe(received as T) } };
  }
  const { message = noResponse } = (received ?? {}) as { readonly message?: string };
  return { received: undefined, answer: { isGood: false, text: message } };
}

/** The violations of a payload, or the reason why it was not validated. */
export type Verdict = readonly Violation[] | string;

export async function validate(type: string, version: string, payload: unknown): Promise<Verdict> {
  const response = await sendJson('/dashboard/validate', { type, version, payload });
  if (response?.status === 400) return 'The catalogue does not have this event.';
  return (
    (response?.received as { readonly violations: readonly Violation[] } | undefined)?.violations ??
    noResponse
  );
}

const noResponse = 'The emulator does not respond.';

/**
 * Loads a value after each change of `inputs`, when they have not changed for `pause` milliseconds. Returns the last
 * loaded value; undefined before the first.
 */
export function useLoaded<T>(
  load: () => Promise<T | undefined>,
  inputs: readonly unknown[],
  pause = 0,
): T | undefined {
  const [value, setValue] = useState<T | undefined>(undefined);
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      void load().then((loaded) => {
        if (isCurrent && loaded !== undefined) setValue(() => loaded);
      });
    }, pause);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, inputs);
  return value;
}
