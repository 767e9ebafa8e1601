import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import type { SchemaValidateFunction } from 'ajv/dist/types/index.js';
import { _Code } from 'ajv/dist/compile/codegen/code.js';
import equalModule from 'ajv/dist/runtime/equal.js';
import { BusbarError, quoted } from '../src/base/errors.js';
import { memberPointer } from '../src/base/json-pointer.js';
import { edits } from '../src/base/nearest.js';
import { dialect, type JsonSchema, mapSchemas } from './schema.js';

export type { ErrorObject };

/** Extent of a compiled check: up to the first error, or all errors. `strict` also rejects unknown fields. */
export type Depth = 'first' | 'all' | 'strict-first' | 'strict-all';

/** A compiled check. Returns whether the payload is valid; if not, `errors` has ajv's errors. */
export type Check = Pick<ValidateFunction, 'errors' | 'schema'> & ((payload: unknown) => boolean);

export const settings = {
  strict: false,
  strictNumbers: true,
  validateFormats: false,
  logger: false,
} as const;

/** Validates schemas. An ajv compiles the meta-schema for that, which takes longer than most schemas: one does it. */
let schemaValidator: ValidateFunction | undefined;

/**
 * Compiles a standalone schema with ajv, which this module loads. Does not check formats.
 * @throws BusbarError `invalid-schema` if ajv rejects the schema
 */
export function compileNow(name: string, schema: JsonSchema, depth: Depth): Check {
  // Without `$id`: ajv cannot resolve a name that isn't an absolute URI.
  const { $id: _, ...anonymous } = depth.startsWith('strict') ? closed(schema) : schema;
  try {
    const problem = schemaProblem(anonymous);
    if (problem !== undefined) throw new Error(`at "${problem.pointer}" it ${problem.message}`);
    // Checks that ajv has not optimized take half the time to compile, and run as fast.
    const ajv = ajvFor(anonymous, { allErrors: depth.endsWith('all'), code: { optimize: false } });
    return ajv.compile(anonymous) as Check;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BusbarError('invalid-schema', `The schema "${name}" cannot be used: ${reason}.`, {
      cause: error,
    });
  }
}

/** Returns an ajv for a valid schema, without code that only a few schemas need. */
export function ajvFor(schema: unknown, options: Options): Ajv2020 {
  const ajv = new Ajv2020({ ...settings, meta: false, validateSchema: false, ...options });
  const text = JSON.stringify(schema);
  ajv.opts.unevaluated = text.includes('"unevaluated');
  // Each object has a "constructor" and the like, unless ajv asks for its own properties, which takes longer.
  ajv.opts.ownProperties = Object.getOwnPropertyNames(Object.prototype).some((name) =>
    text.includes(`"${name}"`),
  );
  // Under the key of ajv's own function, so that its keywords use this one; as code for validators on disk.
  ajv.scope.value('func', { key: ajvEqual, ref: isEqual, code: new _Code(isEqual.toString()) });
  return ajv;
}

/** A CommonJS module, whose default export has another type for each way to resolve modules. */
const ajvEqual = (equalModule as { readonly default?: unknown }).default ?? equalModule;

/**
 * Whether two JSON values are equal. ajv's function calls `toString` and `valueOf`, which may be fields of a payload, and
 * `isDeepStrictEqual` tells -0 from 0.
 */
function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isEqual(one[name as never], other[name as never]))
  );
}

/** Returns the first problem of a schema; undefined for a valid one. */
export function schemaProblem(schema: JsonSchema): { pointer: string; message: string } | undefined {
  schemaValidator ??= newSchemaValidator();
  if (schemaValidator(schema)) return undefined;
  const [error] = schemaValidator.errors ?? [];
  const { instancePath: pointer = '', message = 'is not valid', params, keyword, propertyName } = error ?? {};
  if (keyword === 'format')
    return {
      pointer: propertyName === undefined ? pointer : memberPointer(pointer, propertyName),
      message: notPattern,
    };
  const { allowedValues: allowed } = (params ?? {}) as { readonly allowedValues?: readonly string[] };
  return { pointer, message: allowed ? `must be one of ${allowed.map(quoted).join(', ')}` : message };
}

const notPattern =
  'is not a regular expression with the flag "u". Escape a dash between classes ("[\\w\\-.]"), and only special characters';

/** Whether ajv can use the text, which it compiles with this flag. */
function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** Returns a validator that also rejects mistyped keywords, which JSON Schema ignores. */
function newSchemaValidator(): ValidateFunction {
  const ajv = new Ajv2020({ ...settings, validateFormats: true, formats: { regex: isPattern } });
  const { all, keywords } = ajv.RULES;
  // Short words, such as "note", are similar to several keywords. Annotations, such as "comment", have any name.
  const rules = Object.keys(all).filter((name) => typeof all[name] === 'object' && /^[^$].{4}/.test(name));
  const isTyped: SchemaValidateFunction = (_: true, name: string) => {
    const isMeant = (rule: string) => edits(name, rule) <= (rule.length > 6 ? 2 : 1);
    const meant = !keywords[name] && !name.startsWith('x-') && rules.find(isMeant);
    if (!meant) return true;
    isTyped.errors = [{ message: `has ${quoted(name)} instead of ${quoted(meant)}` }];
    return false;
  };
  ajv.addKeyword({ keyword: 'isTyped', validate: isTyped });
  // ajv ignores formats in its meta-schemas.
  const pattern = { format: 'regex' };
  const properties = { pattern, patternProperties: { propertyNames: pattern } };
  return ajv.compile({ $dynamicAnchor: 'meta', $ref: dialect, properties, propertyNames: { isTyped: true } });
}

/** Closes every object that lists its fields, except objects composed of several schemas. */
function closed(schema: JsonSchema): JsonSchema {
  const composed = [
    'allOf',
    'anyOf',
    'oneOf',
    'additionalProperties',
    'unevaluatedProperties',
    'patternProperties',
  ];
  return mapSchemas(schema, (each) => {
    const listed = each.type === 'object' && typeof each.properties === 'object';
    return listed && !composed.some((keyword) => keyword in each)
      ? { ...each, additionalProperties: false }
      : each;
  }) as JsonSchema;
}
