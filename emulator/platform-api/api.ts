import type { RequestHandler } from 'express';
import type { Clock, Logger } from 'busbar/base';
import type { Session } from '../run/session.js';
import { express } from '../http/express.js';
import { addOperations, type Operation } from '../http/operations.js';
import { readAccount } from './account-route.js';
import { createResponses, maxBytes } from './responses.js';
import { ApiError, invalidRequest, notFound } from './api-error.js';
import { createAuthentication } from './authentication.js';
import { dataImport } from './data-import/routes.js';
import { apiFaults } from './api-faults.js';
import { apiDocument, documentServedAt, type PlatformHandlers } from './document.js';
import { baseUrl } from './locator.js';
import { listProducts, readProduct } from './product-routes.js';
import { parameterFormats, requestProblem } from './request-problem.js';
import type { PlatformApiSettings } from './settings.js';
import { tokenMutation } from './token-mutation.js';
import { createTokens } from './tokens.js';
import { listUnitRates } from './unit-rate-route.js';
import type { WorldView } from './world-view.js';

export interface PlatformApi {
  readonly settings: PlatformApiSettings;
  readonly world: WorldView;
  /** The session that receives data imports; undefined for a run without input. */
  readonly session: (() => Session) | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Returns the handler of the platform's REST API, for the path `/v1`: all paths of `catalogue/platform-api.openapi.json`,
 * with and without a slash at the end. All responses are JSON, also errors.
 */
export function platformApi({ settings, world, session, clock, logger }: PlatformApi): RequestHandler {
  const responses = createResponses(settings, logger);
  const tokens = createTokens(clock);
  const authentication = createAuthentication(settings.apiKeys, tokens);
  const handlers: PlatformHandlers = {
    listProducts: listProducts(world, responses),
    readProduct: readProduct(world),
    listStandardUnitRates: listUnitRates(world),
    readAccount: readAccount(world),
    obtainToken: tokenMutation(settings.tokenMutation, authentication, tokens),
    ...dataImport({ session, strict: settings.strictRequests, logger }),
    readOpenApi: ({ request }) => documentServedAt(baseUrl(request)),
  };

  const router = express.Router({ caseSensitive: true });
  for (const fault of apiFaults(settings, world.seed(), clock)) router.use(fault);
  addOperations(router, apiDocument(), handlers, {
    validation: { allErrors: true, formats: parameterFormats },
    ignoresUnknown: true,
    inspectBody: () => undefined,
    leavesBody: isDataImport,
    maxBytes,
    before: (operation) =>
      operation.security === undefined ? [] : [authentication.require({ bare: !isDataImport(operation) })],
    send: responses.send,
    refuse: {
      request: (errors) => invalidRequest(errors.map(requestProblem)),
      method: (allowed) =>
        new ApiError(405, 'method_not_allowed', `This path allows ${allowed}.`, {
          headers: { Allow: allowed },
        }),
      mediaType: () =>
        new ApiError(415, 'unsupported_media_type', 'Send JSON, with Content-Type: application/json.'),
    },
  });
  router.use(() => {
    throw notFound();
  }, responses.failed);
  return express().disable('x-powered-by').disable('etag').set('query parser', false).use(router);
}

/** Whether an operation validates its body itself, to report schema problems and others at once. */
function isDataImport({ tags }: Operation): boolean {
  return tags.includes('data-import');
}
