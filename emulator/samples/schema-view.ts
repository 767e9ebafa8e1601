import type { JsonSchema } from 'busbar/catalogue';

export type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null';

/** A schema with resolved references and merged parts. */
export interface SchemaView {
  readonly schema: JsonSchema;
  readonly type: FieldType;
}

export type Shapes = Readonly<Record<string, JsonSchema>>;

/**
 * Resolves a schema: follows references, merges `allOf`, takes the first of `oneOf` and of `anyOf`, meets `if` and `then`,
 * and takes the first type other than null. Without a type, its keywords decide, else `string`.
 * @param isDeep Whether to prefer choices that end a recursive schema: null, and others than objects and lists.
 * @param score Ranks the choices: the first with the highest score above 0 precedes those rules.
 */
export function view(
  schema: JsonSchema | boolean | undefined,
  shapes: Shapes,
  isDeep = false,
  score: (choice: JsonSchema) => number = () => 0,
): SchemaView {
  let found: JsonSchema = typeof schema === 'object' ? schema : {};
  // The limit ends circular references.
  for (let hops = 0; found.$ref !== undefined && hops < 32; hops++) {
    const { $ref, ...others } = found;
    found = { ...shapes[$ref.slice('#/$defs/'.length)], ...others };
  }
  const { allOf = [], oneOf, anyOf, if: condition, then, else: _, ...own } = found;
  const { discriminator } = found;
  const isNested = (choice: JsonSchema) => ['object', 'array'].includes(view(choice, shapes).type);
  const firstOf = (choices: unknown): JsonSchema[] => {
    if (!Array.isArray(choices)) return [];
    const list = choices as JsonSchema[];
    const scores = list.map((each) =>
      score({ allOf: [each, ...discriminated(discriminator, each, shapes)] }),
    );
    const best = scores.indexOf(Math.max(1, ...scores));
    const end = isDeep ? list.findIndex((each) => !isNested(each)) : 0;
    return list.slice(Math.max(best === -1 ? end : best, 0)).slice(0, 1);
  };
  const [choice] = firstOf(oneOf ?? anyOf);
  const named = choice === undefined ? [] : discriminated(discriminator, choice, shapes);
  const met = condition === undefined ? [] : ([condition, then ?? {}] as JsonSchema[]);
  const parts = [...allOf, ...firstOf(oneOf), ...firstOf(anyOf), ...named, ...met];
  if (parts.length > 0) {
    found = [own, ...parts.map((part) => view(part, shapes, isDeep, score).schema)].reduce(merge);
  }
  return { schema: found, type: isDeep && found.type?.includes('null') ? 'null' : typeOf(found) };
}

/** Returns the schemas of the first items of a list. */
export function tupleOf({ prefixItems = [] }: JsonSchema): readonly JsonSchema[] {
  return prefixItems as readonly JsonSchema[];
}

/** Returns the schema of an item of a list. */
export function itemOf(list: JsonSchema, index: number): JsonSchema | undefined {
  return tupleOf(list)[index] ?? list.items;
}

/** Returns the schema of a field of an object; undefined if there is none. */
export function propertyOf(object: JsonSchema, name: string): JsonSchema | undefined {
  const { properties = {}, patternProperties = {}, additionalProperties } = object;
  if (Object.hasOwn(properties, name)) return properties[name];
  const patterns = Object.entries(patternProperties as Readonly<Record<string, JsonSchema | boolean>>);
  const [, matching] = patterns.find(([each]) => new RegExp(each, 'u').test(name)) ?? [];
  if (matching !== undefined) return matching === true ? {} : matching || undefined;
  return typeof additionalProperties === 'object' ? (additionalProperties as JsonSchema) : undefined;
}

/** Returns what a discriminator of OpenAPI requires of the chosen schema, if that schema has no value for it. */
function discriminated(discriminator: unknown, choice: JsonSchema, shapes: Shapes): JsonSchema[] {
  const { propertyName, mapping = {} } = (discriminator ?? {}) as Discriminator;
  if (propertyName === undefined || choice.$ref === undefined) return [];
  const { schema } = view(view(choice, shapes).schema.properties?.[propertyName], shapes);
  if ('const' in schema || 'enum' in schema) return [];
  const name = nameOf(choice.$ref);
  const [value = name] = Object.entries(mapping).find(([, target]) => nameOf(target) === name) ?? [];
  return [{ properties: { [propertyName]: { const: value } } }];
}

interface Discriminator {
  readonly propertyName?: string;
  readonly mapping?: Readonly<Record<string, string>>;
}

/** Returns the name of a shape. A mapping may also name it by its file, or without a path. */
function nameOf(reference: string): string | undefined {
  return /([^/#]+?)(?:\.json)?$/.exec(reference)?.[1];
}

function merge(one: JsonSchema, other: JsonSchema): JsonSchema {
  const properties = { ...one.properties };
  for (const [name, field] of Object.entries(other.properties ?? {})) {
    const known = properties[name];
    properties[name] = known === undefined ? field : { allOf: [known, field] };
  }
  const excluded = [one.not, other.not].filter((each) => each !== undefined);
  const required = [...new Set([...(one.required ?? []), ...(other.required ?? [])])];
  return {
    ...one,
    ...other,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
    ...(excluded.length > 0 && { not: { anyOf: excluded } }),
  };
}

function typeOf(schema: JsonSchema): FieldType {
  const { type } = schema;
  const named = typeof type === 'string' ? type : type?.find((each) => each !== 'null');
  if (named !== undefined) return named as FieldType;
  if (Array.isArray(type) && type.includes('null')) return 'null';
  if (schema.properties !== undefined) return 'object';
  if ((schema.items ?? schema.prefixItems) !== undefined) return 'array';
  const values = 'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : [];
  const example: unknown = values.find((value) => value !== null);
  if (Number.isInteger(example)) return 'integer';
  if (typeof example === 'number' || typeof example === 'boolean') return typeof example as FieldType;
  return 'string';
}
