import {
  boolean,
  BusbarError,
  choice,
  defined,
  didYouMean,
  either,
  listOf,
  nearest,
  number,
  quoted,
  recordOf,
  text,
  type ValueType,
  whole,
} from 'busbar/base';
import type { SchemaError } from '../http/operations.js';

/** The parts of a schema that messages describe. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly not?: { readonly required?: readonly string[] };
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

/** Returns an error that names the first violation of the document, and the allowed values. */
export function objectionTo(errors: readonly SchemaError[]): BusbarError {
  // The last error of alternatives describes all of them.
  const { keyword, instancePath, params, parentSchema = {} } = errors.at(-1) as SchemaError;
  const [, ...path] = instancePath.split('/').slice(1);
  const schema = parentSchema as Schema;
  const names = Object.keys(schema.properties ?? {});
  switch (keyword) {
    case 'additionalProperties': {
      const unknown = String(params['additionalProperty']);
      const hint = didYouMean(nearest(unknown, names)) || ` Its members: ${names.join(', ') || 'none'}.`;
      return objection(`The request has an unknown member ${quoted(unknown)}.${hint}`);
    }
    case 'required':
      return objection(`${quoted([...path, params['missingProperty']].join('.'))} is missing.`);
    case 'minProperties':
    case 'maxProperties':
      return objection(`Give either ${names.map(quoted).join(' or ')}.`);
    case 'not':
      return objection(`Give either ${(schema.not?.required ?? []).map(quoted).join(' or ')}.`);
    case 'maxLength':
      return objection(`${quoted(path.join('.'))} must have at most ${schema.maxLength} characters.`);
    default: {
      const name = path.length === 0 ? 'The body' : quoted(path.join('.'));
      return objection(`${name} must be ${typeOf(schema).expected}.`);
    }
  }
}

function objection(message: string): BusbarError {
  return new BusbarError('invalid-option', message);
}

/** Returns the option type that describes a schema in messages. */
function typeOf(schema: Schema): ValueType {
  const { type, format, items = {}, additionalProperties, minimum, maximum } = schema;
  const bounds = defined({ from: minimum, to: maximum });
  if (schema.enum !== undefined) return choice(...schema.enum);
  if (schema.anyOf !== undefined) return either(...schema.anyOf.map(typeOf));
  if (typeof type === 'object') return either(...type.map((each) => typeOf({ ...schema, type: each })));
  if (format === 'date-time') return { ...text, expected: 'an instant, for example 2026-03-02T09:00:00Z' };
  switch (type) {
    case 'boolean':
      return boolean;
    case 'integer':
      return whole(bounds);
    case 'number':
      return number(bounds);
    case 'array':
      return listOf(typeOf(items));
    case 'object':
      return typeof additionalProperties === 'object'
        ? recordOf(typeOf(additionalProperties))
        : { ...text, expected: 'an object' };
    case undefined:
    default:
      return text;
  }
}
