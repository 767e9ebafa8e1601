import type { Schema } from '../catalogue.js';

/**
 * Follows references, and joins the parts of `allOf`. Of a choice it takes the alternative that fits the value, else the
 * first other than null.
 */
export function resolved(
  schema: Schema | undefined,
  root: Schema | undefined,
  value?: unknown,
  depth = 0,
): Schema | undefined {
  if (schema === undefined || depth > 8) return undefined;
  const { $ref, allOf = [], anyOf = [], oneOf = anyOf, ...own } = schema;
  const inside = (each: Schema | undefined) => resolved(each, root, value, depth + 1);
  const choices = own.properties === undefined ? oneOf.map(inside) : [];
  const choice =
    choices.find((each) => fits(each, value, true)) ??
    choices.find((each) => fits(each, value, false)) ??
    choices.find((each) => each?.type !== 'null');
  const parts = [
    $ref === undefined ? undefined : inside(root?.$defs?.[$ref.slice('#/$defs/'.length)]),
    ...allOf.map(inside),
    choice && among(choices, choice),
  ];
  return [...parts, own].reduce<Schema>(join, {});
}

/** Returns one of several alternatives. Its constants list those of all, because to change one chooses another alternative. */
function among(choices: readonly (Schema | undefined)[], choice: Schema): Schema {
  const fields = Object.entries(choice.properties ?? {}).map(([name, field]): [string, Schema] => {
    const words = choices.flatMap((each) => wordsOf(each?.properties?.[name]) ?? []);
    return [name, field.const === undefined ? field : { ...field, enum: [...new Set(words)] }];
  });
  return fields.length === 0 ? choice : { ...choice, properties: Object.fromEntries(fields) };
}

/** Joins two schemas of one value. The second one is the more precise. */
function join(one: Schema, other: Schema = {}): Schema {
  const properties: Record<string, Schema> = { ...one.properties };
  for (const [name, field] of Object.entries(other.properties ?? {}))
    properties[name] = { ...properties[name], ...field };
  const isObject = Object.keys(properties).length > 0;
  const required = [...(one.required ?? []), ...(other.required ?? [])];
  return { ...one, ...other, ...(isObject && { properties }), required };
}

/** Whether an object has the constants of a schema, and if `isWhole` the required fields. */
function fits(schema: Schema | undefined, value: unknown, isWhole: boolean): boolean {
  if (typeof value !== 'object' || value === null || schema?.properties === undefined) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return (
    Object.entries(schema.properties).every(([name, field]) => {
      const words = wordsOf(field);
      return words === undefined || !fields.has(name) || words.includes(fields.get(name));
    }) &&
    (!isWhole || (schema.required ?? []).every((name) => fields.has(name)))
  );
}

/** Returns the values that a schema allows, if it lists them. */
export function wordsOf(schema: Schema | undefined): readonly unknown[] | undefined {
  return schema?.const === undefined ? schema?.enum : [schema.const];
}

/** Returns a short name of a type, e.g. `string`, `date-time`, `list of object`, `one of 4`. */
export function typeOf(schema: Schema | undefined, root: Schema | undefined): string | undefined {
  const found = resolved(schema, root);
  if (found === undefined) return undefined;
  const words = wordsOf(found);
  if (words !== undefined) return words.length === 1 ? 'constant' : `one of ${words.length}`;
  const type = [found.type ?? []].flat().filter((each) => each !== 'null')[0];
  if (type === 'array') {
    const item = typeOf(found.items || undefined, root);
    return item === undefined ? 'list' : `list of ${item}`;
  }
  return found.format ?? type ?? (found.properties === undefined ? undefined : 'object');
}

/** Returns the unit of a field, e.g. `pence`. */
export function unitOf(schema: Schema | undefined, root: Schema | undefined): string | undefined {
  return schema?.['x-busbar-unit'] ?? resolved(schema, root)?.['x-busbar-unit'];
}

/** Returns the schema of a member of an object, or of an item of a list. `value` is that of the object or the list. */
export function within(
  schema: Schema | undefined,
  root: Schema | undefined,
  name: string | number,
  value?: unknown,
): Schema | undefined {
  const found = resolved(schema, root, value) ?? {};
  if (typeof name === 'number') return found.prefixItems?.[name] ?? (found.items || undefined);
  const { properties = {}, patternProperties = {}, additionalProperties } = found;
  if (Object.hasOwn(properties, name)) return properties[name];
  const pattern = Object.keys(patternProperties).find((each) => new RegExp(each, 'u').test(name));
  return pattern === undefined ? additionalProperties : patternProperties[pattern];
}
