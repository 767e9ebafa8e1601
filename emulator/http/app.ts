import type { ErrorRequestHandler, Express, RequestHandler } from 'express';
import type { Logger } from 'busbar/base';
import { express } from './express.js';
import type { Guard } from './guard.js';
import { logRequestFailure, type Refusal, refusalOf, refuse } from './refusal.js';
import type { HttpService } from './service.js';

/**
 * Returns the outer app, which checks the host first and responds last if no route has, and the inner app, to which
 * routes can be added at any time.
 */
export function createApp(
  guard: Guard,
  services: readonly HttpService[],
  logger: Logger,
  checkAccess?: RequestHandler,
): { outer: Express; app: Express } {
  const outer = express().disable('x-powered-by');
  const app = express().disable('x-powered-by');
  outer.use(checkHost(guard));
  if (checkAccess !== undefined) outer.use(checkAccess);
  outer.use(app);
  for (const { path, routes } of services) if (routes !== undefined) outer.use(path, routes);
  for (const service of services) if (service.upgrade !== undefined) outer.all(service.path, askToUpgrade);
  outer.get('/', frontPage(services));
  outer.use(notFound(services), failed(logger));
  return { outer, app };
}

function checkHost(guard: Guard): RequestHandler {
  return (request, response, next) => {
    const refusal = guard.refuseHost(request);
    if (refusal === undefined) next();
    else refuse(request, response, refusal);
  };
}

const askToUpgrade: RequestHandler = (request, response) => {
  response
    .status(426)
    .set('Upgrade', 'websocket')
    .type('text')
    .send(`${request.path} is a WebSocket: connect to ws://${request.headers.host}${request.path}\n`);
};

function frontPage(services: readonly HttpService[]): RequestHandler {
  const lines = services.map(({ path, about }) => `${path}\n    ${about}\n`);
  return (_request, response) => {
    response.type('text').send(`Busbar emulator\n\n${lines.join('\n')}`);
  };
}

function notFound(services: readonly HttpService[]): RequestHandler {
  return (_request, response) => {
    response.status(404).json({
      error: 'not-found',
      message: 'This path does not exist.',
      available: [
        { path: '/', about: 'the list of services' },
        ...services.map(({ path, about }) => ({ path, about })),
      ],
    });
  };
}

function failed(logger: Logger): ErrorRequestHandler {
  // Express recognizes an error handler by its four parameters.
  return (error: unknown, request, response, next) => {
    const refusal = refusalOf(error);
    if (refusal === undefined) logRequestFailure(logger, request.method, request.path, error);
    if (response.headersSent) next(error);
    else refuse(request, response, refusal ?? internal);
  };
}

const internal: Refusal = {
  status: 500,
  code: 'internal',
  message: 'The emulator could not respond. Its log has the reason.',
};
