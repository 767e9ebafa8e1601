import express, { type ErrorRequestHandler, Router } from 'express';
import type { Catalogue } from '../../catalogue/index.js';
import { BusbarError } from '../../src/errors.js';
import type { Course } from '../run/course.js';
import { scenarios } from '../scenarios/index.js';
import { pageHandler } from './page.js';
import { checkPayload } from './validation.js';

export interface DashboardOptions {
  readonly catalogue: Catalogue;
  /** What a cell goes through; undefined where it is not known, as in a replay. */
  readonly course: (cell: number) => Course | undefined;
}

/**
 * The page at the HTTP port, and what it asks the server for beside the stream: what events and scenarios there are,
 * the schema of an event, whether a payload fits it, and the course of a cell. What changes something is not here, but in
 * the control API.
 */
export function dashboard({ catalogue, course }: DashboardOptions): Router {
  const router = Router();
  // Its own paths only: a route for any path would answer OPTIONS in the name of everything behind it.
  router.get(['/', '/dashboard/assets/:file'], pageHandler());

  router.get('/dashboard/catalogue', (_request, response) => {
    response.json(catalogue.events);
  });

  router.get('/dashboard/catalogue/:name', async (request, response, next) => {
    const event = catalogue.named(request.params.name);
    if (event === undefined) next();
    else response.json(await catalogue.schema(event));
  });

  router.get('/dashboard/course/:cell', (request, response, next) => {
    const cell = Number(request.params.cell);
    const known = Number.isSafeInteger(cell) && cell >= 0 ? course(cell) : undefined;
    if (known === undefined) next();
    else response.json(known);
  });

  router.get('/dashboard/scenarios', (_request, response) => {
    response.json(scenarios.map(({ name, title, story, branches }) => ({ name, title, story, branches })));
  });

  router.post('/dashboard/validate', express.json({ limit: '4mb' }), async (request, response) => {
    response.json(await checkPayload(catalogue, request.body));
  });

  router.use('/dashboard', refused);
  return router;
}

const refused: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (error instanceof BusbarError) response.status(400).json({ error: error.code, message: error.message });
  else next(error);
};
