import { Ajv } from 'ajv';
import ajvStandalone from 'ajv/dist/standalone/index.js';
import { type Documents, type JsonSchema, shapeOf } from '../schema.js';
import { banner, type Outputs } from './outputs.js';

/**
 * `validators/`: one module per event version, `validate(payload)` answering yes or no, and an index of loaders
 * with literal specifiers, which bundlers can follow.
 */
export function generateValidators({ events, shapes }: Documents): Outputs {
  const names = Object.keys(events);
  const ajv = new Ajv({
    code: { esm: true, source: true, lines: false, optimize: 3 },
    messages: false,
    meta: false,
    validateSchema: false,
  });
  const modules = Object.entries(events).map(
    ([name, event]) =>
      [`catalogue/generated/validators/${name}.js`, validatorModule(ajv, bare(event, shapes))] as const,
  );
  return new Map([
    ...modules,
    ['catalogue/generated/validators/index.js', loaders(names)],
    ['catalogue/generated/validators/index.d.ts', loaderTypes],
  ]);
}

const loaderTypes = `${banner}
/** How to load the validator of each built-in event version, by catalogue name. */
export declare const validators: Readonly<
  Record<string, (() => Promise<{ readonly validate: (payload: unknown) => boolean }>) | undefined>
>;
`;

function loaders(names: readonly string[]): string {
  const lines = names.map((name) => `  '${name}': () => import('./${name}.js'),\n`);
  return `${banner}export const validators = {\n  __proto__: null,\n${lines.join('')}};\n`;
}

/**
 * ajv's standalone code. It stops at the first error, so what it writes down on the way to a report is never read:
 * without it a module has a third of the bytes, and a valid payload allocates nothing. What is wrong with a
 * payload is found out apart, when somebody asks.
 */
function validatorModule(ajv: Ajv, schema: JsonSchema): string {
  let code = ajvStandalone.default(ajv, ajv.compile(schema));
  for (const [written, wanted] of simplifications) code = code.replace(written, wanted);
  if (!code.startsWith('export function validate(data)') || leftovers.test(code)) {
    throw new Error(`ajv writes its standalone code in another way than expected: ${code.slice(0, 300)}`);
  }
  return `${banner}${code}\n`;
}

const simplifications: readonly (readonly [RegExp, string])[] = [
  [/^"use strict";export const validate = validate\d+;export default validate\d+;/, ''],
  [/const schema\d+ = .*?;(?=function )/, ''],
  [/function validate\d+\(data, \{.*?\}=\{\}\)/, 'export function validate(data)'],
  // An error: the answer is no, at once ...
  [/validate\d+\.errors = \[\{.*?\}\}\];return false;/g, 'return false;'],
  [/ && \(missing\d+ = "[^"]*"\)/g, ''],
  [/let missing\d+;/g, ''],
  // ... so wherever the code goes on, there was none.
  [/let vErrors = null;let errors = 0;/, ''],
  [/const _errs\d+ = errors;/g, ''],
  [/var valid\d+ = (true|_errs\d+ === errors);/g, ''],
  [/if\(!valid\d+\)\{break;\}/g, ''],
  [/if\((valid\d+|errors === (_errs\d+|0))\)\{/g, '{'],
  [/else \{\}/g, ''],
  [/validate\d+\.errors = vErrors;return errors === 0;/, 'return true;'],
];

const leftovers = /validate\d+|vErrors|\b_errs\d|\bvalid\d|\bmissing\d|instancePath|require\(/;

/** Only what is to be checked, with every shape in its place: one function, and no text. */
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
