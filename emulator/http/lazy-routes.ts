import type { RequestListener } from 'node:http';
import type { RequestHandler } from 'express';
import { once } from 'busbar/base';

/** Returns routes that are loaded at the first request, so that a run starts without them. */
export function lazyRoutes(load: () => Promise<RequestHandler>): RequestHandler {
  const routes = once(load);
  // Express handles a rejected promise.
  return async (request, response, next) => (await routes())(request, response, next);
}

/** Returns a listener that is loaded at the first request. If that fails, calls `failed` and closes the connection. */
export function lazyListener(
  load: () => Promise<RequestListener>,
  failed: (error: unknown) => void,
): RequestListener {
  const listener = once(load);
  return (request, response) => {
    listener().then(
      (respond) => respond(request, response),
      (error: unknown) => {
        failed(error);
        response.destroy();
      },
    );
  };
}
