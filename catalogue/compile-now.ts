import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { BusbarError } from '../src/base/errors.js';
import { type JsonSchema, mapObjects } from './schema.js';

export type { ErrorObject };

/** How far a compiled check goes: to the first error, or to all; `strict` minds unknown fields too. */
export type Depth = 'first' | 'all' | 'strict-first' | 'strict-all';

/** `true` when valid; otherwise `errors` holds what ajv found. */
export type Check = Pick<ValidateFunction, 'errors'> & ((payload: unknown) => boolean);

/**
 * Compiles a schema that stands alone with ajv, which this module loads. Formats are not checked. Throws a
 * {@link BusbarError} naming the schema that ajv refuses.
 */
export function compileNow(name: string, schema: JsonSchema, depth: Depth): Check {
  const ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    validateFormats: false,
    logger: false,
    allErrors: depth.endsWith('all'),
  });
  // Without its name: a name that is no absolute URI would be resolved against nothing.
  const { $id: _, ...anonymous } = depth.startsWith('strict') ? closed(schema) : schema;
  try {
    return ajv.compile(anonymous) as Check;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BusbarError('invalid-schema', `The schema "${name}" cannot be used: ${reason}.`);
  }
}

/** Closes every object whose fields are listed; one that is composed of several schemas stays open. */
function closed(schema: JsonSchema): JsonSchema {
  const composed = [
    'allOf',
    'anyOf',
    'oneOf',
    'additionalProperties',
    'unevaluatedProperties',
    'patternProperties',
  ];
  return mapObjects(schema, (each) => {
    const listed = each.type === 'object' && typeof each.properties === 'object';
    return listed && !composed.some((keyword) => keyword in each)
      ? { ...each, additionalProperties: false }
      : each;
  }) as JsonSchema;
}
