import { json, Router } from 'express';
import type { Guard } from '../http/guard.js';
import type { Session } from '../run/session.js';
import type { BrokerSink } from '../sinks/broker.js';
import type { WebSocketSink } from '../sinks/websocket.js';
import { answerErrors, checkCaller, nothingHere, requireJson } from './answers.js';
import { clockResource } from './clock.js';
import { consumersResource } from './consumers.js';
import { deadLettersResource } from './dead-letters.js';
import { eventsResource } from './events.js';
import { faultsResource } from './faults.js';
import { importSuppliersResource } from './import-suppliers.js';
import { controlDocument } from './openapi.js';
import { resource } from './resource.js';
import { runResource } from './run.js';
import { samplesResource } from './samples.js';
import { triggerResource } from './trigger.js';
import { worldResource } from './world.js';

export interface ControlApiOptions {
  /** Undefined where nothing can be steered, as in a replay: then only consumers can be looked after. */
  readonly session: Session | undefined;
  readonly guard: Guard;
  /** The emulator's own servers, as far as there are any. */
  readonly broker: BrokerSink | undefined;
  readonly stream: WebSocketSink | undefined;
}

/** Beyond this a body is refused: a payload, or the data of an import, is far smaller. */
const longestBody = '1mb';

/** What steers the emulator over HTTP. `docs/control-api.md` describes it. */
export function controlApi({ session, guard, broker, stream }: ControlApiOptions): Router {
  const router = Router();
  router.use(checkCaller(guard), requireJson, json({ limit: longestBody, strict: true }));
  resource(router, '/openapi.json', { get: () => ({ body: controlDocument }) });
  consumersResource(router, { broker, stream });
  deadLettersResource(router, broker);
  if (session !== undefined) {
    resource(router, '/health', {
      get: () => ({
        body: { status: session.run.state === 'failed' ? 'failed' : 'ok', run: session.generation },
      }),
    });
    for (const add of [
      runResource,
      clockResource,
      samplesResource,
      triggerResource,
      faultsResource,
      importSuppliersResource,
      worldResource,
      eventsResource,
    ]) {
      add(router, session);
    }
  }
  router.use(nothingHere, answerErrors);
  return router;
}
