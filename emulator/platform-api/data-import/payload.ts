import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Problem } from '../api-error.js';
import { apiDocument } from '../document.js';
import type { Format } from './formats.js';

/** What a body is, as far as its schema says. */
export interface Checked {
  readonly problems: readonly Problem[];
  /** Fields that the document does not have, by path. They are not in the body any more. */
  readonly undocumented: readonly string[];
}

export type CheckPayload = (schema: string, body: unknown) => Checked;

/** Values that a body may hold, nested ones included: more than any payload needs. */
const mostValues = 20_000;
/** How deep they may lie. */
const mostLevels = 32;

/**
 * Checks bodies against schemas of the OpenAPI document: all that is wrong at once, each place once. A schema is
 * compiled when it is first needed.
 */
export function payloadChecks(formats: Readonly<Record<string, Format>>): CheckPayload {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    verbose: true,
    logger: false,
    ownProperties: true,
  });
  ajv.addSchema(closedDocument(), 'api');
  for (const [name, { fits }] of Object.entries(formats)) ajv.addFormat(name, fits);
  const compiled = new Map<string, ValidateFunction>();

  return (schema, body) => {
    if (hasMoreThan(mostValues, body)) return { problems: [problem('', 'too_many')], undocumented: [] };
    let validate = compiled.get(schema);
    if (validate === undefined) {
      validate = ajv.compile({ $ref: `api#/components/schemas/${schema}` });
      compiled.set(schema, validate);
    }
    validate(body);
    const errors = validate.errors ?? [];
    const unknown = errors.filter(({ keyword }) => keyword === 'additionalProperties');
    const problems = new Map<string, Problem>();
    for (const error of errors) {
      const { attr, code } = described(error);
      if (!unknown.includes(error) && !problems.has(attr)) {
        const format =
          error.keyword === 'format' ? formats[(error.params as { format: string }).format] : undefined;
        problems.set(attr, code === undefined && format ? { attr, ...worded(format) } : problem(attr, code));
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

/** A problem of the kinds that every field can have. */
export function problem(attr: string, code = 'invalid_format'): Problem {
  return { detail: details[code] ?? 'Is not valid.', code, attr };
}

const details: Readonly<Record<string, string>> = {
  required: 'Is required.',
  null: 'Must not be null: leave out what there is none of.',
  blank: 'Must not be empty: leave out what there is none of.',
  invalid_type: 'Has another type than it must have.',
  invalid_choice: 'Is not one of the values that it can have.',
  invalid_format: 'Does not have the form that it must have.',
  out_of_range: 'Is too small or too large.',
  too_long: 'Is too long.',
  empty: 'Must have an element: leave out what there is none of.',
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

/** Where it is and what; without a code where the format says it. */
function described(error: ErrorObject): { readonly attr: string; readonly code: string | undefined } {
  const { keyword, data, params } = error;
  const attr = pathOf(error);
  if (keyword === 'required') {
    return { attr: below(attr, (params as { missingProperty: string }).missingProperty), code: 'required' };
  }
  return { attr, code: data === null ? 'null' : data === '' ? 'blank' : codes[keyword] };
}

function worded({ code, detail }: Format) {
  return { code, detail };
}

/** `customers.0.landline`, from a JSON pointer (RFC 6901). */
function pathOf({ instancePath }: ErrorObject): string {
  const parts = instancePath.split('/').slice(1);
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
}

export function below(path: string, ...parts: readonly (string | number)[]): string {
  return [...(path === '' ? [] : [path]), ...parts].join('.');
}

function hasMoreThan(most: number, body: unknown): boolean {
  const open = [{ value: body, level: 0 }];
  for (let seen = 0; open.length > 0; seen++) {
    if (seen + open.length > most) return true;
    const { value, level } = open.pop() as { value: unknown; level: number };
    if (typeof value !== 'object' || value === null) continue;
    if (level === mostLevels) return true;
    for (const each of Object.values(value) as unknown[]) open.push({ value: each, level: level + 1 });
  }
  return false;
}

/** The document with no room for fields that it does not have, so that they are found. */
function closedDocument(): object {
  return JSON.parse(JSON.stringify(apiDocument()), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && 'properties' in value && 'required' in value
      ? { ...value, additionalProperties: false }
      : value,
  ) as object;
}
