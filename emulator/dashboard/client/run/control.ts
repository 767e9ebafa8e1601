import { effect, signal } from '@preact/signals';
import type { Run as RunStatus } from '../../../control-api/generated/operations.js';
import { liveFeed } from '../live/live-feed.js';
import { type Method, request, throttle } from '../requests.js';
import type { Answer } from '../shell/answer.js';
import { viewRoute } from '../view-route.js';

/** The status of the run; `undefined` until it is loaded, `none` for a replay, which cannot be controlled. */
export const status = signal<RunStatus | 'none' | undefined>(undefined);

/** The result of the last request. */
export const answer = signal<Answer | undefined>(undefined);

/** Sends a request to the control API and shows the result; `done` on success. Returns undefined after an error. */
export async function control<T>(
  path: string,
  body: unknown,
  done: string,
  method?: Method,
): Promise<T | undefined> {
  const result = await request<T>(path, body, () => done, method);
  answer.value = result.answer;
  await refresh();
  return result.received;
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
