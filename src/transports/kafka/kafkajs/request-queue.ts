import { createRequire } from 'node:module';

interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests: (this: RequestQueue) => void;
}

const require = createRequire(import.meta.url);
const patched = new WeakSet<object>();

/**
 * Stops the timer that kafkajs 2.2.4 sets every millisecond for each idle connection (tulios/kafkajs#1751). It checks
 * requests that wait; with none waiting there is nothing to check, and enqueuing one sets the timer anyway. Answers
 * whether the patch is in place: another version is left alone.
 */
export function patchRequestQueue(): boolean {
  const { version } = require('kafkajs/package.json') as { version: string };
  if (version !== '2.2.4') return false;
  const { prototype } = require('kafkajs/src/network/requestQueue') as { prototype: RequestQueue };
  if (patched.has(prototype)) return true;
  patched.add(prototype);
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function () {
    if (this.pending.length > 0) schedule.call(this);
  };
  return true;
}
