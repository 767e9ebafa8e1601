import express, { type ErrorRequestHandler, Router } from 'express';
import type { Catalogue } from '../../catalogue/index.js';
import { BusbarError } from '../../src/base/errors.js';
import type { WorldView } from '../platform-api/world-view.js';
import { courseOf } from '../run/course.js';
import { fileOf } from '../run/load-scenario.js';
import { knowsCell, type PlanOptions } from '../run/plan.js';
import type { PlatformScenario } from '../scenarios/define.js';
import { accountStory } from './account-story.js';
import { accountSchema } from './account-schema.js';
import { pageHandler } from './page.js';
import { checkPayload } from './validation.js';

export interface DashboardOptions {
  readonly catalogue: Catalogue;
  readonly world: WorldView;
  /** What the run is played from; undefined where that is not known, as of some recordings. */
  readonly plan: () => PlanOptions | undefined;
  /** What can be started. */
  readonly scenarios: () => readonly PlatformScenario[];
}

/**
 * The page at the HTTP port, and what it asks the server for beside the stream: what events and scenarios there are,
 * the schema of an event, whether a payload fits it, the course of a cell, and the account as REST shows it. What changes something is not here, but in
 * the control API.
 */
export function dashboard({ catalogue, world, plan, scenarios }: DashboardOptions): Router {
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
    const played = plan();
    const isKnown = Number.isSafeInteger(cell) && played !== undefined && knowsCell(played, cell);
    if (isKnown) response.json(courseOf(played, cell, world.now()));
    else next();
  });

  router.get('/dashboard/account-schema', (_request, response) => {
    response.json(accountSchema());
  });

  router.get('/dashboard/account/:number', (request, response, next) => {
    const at = instantIn(request.query['at']);
    const played = plan();
    const isKnown = at !== false && played !== undefined;
    const story = isKnown ? accountStory(request.params.number, at, { world, plan: played }) : undefined;
    if (story === undefined) next();
    else response.json(story);
  });

  router.get('/dashboard/scenarios', (_request, response) => {
    response.json(
      scenarios().map((scenario) => {
        const { name, title, story, branches } = scenario;
        return { name, title, story, branches, file: fileOf(scenario) };
      }),
    );
  });

  router.post('/dashboard/validate', express.json({ limit: '4mb' }), async (request, response) => {
    response.json(await checkPayload(catalogue, request.body));
  });

  router.use('/dashboard', refused);
  return router;
}

/** Milliseconds since the epoch, nothing, or false for what is neither. */
function instantIn(text: unknown): number | undefined | false {
  if (text === undefined) return undefined;
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : false;
}

const refused: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (error instanceof BusbarError) response.status(400).json({ error: error.code, message: error.message });
  else next(error);
};
