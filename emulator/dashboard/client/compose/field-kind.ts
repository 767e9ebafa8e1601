import type { Schema } from '../catalogue.js';
import { resolved, wordsOf } from '../event/schema-fields.js';

/** The kind of input for a field. `json` is for fields with more than one possible type. */
export type FieldKind = 'object' | 'list' | 'choice' | 'flag' | 'number' | 'text' | 'json';

export function kindOf(schema: Schema | undefined, value: unknown): FieldKind {
  if (wordsOf(schema) !== undefined) return 'choice';
  const types = [schema?.type ?? []].flat().filter((type) => type !== 'null');
  const isList = Array.isArray(value);
  const isObject = typeof value === 'object' && value !== null && !isList;
  if (types.length !== 1) return schema?.properties !== undefined && isObject ? 'object' : 'json';
  switch (types[0]) {
    case 'object':
      return schema?.properties !== undefined && (isObject || value === null) ? 'object' : 'json';
    case 'array':
      return isList ? 'list' : 'json';
    case 'boolean':
      return 'flag';
    case 'number':
    case 'integer':
      return 'number';
    case 'string':
      // A value of another type is shown as JSON, so that it is not overwritten by accident.
      return typeof value === 'string' || value === null || value === undefined ? 'text' : 'json';
    case undefined:
    default:
      return 'json';
  }
}

/** Whether the schema allows null. */
export function isNullable(schema: Schema | undefined, root: Schema | undefined): boolean {
  if (schema === undefined) return false;
  if ([schema.type ?? []].flat().includes('null') || schema.enum?.includes(null) === true) return true;
  const choices = schema.anyOf ?? schema.oneOf ?? [];
  if (choices.some((choice) => isNullable(choice, root))) return true;
  const name = schema.$ref?.replace('#/$defs/', '');
  return name === undefined ? false : isNullable(root?.$defs?.[name], undefined);
}

/** Returns an initial value for a field without a sample. */
export function blank(schema: Schema | undefined, root: Schema | undefined, depth = 0): unknown {
  const found = resolved(schema, root);
  switch (kindOf(found, found?.properties === undefined ? undefined : {})) {
    case 'object': {
      if (depth > 6) return {};
      const names = found?.required ?? [];
      return Object.fromEntries(
        names.map((name) => [name, blank(found?.properties?.[name], root, depth + 1)]),
      );
    }
    case 'choice':
      return wordsOf(found)?.[0];
    case 'flag':
      return false;
    case 'number':
      return 0;
    case 'json':
      return [found?.type].flat().includes('array') ? [] : null;
    case 'list':
    case 'text':
    default:
      return '';
  }
}
