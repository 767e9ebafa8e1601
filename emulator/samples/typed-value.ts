import { BusbarError } from 'busbar/base';
import { article, type Field } from './field-at.js';
import { formatFieldPath } from './field-path.js';

/**
 * Parses a value by the type of its field: numbers, booleans, objects and lists from JSON, strings unchanged.
 * @throws BusbarError `invalid-option` with the field and its type, but not the text.
 */
export function typedValue({ path, type, schema }: Field, text: string): unknown {
  if (text === 'null' && Array.isArray(schema.type) && schema.type.includes('null')) return null;
  if (type === 'string') return text;
  const value =
    type === 'boolean' || type === 'null' || isNumber(text) || isComposite(text) ? json(text) : undefined;
  const fits =
    (type === 'integer' && Number.isSafeInteger(value)) ||
    (type === 'number' && Number.isFinite(value)) ||
    (type === 'boolean' && typeof value === 'boolean') ||
    (type === 'null' && value === null) ||
    (type === 'array' && Array.isArray(value)) ||
    (type === 'object' && typeof value === 'object' && value !== null && !Array.isArray(value));
  if (fits) return value;
  const example = examples[type];
  throw new BusbarError(
    'invalid-option',
    `"${formatFieldPath(path)}" is ${article(type)}, but its value is not. Write it as ${example}.`,
  );
}

const examples = {
  integer: '42',
  number: '4.2',
  boolean: 'true or false',
  object: '\'{"name": "value"}\'',
  array: '\'["value"]\'',
  null: 'null',
} as const;

function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text);
}

function isComposite(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
