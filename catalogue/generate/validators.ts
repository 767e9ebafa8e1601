import { Ajv } from 'ajv';
import ajvStandalone from 'ajv/dist/standalone/index.js';
import { type Documents, type JsonSchema, shapeOf } from '../schema.js';
import { banner, type Outputs } from './outputs.js';

/** Generates `validators.js`: one file, because a process that loads a file for each handler starts later. */
export function generateValidators({ events, shapes }: Documents): Outputs {
  const ajv = new Ajv({
    code: { esm: true, source: true, lines: false, optimize: 3 },
    messages: false,
    meta: false,
    validateSchema: false,
  });
  const functions = Object.entries(events).map(
    ([name, event]) => `  '${name}'${validatorFunction(ajv, bare(event, shapes))},\n`,
  );
  return new Map([
    [
      'catalogue/generated/validators.js',
      `${banner}export const validators = {\n  __proto__: null,\n${functions.join('')}};\n`,
    ],
    ['catalogue/generated/validators.d.ts', types],
  ]);
}

const types = `${banner}
/** The validators of built-in event versions, by catalogue name. */
export declare const validators: Readonly<Record<string, ((payload: unknown) => boolean) | undefined>>;
`;

/**
 * Returns the parameters and the body of ajv's standalone function, without error reports, which `explain` creates
 * instead. That makes a function a third of the size, and a valid payload allocates nothing.
 */
function validatorFunction(ajv: Ajv, schema: JsonSchema): string {
  let code = ajvStandalone.default(ajv, ajv.compile(schema));
  for (const [pattern, replacement] of simplifications) code = code.replace(pattern, replacement);
  if (!code.startsWith('(data){') || leftovers.test(code)) {
    throw new Error(`ajv's standalone code differs from the expected one: ${code.slice(0, 300)}`);
  }
  return code.trim();
}

const simplifications: readonly (readonly [RegExp, string])[] = [
  [/^"use strict";export const validate = validate\d+;export default validate\d+;/, ''],
  [/const schema\d+ = .*?;(?=function )/, ''],
  [/function validate\d+\(data, \{.*?\}=\{\}\)/, '(data)'],
  // An error: returns false immediately ...
  [/validate\d+\.errors = \[\{.*?\}\}\];return false;/g, 'return false;'],
  [/ && \(missing\d+ = "[^"]*"\)/g, ''],
  [/let missing\d+;/g, ''],
  // ... so later code runs only without errors.
  [/let vErrors = null;let errors = 0;/, ''],
  [/const _errs\d+ = errors;/g, ''],
  [/var valid\d+ = (true|_errs\d+ === errors);/g, ''],
  [/if\(!valid\d+\)\{break;\}/g, ''],
  [/if\((valid\d+|errors === (_errs\d+|0))\)\{/g, '{'],
  [/else \{\}/g, ''],
  [/validate\d+\.errors = vErrors;return errors === 0;/, 'return true;'],
];

const leftovers = /validate\d+|vErrors|\b_errs\d|\bvalid\d|\bmissing\d|instancePath|require\(/;

/** Keeps only the keywords to check, and inlines every shape. */
function bare(schema: JsonSchema, shapes: Documents['shapes']): JsonSchema {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if (reference !== undefined) return bare(shapes[shapeOf(reference)] ?? {}, shapes);
  const { type, properties, required, items } = schema;
  return {
    ...(type !== undefined && { type }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, each]) => [name, bare(each, shapes)]),
      ),
    }),
    ...(required && { required }),
    ...(items && { items: bare(items, shapes) }),
  };
}
