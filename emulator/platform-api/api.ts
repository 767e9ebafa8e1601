import express, { type RequestHandler, Router } from 'express';
import type { Clock } from '../../src/base/clock.js';
import type { Logger } from '../../src/base/logger.js';
import { readAccount } from './account-route.js';
import { createAnswers } from './answers.js';
import { ApiError, notFound } from './api-error.js';
import { createAuthentication } from './authentication.js';
import type { ImportSession } from './data-import/imports.js';
import { dataImport } from './data-import/routes.js';
import { disturbances } from './disturbances.js';
import { apiDocument, documentServedAt } from './document.js';
import { baseUrl } from './locator.js';
import { listProducts, readProduct } from './product-routes.js';
import { productsOf } from './products.js';
import { jsonBody } from './request-body.js';
import type { PlatformApiSettings } from './settings.js';
import { tokenMutation } from './token-mutation.js';
import { createTokens } from './tokens.js';
import { listUnitRates } from './unit-rate-route.js';
import type { WorldView } from './world-view.js';

export interface PlatformApi {
  readonly settings: PlatformApiSettings;
  readonly world: WorldView;
  /** What data-import requests come into; undefined where nothing can. */
  readonly session: (() => ImportSession) | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The platform's REST API, to be mounted at `/v1`: every path of `catalogue/platform-api.openapi.json`, with and
 * without a slash at its end. Whatever it answers is JSON, errors included.
 */
export function platformApi({ settings, world, session, clock, logger }: PlatformApi): RequestHandler {
  const answers = createAnswers(settings, logger);
  const products = productsOf(settings.products, world);
  const tokens = createTokens(clock);
  const authentication = createAuthentication(settings.apiKeys, tokens);
  const imports = dataImport({ session, products, answers, strict: settings.strictRequests });
  const importer = authentication.require({ bare: false });

  /** What answers each operation, by its id in the document. */
  const operations: Readonly<Record<string, readonly RequestHandler[]>> = {
    listProducts: [listProducts(products, answers)],
    readProduct: [readProduct(products, answers)],
    listStandardUnitRates: [listUnitRates(products, world, answers)],
    readAccount: [authentication.require({ bare: true }), readAccount(world, answers)],
    obtainToken: [...jsonBody(), tokenMutation(settings.tokenMutation, authentication, tokens, answers)],
    ...handledBy(imports.write, (handler) => [importer, ...jsonBody(), handler]),
    ...handledBy(imports.read, (handler) => [importer, handler]),
    readOpenApi: [(request, response) => answers.send(response, documentServedAt(baseUrl(request)))],
  };

  const router = Router({ caseSensitive: true });
  for (const disturbance of disturbances(settings, world.seed(), clock)) router.use(disturbance);
  for (const [path, item] of Object.entries(apiDocument().paths)) {
    const route = router.route(path.replace(/\/$/, '').replaceAll(/\{(\w+)\}/g, ':$1'));
    const methods = Object.keys(item);
    for (const method of methods) {
      const { operationId } = item[method] as { operationId: string };
      route[method as 'get' | 'post'](...(operations[operationId] ?? []));
    }
    route.all(notAllowed(methods));
  }
  router.use(() => {
    throw notFound();
  }, answers.failed);
  return express().disable('x-powered-by').disable('etag').set('query parser', false).use(router);
}

function notAllowed(methods: readonly string[]): RequestHandler {
  const allowed = methods
    .flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
    .join(', ');
  return () => {
    const headers = { Allow: allowed };
    throw new ApiError(405, 'method_not_allowed', `This path takes ${allowed}.`, { headers });
  };
}

function handledBy(
  handlers: Readonly<Record<string, RequestHandler>>,
  chain: (handler: RequestHandler) => readonly RequestHandler[],
): Readonly<Record<string, readonly RequestHandler[]>> {
  return Object.fromEntries(Object.entries(handlers).map(([id, handler]) => [id, chain(handler)]));
}
