import { createRequire } from 'node:module';

/** As much of the OpenAPI document as its server reads. */
export interface ApiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [member: string]: unknown;
}

/** The document of the REST API, as it lies in the catalogue. */
export function apiDocument(): ApiDocument {
  return createRequire(import.meta.url)('#platform-api') as ApiDocument;
}

/** The document as it is served: its server is the one that was asked for it. @param base Of the API, with `/` at its end. */
export function documentServedAt(base: string): ApiDocument {
  return { ...apiDocument(), servers: [{ url: base.replace(/\/$/, ''), description: 'The emulator.' }] };
}
