import type { RequestListener } from 'node:http';
import type { RequestHandler } from 'express';

/** Routes that are loaded when they are first asked for: a run begins no later for what nobody may look at. */
export function onDemand(load: () => Promise<RequestHandler>): RequestHandler {
  const routes = loadedOnce(load);
  return (request, response, next) => {
    if (routes.loaded !== undefined) routes.loaded(request, response, next);
    else void routes.load().then((loaded) => loaded(request, response, next), next);
  };
}

/** The same for all that a server answers. `failed` hears of what could not be loaded; the request is cut off. */
export function listeningOnDemand(
  load: () => Promise<RequestListener>,
  failed: (error: unknown) => void,
): RequestListener {
  const listener = loadedOnce(load);
  return (request, response) => {
    if (listener.loaded !== undefined) {
      listener.loaded(request, response);
      return;
    }
    listener.load().then(
      (loaded) => loaded(request, response),
      (error: unknown) => {
        failed(error);
        response.destroy();
      },
    );
  };
}

function loadedOnce<T>(load: () => Promise<T>) {
  let loading: Promise<T> | undefined;
  const state = {
    loaded: undefined as T | undefined,
    load: () => (loading ??= load().then((loaded) => (state.loaded = loaded))),
  };
  return state;
}
