import { BusbarError } from 'busbar/base';
import type { CatalogueEvent, JsonSchema } from 'busbar/catalogue';
import { type FieldPath, formatFieldPath, parseFieldPath } from './field-path.js';
import { type FieldType, itemOf, type Shapes, view } from './schema-view.js';

/** A field of an event's schema. */
export interface Field {
  readonly path: FieldPath;
  readonly type: FieldType;
  readonly schema: JsonSchema;
  /** Whether its object requires it. False for a value of a list. */
  readonly isRequired: boolean;
}

interface Described {
  readonly event: CatalogueEvent;
  readonly schema: JsonSchema;
  readonly shapes: Shapes;
}

/**
 * Returns the field at a path of an event. Fields of an object without any schema for them count as strings.
 * @throws BusbarError `invalid-option` for a path without a field.
 */
export function fieldAt({ event, schema, shapes }: Described, text: string): Field {
  const path = parseFieldPath(text);
  let seen = view(schema, shapes);
  let isRequired = true;
  for (const [depth, part] of path.entries()) {
    const before = formatFieldPath(path.slice(0, depth));
    if (typeof part === 'number') {
      if (seen.type !== 'array') rejectPath(event, text, `"${before}" is ${article(seen.type)}, not a list`);
      seen = view(itemOf(seen.schema, part), shapes);
      isRequired = false;
      continue;
    }
    const { properties, additionalProperties } = seen.schema;
    if (seen.type !== 'object') {
      const advice = seen.type === 'array' ? `: write "${before}[0]"` : '';
      rejectPath(event, text, `"${before}" is ${article(seen.type)}, which has no fields${advice}`);
    }
    const further = typeof additionalProperties === 'object' ? additionalProperties : undefined;
    const next = properties !== undefined && Object.hasOwn(properties, part) ? properties[part] : further;
    if (next === undefined && properties === undefined)
      return { path, type: 'string', schema: {}, isRequired: false };
    if (next === undefined) {
      const holder = before === '' ? 'the event' : `"${before}"`;
      rejectPath(event, text, `the fields of ${holder} are ${listed(Object.keys(properties ?? {}))}`);
    }
    isRequired = (seen.schema.required ?? []).includes(part);
    seen = view(next as JsonSchema, shapes);
  }
  return { path, type: seen.type, schema: seen.schema, isRequired };
}

function rejectPath({ name }: CatalogueEvent, text: string, why: string): never {
  throw new BusbarError('invalid-option', `"${name}" has no field "${text}": ${why}.`);
}

/** Returns the type with its article, for example `an object`. */
export function article(type: FieldType): string {
  const word = type === 'array' ? 'list' : type;
  return `${/^[aeio]/.test(word) ? 'an' : 'a'} ${word}`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 30).map((name) => `"${name}"`);
  return names.length > shown.length ? `${shown.join(', ')} and more` : shown.join(', ');
}
