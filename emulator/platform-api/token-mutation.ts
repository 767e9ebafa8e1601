import {
  execute,
  GraphQLError,
  GraphQLInputObjectType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  parse,
  validate,
} from 'graphql';
import type { RequestHandler } from 'express';
import type { Answers } from './answers.js';
import { invalidRequest, type Problem } from './api-error.js';
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
  answers: Answers,
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
    query: new GraphQLObjectType({
      name: 'Query',
      fields: { version: { type: GraphQLString, resolve: () => 'v1' } },
    }),
    mutation: new GraphQLObjectType({
      name: 'Mutation',
      fields: {
        [names.mutation]: {
          type: new GraphQLNonNull(output),
          args: { [names.argument]: { type: new GraphQLNonNull(input) } },
          resolve(_source, args: Readonly<Record<string, Readonly<Record<string, string>>>>) {
            const key = args[names.argument]?.[names.apiKey] ?? '';
            if (!authentication.isKey(key)) {
              throw new GraphQLError('The API key is not known.', {
                extensions: { code: 'invalid_api_key' },
              });
            }
            const { token, expiresAt } = tokens.issue();
            return { [names.token]: token, [names.expiresAt]: new Date(expiresAt).toISOString() };
          },
        },
      },
    }),
  });
  return async (request, response) => {
    const { query, operationName, variables } = readRequest(request.body);
    answers.send(response, await answer(schema, query, operationName, variables));
  };
}

/** What a GraphQL request answers: what is wrong with its document is an answer too (GraphQL over HTTP). */
async function answer(
  schema: GraphQLSchema,
  query: string,
  operationName: string | undefined,
  variableValues: Readonly<Record<string, unknown>>,
) {
  try {
    const document = parse(query, { maxTokens: longestDocument });
    const errors = validate(schema, document);
    if (errors.length > 0) return { errors };
    return await execute({ schema, document, variableValues, operationName });
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}

/** @throws ApiError 400 for a body that is no GraphQL request. */
function readRequest(body: unknown) {
  const { query, operationName, variables } = isObject(body) ? body : {};
  const problems: Problem[] = [];
  if (typeof query !== 'string') {
    problems.push({
      detail: 'Must be a GraphQL document.',
      code: query === undefined ? 'required' : 'invalid_type',
      attr: 'query',
    });
  }
  if (typeof (operationName ?? '') !== 'string') {
    problems.push({ detail: 'Must be text.', code: 'invalid_type', attr: 'operationName' });
  }
  if (!isObject(variables ?? {})) {
    problems.push({ detail: 'Must be an object.', code: 'invalid_type', attr: 'variables' });
  }
  if (problems.length > 0) throw invalidRequest(problems);
  return {
    query: query as string,
    operationName: (operationName ?? undefined) as string | undefined,
    variables: (variables ?? {}) as Readonly<Record<string, unknown>>,
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
