import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Logger } from '../../src/base/logger.js';
import type { Guard } from './guard.js';
import { refuse } from './refusal.js';
import type { HttpService } from './service.js';

/**
 * The outer app checks the host first and answers last what nobody else did; routes go into the inner one, whenever
 * they come.
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
      message: 'There is nothing at this path.',
      available: [
        { path: '/', about: 'What is served here.' },
        ...services.map(({ path, about }) => ({ path, about })),
      ],
    });
  };
}

function failed(logger: Logger): ErrorRequestHandler {
  // The four parameters are how express knows a handler of errors.
  return (error: unknown, request, response, next) => {
    const status = statusOf(error);
    const what = error instanceof Error ? error.stack : String(error);
    if (status === 500) logger.error(`${request.method} ${request.path} failed: ${what}`);
    if (response.headersSent) {
      next(error);
      return;
    }
    // The error's own words may quote what was sent, so they stay out of the answer.
    const told =
      status === 500
        ? { code: 'internal', message: 'The emulator could not answer; its log says why.' }
        : { code: 'bad-request', message: 'The request cannot be read.' };
    refuse(request, response, { status, ...told });
  };
}

/** Express marks what the client did wrong with a status below 500. */
function statusOf(error: unknown): number {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
}
