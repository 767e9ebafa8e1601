import type { Schema } from '../catalogue.js';

/** Follows references. Returns the first alternative other than null of a choice. */
export function resolved(schema: Schema | undefined, root: Schema | undefined): Schema | undefined {
  let found = schema;
  for (let turn = 0; turn < 8 && found !== undefined; turn++) {
    const { $ref } = found;
    const choices = found.anyOf ?? found.oneOf;
    if ($ref?.startsWith('#/$defs/') === true) {
      const { description } = found;
      const target = root?.$defs?.[$ref.slice('#/$defs/'.length)];
      found = target && description !== undefined ? { ...target, description } : target;
    } else if (choices !== undefined && found.properties === undefined) {
      const { description } = found;
      const main = choices.find(({ type }) => type !== 'null');
      found = main && description !== undefined ? { ...main, description } : main;
    } else break;
  }
  return found;
}

/** Returns a short name of a type, e.g. `string`, `date-time`, `list of object`, `one of 4`. */
export function typeOf(schema: Schema | undefined, root: Schema | undefined): string | undefined {
  const found = resolved(schema, root);
  if (found === undefined) return undefined;
  if (found.enum !== undefined) return found.enum.length === 1 ? 'constant' : `one of ${found.enum.length}`;
  const type = [found.type ?? []].flat().filter((each) => each !== 'null')[0];
  if (type === 'array') {
    const item = typeOf(found.items, root);
    return item === undefined ? 'list' : `list of ${item}`;
  }
  return found.format ?? type ?? (found.properties === undefined ? undefined : 'object');
}

/** Returns the unit of a field, e.g. `pence`. */
export function unitOf(schema: Schema | undefined, root: Schema | undefined): string | undefined {
  return schema?.['x-busbar-unit'] ?? resolved(schema, root)?.['x-busbar-unit'];
}

/** Returns the schema of a member of an object, or of an item of a list. */
export function within(
  schema: Schema | undefined,
  root: Schema | undefined,
  name: string | number,
): Schema | undefined {
  const found = resolved(schema, root);
  if (typeof name === 'number') return found?.items;
  const properties = found?.properties;
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
