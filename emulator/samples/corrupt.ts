import { BusbarError } from 'busbar/base';
import { type Field } from './field-at.js';
import { formatFieldPath, parseFieldPath, readField, removeField, writeField } from './field-path.js';
import type { FieldType } from './schema-view.js';

/** A change that makes a payload invalid. An extra field is valid by most schemas. */
export interface Corruption {
  readonly kind: 'missing' | 'type' | 'extra';
  /** For example `supply_points[0].market_name`. */
  readonly path: string;
}

/**
 * Corrupts the payload: removes a required field, gives a field a value of another type, or adds an unknown field.
 * @param field The field in the schema; undefined for an unknown field.
 * @throws BusbarError `invalid-option` for a corruption that does not fit the schema or the payload.
 */
export function corrupt(
  payload: Record<string, unknown>,
  corruption: Corruption,
  field: Field | undefined,
): void {
  const { kind, path: text } = corruption;
  const path = field?.path ?? parseFieldPath(text);
  const holder = readField(payload, path.slice(0, -1));
  const isThere = holder !== undefined && readField(payload, path) !== undefined;
  if (kind === 'extra') {
    const isPlace = typeof path.at(-1) === 'number';
    if (field !== undefined || isThere || isPlace)
      refuse(corruption, 'the event has it already: name one that it does not have');
    if (!writeField(payload, path, 'unexpected')) {
      refuse(corruption, `the payload has no "${formatFieldPath(path.slice(0, -1))}" to put it in`);
    }
    return;
  }
  if (kind === 'missing' && field?.isRequired !== true)
    refuse(corruption, 'the event is valid without it: name a required field');
  if (!isThere) refuse(corruption, 'the payload does not have it: set it first');
  if (kind === 'missing') removeField(payload, path);
  else writeField(payload, path, wrongValues[field?.type ?? 'string']);
}

/** For each type, a value of another type. */
const wrongValues: Readonly<Record<FieldType, unknown>> = {
  string: 0,
  integer: 'not a number',
  number: 'not a number',
  boolean: 'not a boolean',
  object: [],
  array: {},
  null: false,
};

function refuse({ kind, path }: Corruption, why: string): never {
  throw new BusbarError('invalid-option', `"${kind}:${path}" cannot be done: ${why}.`);
}
