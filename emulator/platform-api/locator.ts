import type { Request } from 'express';

/** Returns the URL of the request up to and including `/v1/`. The guard has checked its Host header. */
export function baseUrl(request: Request): string {
  return `${request.protocol}://${request.headers.host ?? 'localhost'}${request.baseUrl}/`;
}

/** Returns the absolute URL of the request, with its query. */
export function locatorOf(request: Request): URL {
  return new URL(request.originalUrl, baseUrl(request));
}
