import type { Request } from 'express';

/** The address that the server is asked for by, up to and including `/v1/`. Its Host header has been checked. */
export function baseUrl(request: Request): string {
  return `${request.protocol}://${request.headers.host ?? 'localhost'}${request.baseUrl}/`;
}

/** The absolute address of the request, with its query. */
export function locatorOf(request: Request): URL {
  return new URL(request.originalUrl, baseUrl(request));
}

/** A part of the path that the route gives a name to. */
export function pathParameter(request: Request, name: string): string {
  return String(request.params[name]);
}
