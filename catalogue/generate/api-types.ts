import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import type { JsonSchema } from '../schema.js';
import { mapObjects } from './map-objects.js';
import type { Outputs } from './outputs.js';
import { closed, typesOf } from './types.js';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
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
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
}

const platformApi = 'catalogue/platform-api.openapi.json';
const controlApi = 'emulator/control-api/control-api.openapi.yaml';

/**
 * Generates the types of both APIs: an interface for every schema, and `Operations`, which maps each operation to its
 * parameters, body and response. The platform API also has `GetPaths`, by path, for clients. The document of the control API
 * becomes JSON, which its server loads.
 */
export async function generateApiTypes(root: string): Promise<Outputs> {
  // JSON is YAML, too.
  const read = (source: string) => load(readFileSync(join(root, source), 'utf8')) as OpenApi;
  const [platform, control] = [read(platformApi), withResponses(read(controlApi))];
  return new Map([
    [
      'catalogue/generated/platform-api.ts',
      await compiled(platformApi, platform, pathsOf(platform), { Operations: operationsOf(platform) }),
    ],
    ['emulator/control-api/generated/openapi.json', `${JSON.stringify(control)}\n`],
    [
      'emulator/control-api/generated/operations.ts',
      // The emulator's own code alone uses these types, and the document describes them.
      (await compiled(controlApi, control, operationsOf(control, lean))).replace(/^ *\/\*\*.*\*\/\n/gm, ''),
    ],
  ]);
}

/** Adds the responses of errors, and the summary of an operation to a response without a description. */
function withResponses(document: OpenApi): OpenApi {
  return mapObjects(document, (each) => {
    if (!('operationId' in each)) return each;
    const { summary, responses } = each as unknown as Operation;
    const described = Object.entries(responses).map(([status, response]): [string, object] => [
      status,
      { description: summary, ...response },
    ]);
    const error = { $ref: '#/components/responses/Error' };
    return { ...each, responses: { ...Object.fromEntries(described), '4XX': error } };
  }) as OpenApi;
}

/** Returns the schema of `GetPaths`. */
function pathsOf(document: OpenApi): JsonSchema {
  const paths = Object.entries(document.paths).flatMap(([path, { get }]): [string, JsonSchema][] => {
    if (get === undefined) return [];
    const query = parametersOf(get, document).filter((parameter) => parameter.in === 'query');
    return [[path, closed({ query: membersOf(query), response: responseOf(get) })]];
  });
  return {
    title: 'GetPaths',
    description: 'Every path that has a GET operation, with its query parameters and its response.',
    ...closed(Object.fromEntries(paths)),
  };
}

function operationsOf(document: OpenApi, shortened = (members: OperationSchema) => members): JsonSchema {
  const operations = Object.values(document.paths).flatMap((item) =>
    Object.values(item).map((operation): [string, JsonSchema] => {
      const { operationId, summary, requestBody } = operation;
      const members = {
        parameters: membersOf(parametersOf(operation, document)),
        body: requestBody?.content['application/json']?.schema ?? { tsType: 'undefined' },
        response: responseOf(operation),
      };
      return [operationId, { description: summary, ...closed(shortened(members)) }];
    }),
  );
  return {
    title: 'Operations',
    description: 'Every operation, with its parameters, its body and its response.',
    ...closed(Object.fromEntries(operations)),
  };
}

type OperationSchema = { parameters?: JsonSchema; body?: JsonSchema; response: JsonSchema };

/** Leaves out parameters and a body that an operation does not have. */
function lean({ parameters = {}, body = {}, response }: OperationSchema): OperationSchema {
  return {
    ...(Object.keys(parameters.properties ?? {}).length > 0 && { parameters }),
    ...(!('tsType' in body) && { body }),
    response,
  };
}

function parametersOf({ parameters = [] }: Operation, { components }: OpenApi): Parameter[] {
  return parameters.map((each) =>
    '$ref' in each ? (components.parameters?.[each.$ref.split('/').at(-1) ?? ''] as Parameter) : each,
  );
}

function membersOf(parameters: readonly Parameter[]): JsonSchema {
  const members = parameters.map(({ name, schema, description }): [string, JsonSchema] => [
    name,
    { ...schema, ...(description !== undefined && { description }) },
  ]);
  const required = parameters.filter((each) => each.required).map(({ name }) => name);
  return { ...closed(Object.fromEntries(members)), required };
}

/** Returns the body schema of the successful responses, which share one schema. */
function responseOf({ responses }: Operation): JsonSchema {
  const [, { content = {} } = {}] =
    Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return Object.values(content)[0]?.schema ?? {};
}

async function compiled(
  source: string,
  { components }: OpenApi,
  whole: JsonSchema,
  others: Readonly<Record<string, JsonSchema>> = {},
): Promise<string> {
  const schemas = Object.entries(components.schemas).map(([name, schema]): [string, JsonSchema] => [
    name,
    { title: name, ...schema },
  ]);
  const schema = { ...whole, $defs: { ...others, ...Object.fromEntries(schemas) } };
  const text = JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/');
  const references = mapObjects(JSON.parse(text) as unknown, forTypes) as JsonSchema;
  return typesOf(references, `// Written by \`npm run generate\` from ${source}; do not edit.`);
}

/** Types an object without listed fields as a record, and a schema without a type as unknown. */
function forTypes(schema: Record<string, unknown>): object {
  const isOpen =
    schema['type'] === 'object' && !('properties' in schema) && !('additionalProperties' in schema);
  const isAny = typeof schema['description'] === 'string' && Object.keys(schema).length === 1;
  if (isAny) return { ...schema, tsType: 'unknown' };
  return isOpen ? { ...schema, tsType: 'Record<string, unknown>' } : schema;
}
