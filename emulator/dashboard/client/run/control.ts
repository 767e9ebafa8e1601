import { computed } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { Run as RunStatus } from '../../../control-api/generated/operations.js';
import { exchange, type Method, noResponse } from '../requests.js';
import type { ActionResult } from '../shell/controls.js';
import { mainFeed } from '../stream/main-feed.js';

/** The status of the run; `undefined` until it is received, `none` for a replay, which cannot be controlled. */
export const status = computed<RunStatus | 'none' | undefined>(() => {
  const { value } = mainFeed.run;
  return value === undefined || value.run !== undefined ? value : 'none';
});

/** Returns a function that sends a request to the control API, the result of the last request, and a function that clears it. */
export function useControl() {
  const [answer, setAnswer] = useState<ActionResult | undefined>(undefined);
  /** Resolves to undefined after an error. `done` describes the success to the user. */
  const control = async <T>(
    path: string,
    body: unknown,
    done: string | ((received: T) => string),
    method: Method = 'POST',
  ): Promise<T | undefined> => {
    const { isGood = false, value } = (await exchange(method, `/emulator/v1${path}`, body)) ?? {};
    const { message = noResponse } = (value ?? {}) as { readonly message?: string };
    if (!isGood) {
      setAnswer({ isGood, text: message });
      return undefined;
    }
    setAnswer({ isGood, text: typeof done === 'string' ? done : done(value as T) });
    return value as T;
  };
  return { answer, control, clear: () => setAnswer(undefined) };
}
