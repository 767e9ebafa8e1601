import type { Router } from 'express';
import { express } from '../http/express.js';
import type { Guard } from '../http/guard.js';
import { addOperations } from '../http/operations.js';
import type { Session } from '../run/session.js';
import type { BrokerSink } from '../sinks/broker.js';
import type { WebSocketSink } from '../sinks/websocket.js';
import { checkCaller, notFoundHandler, serving } from './responses.js';
import { brokerOperations, consumedOperations } from './broker.js';
import { consumerOperations } from './consumers.js';
import { deadLetterOperations, deadLetters } from './dead-letters.js';
import { type ControlHandlers, controlDocument, documentWithoutRun } from './document.js';
import { eventOperations, inputOperations } from './events.js';
import { importSupplierOperations } from './import-suppliers.js';
import { runOperations } from './run.js';
import { worldOperations } from './world.js';

export interface ControlApiOptions {
  /** The session to control; undefined in a replay, which serves only the operations for consumers. */
  readonly session: Session | undefined;
  readonly guard: Guard;
  /** The emulator's own servers, if any. */
  readonly broker: BrokerSink | undefined;
  readonly stream: WebSocketSink | undefined;
}

/** Returns the router of the control API (`docs/reference/control-api.md`). */
export function controlApi({ session, guard, broker, stream }: ControlApiOptions): Router {
  const router = express.Router();
  router.use(checkCaller(guard));
  const document = session === undefined ? documentWithoutRun() : controlDocument;
  const letters = deadLetters(broker);
  const ofServers = {
    getDocument: () => ({ ...document }),
    ...consumerOperations({ broker, stream, letters }),
    ...deadLetterOperations(broker, letters),
    ...brokerOperations(broker),
    ...eventOperations(stream),
  };
  const ofRun =
    session &&
    ({
      ...runOperations(session),
      ...importSupplierOperations(session),
      ...worldOperations(session),
      ...inputOperations(session),
      ...consumedOperations(session, broker),
    } satisfies Omit<ControlHandlers, keyof typeof ofServers>);
  addOperations(router, document, { ...ofServers, ...ofRun }, serving);
  router.use(notFoundHandler);
  return router;
}
