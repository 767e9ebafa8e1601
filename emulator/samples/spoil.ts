import { BusbarError } from '../../src/base/errors.js';
import { type Field } from './field-at.js';
import { formatFieldPath, parseFieldPath, readField, removeField, writeField } from './field-path.js';
import type { FieldType } from './subject.js';

/** A way of making a payload other than its schema says. */
export interface Damage {
  readonly kind: 'missing' | 'type' | 'extra';
  /** As it was typed: `supply_points[0].market_name`. */
  readonly path: string;
}

/**
 * Does the damage to the payload: a required field is taken out, a field gets a value of another type, or a field
 * is added that the schema does not know.
 * @param field What the schema says about the path; undefined where it says nothing.
 * @throws BusbarError `invalid-option` when this would be no damage, or when the payload has no such place.
 */
export function spoil(payload: Record<string, unknown>, damage: Damage, field: Field | undefined): void {
  const { kind, path: text } = damage;
  const path = field?.path ?? parseFieldPath(text);
  const holder = readField(payload, path.slice(0, -1));
  const isThere = holder !== undefined && readField(payload, path) !== undefined;
  if (kind === 'extra') {
    const isPlace = typeof path.at(-1) === 'number';
    if (field !== undefined || isThere || isPlace)
      refuse(damage, 'the event has it already: name one that it does not have');
    if (!writeField(payload, path, 'unexpected')) {
      refuse(damage, `the payload has no "${formatFieldPath(path.slice(0, -1))}" to put it in`);
    }
    return;
  }
  if (kind === 'missing' && field?.isRequired !== true)
    refuse(damage, 'the event is valid without it: name a required field');
  if (!isThere) refuse(damage, 'the payload does not have it: set it first');
  if (kind === 'missing') removeField(payload, path);
  else writeField(payload, path, wrongValues[field?.type ?? 'string']);
}

/** For each type a value that is of another. */
const wrongValues: Readonly<Record<FieldType, unknown>> = {
  string: 0,
  integer: 'not a number',
  number: 'not a number',
  boolean: 'not a boolean',
  object: [],
  array: {},
  null: false,
};

function refuse({ kind, path }: Damage, why: string): never {
  throw new BusbarError('invalid-option', `"${kind}:${path}" cannot be done: ${why}.`);
}
