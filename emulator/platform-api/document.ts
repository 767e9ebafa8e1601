import { createRequire } from 'node:module';
import type { platformApi } from 'busbar/catalogue';
import type { ApiDocument, Handler, Handlers } from '../http/operations.js';

export type PlatformHandlers = Handlers<platformApi.Operations>;
export type PlatformHandler<Id extends keyof platformApi.Operations> = Handler<platformApi.Operations[Id]>;

export function apiDocument(): ApiDocument {
  return createRequire(import.meta.url)('busbar/platform-api.openapi.json') as ApiDocument;
}

/** Returns the document with the URL of this server. @param base The URL of the API, with a slash at the end. */
export function documentServedAt(base: string) {
  return { ...apiDocument(), servers: [{ url: base.replace(/\/$/, ''), description: 'The emulator.' }] };
}
