import { setMaxListeners } from 'node:events';

/** Returns a controller whose signal many may listen to at a time: not a leak, of which Node would warn. */
export function manyListeners(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
