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
import type { platformApi } from 'busbar/catalogue';
import type { Authentication } from './authentication.js';
import type { PlatformHandler } from './document.js';
import type { TokenMutation } from './settings.js';
import type { Tokens } from './tokens.js';

/** The maximum tokens of a document, since long ones take time to parse. One mutation needs fewer. */
const maxTokens = 1000;

/** Returns the handler of GraphQL over HTTP, with one mutation, which returns a token for an API key. */
export function tokenMutation(
  names: TokenMutation,
  authentication: Authentication,
  tokens: Tokens,
): PlatformHandler<'obtainToken'> {
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
    // GraphQL requires at least one query.
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
              throw new GraphQLError('The API key is unknown.', {
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
  return ({ body: { query, operationName, variables } }) =>
    executeRequest(schema, query, operationName ?? undefined, { ...variables });
}

/** Executes a GraphQL request. Errors of its document are part of the result (GraphQL over HTTP). */
async function executeRequest(
  schema: GraphQLSchema,
  query: string,
  operationName: string | undefined,
  variableValues: Readonly<Record<string, unknown>>,
): Promise<platformApi.GraphqlResponse> {
  try {
    const document = parse(query, { maxTokens });
    const invalid = validate(schema, document);
    if (invalid.length > 0) return { errors: invalid.map(errorBody) };
    const { errors, data } = await execute({ schema, document, variableValues, operationName });
    return { ...(errors && { errors: errors.map(errorBody) }), ...(data !== undefined && { data }) };
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [errorBody(error)] };
    throw error;
  }
}

function errorBody(error: GraphQLError) {
  return { ...error.toJSON() };
}
