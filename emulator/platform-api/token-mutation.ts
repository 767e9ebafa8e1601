import {
  GraphQLError,
  GraphQLInputObjectType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  parse,
} from 'graphql';
import { createHandler } from 'graphql-http';
import type { Request, RequestHandler } from 'express';
import { ApiError } from './api-error.js';
import type { Authentication } from './authentication.js';
import type { TokenMutation } from './settings.js';
import type { Tokens } from './tokens.js';

/** Longer documents than anybody needs for one mutation cost time to parse. */
const longestDocument = 1000;

/** GraphQL over HTTP with one mutation, which gives a token for an API key. The body is parsed already. */
export function tokenMutation(
  names: TokenMutation,
  authentication: Authentication,
  tokens: Tokens,
): RequestHandler {
  const text = { type: new GraphQLNonNull(GraphQLString) };
  const capital = names.mutation.charAt(0).toUpperCase() + names.mutation.slice(1);
  const input = new GraphQLInputObjectType({ name: `${capital}Input`, fields: { [names.apiKey]: text } });
  const output = new GraphQLObjectType({
    name: `${capital}Payload`,
    fields: {
      [names.token]: { ...text, description: 'For the header Authorization: Token <token>.' },
      [names.expiresAt]: { ...text, description: 'ISO 8601, wall time.' },
    },
  });
  const schema = new GraphQLSchema({
    // GraphQL asks for at least one query.
    query: new GraphQLObjectType({ name: 'Query', fields: { version: { type: GraphQLString, resolve: () => 'v1' } } }),
    mutation: new GraphQLObjectType({
      name: 'Mutation',
      fields: {
        [names.mutation]: {
          type: new GraphQLNonNull(output),
          args: { [names.argument]: { type: new GraphQLNonNull(input) } },
          resolve(_source, args: Readonly<Record<string, Readonly<Record<string, string>>>>) {
            const key = args[names.argument]?.[names.apiKey] ?? '';
            if (!authentication.isKey(key)) {
              throw new GraphQLError('The API key is not known.', { extensions: { code: 'invalid_api_key' } });
            }
            const { token, expiresAt } = tokens.issue();
            return { [names.token]: token, [names.expiresAt]: new Date(expiresAt).toISOString() };
          },
        },
      },
    }),
  });
  const handle = createHandler<Request>({
    schema,
    parse: (source, options) => parse(source, { ...options, maxTokens: longestDocument }),
  });

  return async (request, response) => {
    const { method, url } = request;
    const headers = { get: (name: string) => request.get(name) ?? null };
    const [body, { status, headers: answered }] = await handle({
      method,
      url,
      headers,
      body: request.body as Record<string, unknown>,
      raw: request,
      context: undefined,
    });
    if (status === 406) throw new ApiError(406, 'not_acceptable', 'Answers are JSON: accept application/json.');
    if (body === null) throw new ApiError(status, 'invalid_request', 'This is no GraphQL request.');
    const answer = JSON.parse(body) as { readonly errors?: readonly { readonly message: string }[] };
    if (status >= 400) throw new ApiError(400, 'invalid_graphql', answer.errors?.[0]?.message ?? 'Not valid.');
    response.status(status).set(answered ?? {}).json(answer);
  };
}
