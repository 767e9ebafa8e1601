import { json, Router } from 'express';
import type { Guard } from '../http/guard.js';
import type { Session } from '../run/session.js';
import { answerErrors, checkCaller, nothingHere, requireJson } from './answers.js';
import { clockResource } from './clock.js';
import { eventsResource } from './events.js';
import { faultsResource } from './faults.js';
import { importSuppliersResource } from './import-suppliers.js';
import { controlDocument } from './openapi.js';
import { resource } from './resource.js';
import { runResource } from './run.js';
import { triggerResource } from './trigger.js';
import { worldResource } from './world.js';

/** Beyond this a body is refused: a payload, or the data of an import, is far smaller. */
const longestBody = '1mb';

/** What steers the emulator over HTTP. `docs/control-api.md` describes it. */
export function controlApi(session: Session, guard: Guard): Router {
  const router = Router();
  router.use(checkCaller(guard), requireJson, json({ limit: longestBody, strict: true }));
  resource(router, '/openapi.json', { get: () => ({ body: controlDocument }) });
  resource(router, '/health', {
    get: () => ({
      body: { status: session.run.state === 'failed' ? 'failed' : 'ok', run: session.generation },
    }),
  });
  for (const add of [
    runResource,
    clockResource,
    triggerResource,
    faultsResource,
    importSuppliersResource,
    worldResource,
    eventsResource,
  ]) {
    add(router, session);
  }
  router.use(nothingHere, answerErrors);
  return router;
}
