import { memoized, stepsOf } from 'busbar/base';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Problem } from '../api-error.js';
import { apiDocument } from '../document.js';
import { payloadFormats } from './formats.js';

/** The maximum number of values in a body, nested ones included; more than any payload needs. */
const maxValues = 20_000;
/** The maximum depth of a body. */
const maxLevels = 32;

/**
 * Returns a function that validates bodies by schemas of the OpenAPI document. It reports one problem per path, and
 * compiles a schema at its first use. `undocumented` has the paths of undocumented fields, which it removes from the body.
 */
export function payloadChecks() {
  const ajv = new Ajv2020({
    // Tests validate the document. Compiling the schema of schemas takes longer than compiling a payload's.
    strict: false,
    meta: false,
    validateSchema: false,
    allErrors: true,
    verbose: true,
    logger: false,
    ownProperties: true,
  });
  ajv.addSchema(closedDocument(), 'api');
  for (const [name, { matches }] of Object.entries(payloadFormats)) ajv.addFormat(name, matches);
  const validatorOf = memoized((schema: string) =>
    ajv.compile({ $ref: `api#/components/schemas/${schema}` }),
  );

  return (schema: string, body: unknown) => {
    if (hasMoreThan(maxValues, body)) return { problems: [problem('', 'too_many')], undocumented: [] };
    const validate = validatorOf(schema);
    validate(body);
    const errors = validate.errors ?? [];
    const unknown = errors.filter(({ keyword }) => keyword === 'additionalProperties');
    const problems = new Map<string, Problem>();
    for (const error of errors) {
      const { attr, code } = problemOf(error);
      if (!unknown.includes(error) && !problems.has(attr)) {
        const { format } = error.params as { readonly format?: string };
        const violated = code === undefined && format !== undefined ? payloadFormats[format] : undefined;
        problems.set(
          attr,
          violated ? { attr, code: violated.code, detail: violated.detail } : problem(attr, code),
        );
      }
    }
    const undocumented = unknown.map((error) => {
      const { additionalProperty } = error.params as { additionalProperty: string };
      Reflect.deleteProperty(error.data as object, additionalProperty);
      return below(pathOf(error), additionalProperty);
    });
    return { problems: [...problems.values()], undocumented };
  };
}

export function problem(attr: string, code = 'invalid_format'): Problem {
  return { detail: details[code] ?? 'Is not valid.', code, attr };
}

const details: Readonly<Record<string, string>> = {
  required: 'Is required.',
  null: 'Must not be null. Omit the field.',
  blank: 'Must not be empty. Omit the field.',
  invalid_type: 'Has the wrong type.',
  invalid_choice: 'Is not one of the allowed values.',
  invalid_format: 'Has the wrong format.',
  out_of_range: 'Is too small or too large.',
  too_long: 'Is too long.',
  empty: 'Must not be an empty list. Omit the field.',
  too_many: 'Has too many elements.',
  undocumented_field: 'Is not a documented field.',
};

const codes: Readonly<Record<string, string>> = {
  required: 'required',
  type: 'invalid_type',
  enum: 'invalid_choice',
  minimum: 'out_of_range',
  maximum: 'out_of_range',
  maxLength: 'too_long',
  minItems: 'empty',
  maxItems: 'too_many',
};

/** Returns the path and code of an error; no code for a violated format. */
function problemOf(error: ErrorObject): { readonly attr: string; readonly code: string | undefined } {
  const { keyword, data, params } = error;
  const attr = pathOf(error);
  if (keyword === 'required') {
    return { attr: below(attr, (params as { missingProperty: string }).missingProperty), code: 'required' };
  }
  return { attr, code: data === null ? 'null' : data === '' ? 'blank' : codes[keyword] };
}

/** Returns the dotted path, such as `customers.0.landline`, from a JSON pointer (RFC 6901). */
function pathOf({ instancePath }: ErrorObject): string {
  return stepsOf(instancePath).join('.');
}

export function below(path: string, ...parts: readonly (string | number)[]): string {
  return [...(path === '' ? [] : [path]), ...parts].join('.');
}

/** Whether a body has more than `max` values, or is too deep. */
function hasMoreThan(max: number, body: unknown): boolean {
  const open = [{ value: body, level: 0 }];
  for (let seen = 0; open.length > 0; seen++) {
    if (seen + open.length > max) return true;
    const { value, level } = open.pop() as { value: unknown; level: number };
    if (typeof value !== 'object' || value === null) continue;
    if (level === maxLevels) return true;
    for (const each of Object.values(value) as unknown[]) open.push({ value: each, level: level + 1 });
  }
  return false;
}

/** Returns the document with schemas that report undocumented fields. */
function closedDocument(): object {
  return JSON.parse(JSON.stringify(apiDocument()), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && 'properties' in value && 'required' in value
      ? { ...value, additionalProperties: false }
      : value,
  ) as object;
}
