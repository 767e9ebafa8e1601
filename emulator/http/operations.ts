import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Request, RequestHandler, Response, Router } from 'express';
import { express } from './express.js';

/** One violation of a schema in a request. */
export type SchemaError = ErrorObject;

/** The members of an OpenAPI document that a server reads. */
export interface ApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: object } } };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, object>> }>>;
  readonly security?: readonly object[];
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: { readonly type?: string };
}

interface OperationTypes {
  /** Default: none. */
  readonly parameters?: object;
  /** Default: none. */
  readonly body?: unknown;
  readonly response: unknown;
}

/** A validated request. */
interface Call<T extends OperationTypes> {
  readonly parameters: T extends { readonly parameters: infer Parameters } ? Parameters : object;
  readonly body: T extends { readonly body: infer Body } ? Body : undefined;
  readonly request: Request;
  /** For a status other than the first in the document. */
  readonly response: Response;
}

export type Handler<T extends OperationTypes> = (call: Call<T>) => T['response'] | Promise<T['response']>;

export type Handlers<O> = { readonly [Id in keyof O]: O[Id] extends OperationTypes ? Handler<O[Id]> : never };

/** The settings in which APIs differ when they serve a document. */
export interface Serving {
  readonly validation: Options;
  /** Whether unknown query parameters are ignored. */
  readonly ignoresUnknown: boolean;
  /** Checks a body before the validation by its schema. @throws Error */
  readonly inspectBody: (body: unknown) => void;
  /** Whether the handler of an operation validates the body itself. */
  readonly leavesBody: (operation: Operation) => boolean;
  /** The maximum size of a body in bytes. */
  readonly maxBytes: number;
  /** Returns handlers to run before the body is read. */
  readonly before: (operation: Operation) => readonly RequestHandler[];
  readonly send: (response: Response, body: unknown, mediaType: string) => void;
  /** Errors for invalid requests, in the shape of the API. */
  readonly refuse: {
    readonly request: (errors: readonly SchemaError[]) => Error;
    readonly method: (allowed: string) => Error;
    readonly mediaType: () => Error;
  };
}

/**
 * Adds a route for each path of the document. Validates requests by the schemas of their operation, which are compiled
 * at the first request.
 * @throws Error for an operation without a handler, or a handler without an operation.
 */
export function addOperations(
  router: Router,
  document: ApiDocument,
  handlers: Readonly<Record<string, (call: never) => unknown>>,
  serving: Serving,
): void {
  const left = new Map(Object.entries(handlers));
  const compile = compiler(document, serving);
  for (const [path, item] of Object.entries(document.paths)) {
    const route = router.route(path.replace(/\/$/, '').replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const [method, operation] of Object.entries(item)) {
      const handler = left.get(operation.operationId);
      if (handler === undefined) throw new Error(`Operation "${operation.operationId}" has no handler.`);
      left.delete(operation.operationId);
      route[method as 'get' | 'post'](
        ...serving.before(operation),
        ...(operation.requestBody === undefined
          ? []
          : [requireJson(serving), express.json({ limit: serving.maxBytes, strict: false })]),
        responder(operation, handler as Handler<Required<OperationTypes>>, compile, serving),
      );
    }
    const allowed = Object.keys(item).flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method]));
    route.all(() => {
      throw serving.refuse.method(allowed.join(', ').toUpperCase());
    });
  }
  if (left.size > 0) throw new Error(`Handlers without an operation: ${[...left.keys()].join(', ')}.`);
}

function requireJson({ refuse }: Serving): RequestHandler {
  return (request, _response, next) => {
    const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
    next(type === 'application/json' ? undefined : refuse.mediaType());
  };
}

/** An operation's parameters, and the validator of its requests. */
interface Compiled {
  readonly known: readonly Parameter[];
  readonly validate: ValidateFunction;
}

function responder(
  operation: Operation,
  handler: Handler<Required<OperationTypes>>,
  compile: (operation: Operation) => Compiled,
  { ignoresUnknown, inspectBody, refuse, send }: Serving,
): RequestHandler {
  const [[status, { content = {} }] = ['200', {}]] = Object.entries(operation.responses);
  const [mediaType = 'application/json'] = Object.keys(content);
  return async (request, response) => {
    const { known, validate } = compile(operation);
    const parameters = parametersOf(request, known, ignoresUnknown);
    const body: unknown = operation.requestBody && (request.body === undefined ? {} : request.body);
    inspectBody(body);
    if (!validate({ parameters, body })) throw refuse.request(validate.errors ?? []);
    response.status(Number(status));
    send(response, await handler({ parameters, body, request, response }), mediaType);
  };
}

/**
 * Returns a function that compiles the requests of an operation once: servers that start later in this process share
 * it, because an API serves its operations in the same way each time.
 */
function compiler(
  { components: { schemas, parameters = {} } }: ApiDocument,
  { validation, ignoresUnknown, leavesBody }: Serving,
): (operation: Operation) => Compiled {
  let ajv: Ajv2020 | undefined;
  return (operation) => {
    const shared = compiledRequests.get(operation);
    if (shared !== undefined) return shared;
    // Tests validate the documents.
    const options = { strict: false, meta: false, validateSchema: false, verbose: true, ownProperties: true };
    ajv ??= new Ajv2020({ ...options, ...validation });
    const known = (operation.parameters ?? []).map((each) =>
      '$ref' in each ? (parameters[each.$ref.split('/').at(-1) ?? ''] as Parameter) : each,
    );
    const body = operation.requestBody?.content['application/json'].schema ?? {};
    const validate = ajv.compile({
      properties: {
        parameters: {
          properties: Object.fromEntries(known.map(({ name, schema }) => [name, schema])),
          additionalProperties: ignoresUnknown,
        },
        body: leavesBody(operation) ? {} : body,
      },
      components: { schemas },
    });
    const compiled = { known, validate };
    compiledRequests.set(operation, compiled);
    return compiled;
  };
}

const compiledRequests = new WeakMap<Operation, Compiled>();

/** Returns parameters by name, converted to the types of their schemas if possible. */
function parametersOf(request: Request, known: readonly Parameter[], ignoresUnknown: boolean): object {
  const query = new URLSearchParams(/\?(.*)$/s.exec(request.originalUrl)?.[1] ?? '');
  const values = known.flatMap(({ name, in: place, schema }): [string, unknown][] => {
    const texts =
      place === 'query'
        ? query.getAll(name)
        : [place === 'path' ? request.params[name] : request.get(name)].flat();
    const [text] = texts;
    if (text === undefined) return [];
    // A repeated parameter becomes a list, which no schema allows.
    return [[name, texts.length > 1 ? texts : valueOf(schema, text)]];
  });
  const unknown = ignoresUnknown
    ? []
    : [...query].filter(([name]) => !known.some((each) => each.name === name));
  return Object.fromEntries([...unknown, ...values]);
}

/** Reads booleans in any case, because Python writes `True`, and as 1 or 0. */
function valueOf({ type }: Parameter['schema'], text: string): unknown {
  if (type === 'integer' && /^(0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(true|false|1|0)$/i.test(text)) return /^(true|1)$/i.test(text);
  return text;
}
