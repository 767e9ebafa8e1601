import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from 'json-schema-to-typescript';
import type { JsonSchema } from '../schema.js';
import type { Outputs } from './outputs.js';
import { shortComments } from './types.js';

const source = 'catalogue/platform-api.openapi.json';

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}
interface Reference {
  readonly $ref: string;
}
type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

/**
 * `platform-api.ts`: an interface for every schema of the REST API's document, and `GetPaths`, which maps each path
 * that can be read to the parameters in its query and to what it answers.
 */
export async function generatePlatformApi(root: string): Promise<Outputs> {
  const document = JSON.parse(readFileSync(join(root, source), 'utf8')) as OpenApi;
  const { schemas, parameters } = document.components;
  const paths = Object.entries(document.paths).flatMap(([path, { get }]): [string, JsonSchema][] => {
    if (get === undefined) return [];
    const query = (get.parameters ?? [])
      .map((each) => ('$ref' in each ? (parameters[each.$ref.split('/').at(-1) ?? ''] as Parameter) : each))
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema, description }): [string, JsonSchema] => [name, { ...schema, description }]);
    const answer = get.responses['200']?.content?.['application/json']?.schema ?? {};
    const members = {
      query: { ...closed(Object.fromEntries(query)), required: [] },
      answer,
    };
    return [[path, closed(members)]];
  });
  const whole = {
    title: 'GetPaths',
    description: 'Every path that can be read, with the parameters of its query and what it answers.',
    ...closed(Object.fromEntries(paths)),
    $defs: Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, { title: name, ...schema }]),
    ),
  };
  const references = JSON.parse(
    JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/'),
  ) as Parameters<typeof compile>[0];
  const compiled = await compile(references, 'GetPaths', {
    additionalProperties: false,
    bannerComment: `// Written by \`npm run generate\` from ${source}; do not edit.`,
    style: { singleQuote: true, printWidth: 110 },
    unreachableDefinitions: true,
  });
  return new Map([['catalogue/generated/platform-api.ts', shortComments(compiled)]]);
}

function closed(properties: Readonly<Record<string, unknown>>): JsonSchema {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  } as JsonSchema;
}
