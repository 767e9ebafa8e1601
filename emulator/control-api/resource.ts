import type { Request, Router } from 'express';

/** What a call comes to. */
export interface Answer {
  /** Default 200. */
  readonly status?: number;
  /** Sent as JSON, or a text as it is. */
  readonly body: unknown;
  /** Where the body is a text. */
  readonly type?: string;
}

export type Handler = (request: Request) => Answer | Promise<Answer>;

/** Answers the methods of a path; for every other one a 405 says which there are. */
export function resource(
  router: Router,
  path: string,
  handlers: { readonly [Method in 'get' | 'post' | 'put' | 'patch' | 'delete']?: Handler },
): void {
  const allowed = Object.keys(handlers).map((method) => method.toUpperCase());
  router.all(path, async (request, response) => {
    const method = (
      request.method === 'HEAD' ? 'get' : request.method.toLowerCase()
    ) as keyof typeof handlers;
    const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
    if (handler === undefined) {
      const message = `There is no ${request.method} here, but ${allowed.join(', ')}.`;
      response.status(405).set('Allow', allowed.join(', ')).json({ error: 'method-not-allowed', message });
      return;
    }
    const { status = 200, body, type } = await handler(request);
    response.status(status).set('Cache-Control', 'no-store');
    if (type === undefined) response.json(body);
    else response.type(type).send(body);
  });
}
