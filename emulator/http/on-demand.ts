import type { RequestListener } from 'node:http';
import type { RequestHandler } from 'express';
import { once } from '../../src/base/once.js';

/** Routes that are loaded when they are first asked for: a run begins no later for what nobody may look at. */
export function onDemand(load: () => Promise<RequestHandler>): RequestHandler {
  const routes = once(load);
  // Express hears of a promise that is rejected.
  return async (request, response, next) => (await routes())(request, response, next);
}

/** The same for all that a server answers. `failed` hears of what could not be loaded; the request is cut off. */
export function listeningOnDemand(
  load: () => Promise<RequestListener>,
  failed: (error: unknown) => void,
): RequestListener {
  const listener = once(load);
  return (request, response) => {
    listener().then(
      (answer) => answer(request, response),
      (error: unknown) => {
        failed(error);
        response.destroy();
      },
    );
  };
}
