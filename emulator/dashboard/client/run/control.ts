import { effect, signal } from '@preact/signals';
import { liveFeed } from '../live/live-feed.js';
import { place } from '../place.js';

/** What the control API says of the present run. */
export interface RunStatus {
  readonly state: 'waiting' | 'running' | 'paused' | 'idle' | 'ended' | 'stopped' | 'failed';
  /** Virtual, RFC 3339. */
  readonly now: string;
  readonly seed: number;
  /** Either of both. */
  readonly speed?: number | 'instant' | 'story';
  readonly rate?: number;
  readonly scenarios: readonly string[];
  readonly events: number;
  readonly inputs: number;
  readonly by_fault: Readonly<Record<string, number>>;
}

/** `undefined` until it is known; `none` where nothing can be steered, as in a replay. */
export const status = signal<RunStatus | 'none' | undefined>(undefined);

/** What the emulator said to the last thing that was asked of it. */
export const answer = signal<{ readonly isGood: boolean; readonly text: string } | undefined>(undefined);

/** Asks the control API for something, and tells how it went. Undefined when it was refused. */
export async function control<T>(
  path: string,
  body: unknown,
  done: string,
  method: 'POST' | 'PUT' | 'DELETE' = 'POST',
): Promise<T | undefined> {
  const response = await fetch(`/emulator/v1${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(method !== 'DELETE' && { body: JSON.stringify(body) }),
  }).catch(() => undefined);
  const said = (await response?.json().catch(() => undefined)) as { readonly message?: string } | undefined;
  const isGood = response?.ok === true;
  answer.value = { isGood, text: isGood ? done : (said?.message ?? 'The emulator does not answer.') };
  await refresh();
  return isGood ? (said as T) : undefined;
}

let isAsking = false;
let isStale = false;

/** Reads the status again; once more at the end if it was asked for meanwhile. */
export async function refresh(): Promise<void> {
  isStale = true;
  if (isAsking) return;
  isAsking = true;
  while (isStale) {
    isStale = false;
    const response = await fetch('/emulator/v1/run').catch(() => undefined);
    if (response?.ok === true) status.value = (await response.json()) as RunStatus;
    else if (response?.status === 404) status.value = 'none';
    // Events come faster than anybody reads their number.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  isAsking = false;
}

effect(() => {
  if (!['run', 'compose'].includes(place.value.view)) return;
  liveFeed.value.follow();
  void refresh();
});
