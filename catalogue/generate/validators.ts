import { type Documents, type JsonSchema, shapeOf } from '../schema.js';
import { banner, type Outputs } from './outputs.js';

/**
 * Generates `validators.js`: one file, because a process that loads a file for each handler starts later. A function of
 * ajv would be four times as long, and each process that starts reads all of them. Tests compare the verdicts with ajv's.
 */
export function generateValidators({ events, shapes }: Documents): Outputs {
  const functions = Object.entries(events).map(
    ([name, event]) => `  '${name}'(value){${new ValidatorCode(shapes).of(event)}return true;},\n`,
  );
  return new Map([
    [
      'catalogue/generated/validators.js',
      `${banner}${isObject}export const validators = {\n  __proto__: null,\n${functions.join('')}};\n`,
    ],
    ['catalogue/generated/validators.d.ts', types],
  ]);
}

const types = `${banner}
/** The validators of built-in event versions, by catalogue name. */
export declare const validators: Readonly<Record<string, ((payload: unknown) => boolean) | undefined>>;
`;

const isObject = `const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);\n`;

/** Returns code that is true for a value of any other type, undefined included. */
const otherThan: Readonly<Record<string, (value: string) => string>> = {
  string: (value) => `typeof ${value}!=='string'`,
  boolean: (value) => `typeof ${value}!=='boolean'`,
  integer: (value) => `!Number.isInteger(${value})`,
  number: (value) => `!Number.isFinite(${value})`,
  array: (value) => `!Array.isArray(${value})`,
  object: (value) => `!isObject(${value})`,
};

/** The body of one function. It returns false at the first violation, and allocates nothing. */
class ValidatorCode {
  readonly #shapes: Documents['shapes'];
  #variables = 0;

  constructor(shapes: Documents['shapes']) {
    this.#shapes = shapes;
  }

  /** Returns statements that return false for a value that breaks the schema. */
  of(schema: JsonSchema, value = 'value'): string {
    const { type, properties = {}, required = [], items } = this.#resolved(schema);
    const others = required.filter((name) => !(name in properties));
    return [
      rejectIf(otherThan[String(type)]?.(value) ?? unknown(type)),
      ...others.map((name) => rejectIf(`${fieldOf(value, name)}===undefined`)),
      ...Object.entries(properties).map(([name, part]) =>
        this.#field(fieldOf(value, name), part, required.includes(name)),
      ),
      items === undefined ? '' : this.#items(value, items),
    ].join('');
  }

  #field(field: string, part: JsonSchema, isRequired: boolean): string {
    const { properties, items, type } = this.#resolved(part);
    if (properties === undefined && items === undefined) {
      const isOther = otherThan[String(type)]?.(field) ?? unknown(type);
      return rejectIf(isRequired ? isOther : `${field}!==undefined&&${isOther}`);
    }
    const variable = this.#variable();
    const statements = this.of(part, variable);
    return `const ${variable}=${field};${isRequired ? statements : `if(${variable}!==undefined){${statements}}`}`;
  }

  #items(list: string, items: JsonSchema): string {
    const [index, item] = [this.#variable(), this.#variable()];
    const loop = `for(let ${index}=0;${index}<${list}.length;${index}++)`;
    return `${loop}{const ${item}=${list}[${index}];${this.of(items, item)}}`;
  }

  #variable(): string {
    return `v${this.#variables++}`;
  }

  /** Returns the schema, or the shape that it refers to. */
  #resolved(schema: JsonSchema): JsonSchema {
    const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
    return reference === undefined ? schema : this.#resolved(this.#shapes[shapeOf(reference)] ?? {});
  }
}

function rejectIf(condition: string): string {
  return `if(${condition})return false;`;
}

function fieldOf(value: string, name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `${value}.${name}` : `${value}[${JSON.stringify(name)}]`;
}

function unknown(type: JsonSchema['type']): never {
  throw new Error(`A schema of the catalogue has the type "${String(type)}", which has no code.`);
}
