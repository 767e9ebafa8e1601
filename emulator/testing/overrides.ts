import { BusbarError, isObject } from 'busbar/base';
import type { CatalogueEvent } from 'busbar/catalogue';
import { type FieldPath, formatFieldPath } from '../samples/field-path.js';
import type { Sampler } from '../samples/sampler.js';

/**
 * Parts of a payload, at any depth. An object overrides the fields that it has; `undefined` removes an optional field.
 * A list sets the number of items; missing fields of its objects are filled in.
 */
export type Overrides<P> = P extends readonly (infer Item)[]
  ? readonly Overrides<Item>[]
  : P extends object
    ? { readonly [Field in keyof P]?: Overrides<P[Field]> | undefined }
    : P;

/**
 * Converts overrides for the sampler. `absent` has the fields to remove.
 * @throws BusbarError `invalid-option` for a field that the event does not have
 */
export function readOverrides(given: object, event: CatalogueEvent, sampler: Sampler) {
  const overrides: Record<string, unknown> = {};
  const lengths: Record<string, number> = {};
  const absent: FieldPath[] = [];

  function read(value: unknown, path: FieldPath): void {
    const text = formatFieldPath(path);
    const field = path.length === 0 ? undefined : sampler.fieldAt(event, text);
    if (value === undefined) {
      if (typeof path.at(-1) === 'number') {
        const message = `"${event.name}": "${text}" cannot be undefined. Give a value, or a shorter list.`;
        throw new BusbarError('invalid-option', message);
      }
      absent.push(path);
    } else if (Array.isArray(value) && value.some(isObject)) {
      lengths[text] = value.length;
      for (const [index, item] of value.entries()) read(item, [...path, index]);
    } else if (isObject(value) && (field === undefined || field.schema.properties !== undefined)) {
      for (const [name, each] of Object.entries(value)) read(each, [...path, name]);
    } else overrides[text] = value;
  }

  read(given, []);
  return { overrides, lengths, absent };
}
