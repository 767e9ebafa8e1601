import { effect, signal } from '@preact/signals';
import type { Run as RunStatus } from '../../../control-api/generated/operations.js';
import { liveFeed } from '../live/live-feed.js';
import { noResponse, sendJson, throttle } from '../requests.js';
import { viewRoute } from '../view-route.js';

/** The status of the run; `undefined` until it is loaded, `none` for a replay, which cannot be controlled. */
export const status = signal<RunStatus | 'none' | undefined>(undefined);

/** The result of the last request, as text for the user. */
export const answer = signal<{ readonly isGood: boolean; readonly text: string } | undefined>(undefined);

/** Sends a request to the control API and shows the result; `done` on success. Returns undefined after an error. */
export async function control<T>(
  path: string,
  body: unknown,
  done: string,
  method: 'POST' | 'PUT' | 'DELETE' = 'POST',
): Promise<T | undefined> {
  const response = await sendJson(`/emulator/v1${path}`, body, method);
  const received = (await response?.json().catch(() => undefined)) as
    | { readonly message?: string }
    | undefined;
  const isGood = response?.ok === true;
  answer.value = { isGood, text: isGood ? done : (received?.message ?? noResponse) };
  await refresh();
  return isGood ? (received as T) : undefined;
}

// At most every 100 ms: events arrive faster than a user reads their number.
const refresh = throttle(async () => {
  const response = await fetch('/emulator/v1/run').catch(() => undefined);
  if (response?.ok === true) status.value = (await response.json()) as RunStatus;
  else if (response?.status === 404) status.value = 'none';
}, 100);

effect(() => {
  if (!['run', 'compose'].includes(viewRoute.value.view)) return;
  liveFeed.value.follow();
  void refresh();
});
