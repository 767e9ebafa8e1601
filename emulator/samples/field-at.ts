import type { CatalogueEvent, JsonSchema } from '../../catalogue/index.js';
import { BusbarError } from '../../src/base/errors.js';
import { type FieldPath, formatFieldPath, parseFieldPath } from './field-path.js';
import { type Shapes, view } from './schema-view.js';
import type { FieldType } from './subject.js';

/** A field of an event as its schema describes it. */
export interface Field {
  readonly path: FieldPath;
  readonly type: FieldType;
  readonly schema: JsonSchema;
  /** False where the object that it is in may be without it, as for a place in a list. */
  readonly isRequired: boolean;
}

interface Described {
  readonly event: CatalogueEvent;
  readonly schema: JsonSchema;
  readonly shapes: Shapes;
}

/**
 * Follows a path through the schema of an event. What lies inside an object whose contents are left open is taken
 * for a string.
 * @throws BusbarError `invalid-option` for a path that leads nowhere; names the event, the path and what is there.
 */
export function fieldAt({ event, schema, shapes }: Described, text: string): Field {
  const path = parseFieldPath(text);
  let seen = view(schema, shapes);
  let isRequired = true;
  for (const [place, part] of path.entries()) {
    const before = formatFieldPath(path.slice(0, place));
    if (typeof part === 'number') {
      if (seen.type !== 'array') nowhere(event, text, `"${before}" is ${article(seen.type)}, not a list`);
      seen = view(seen.schema.items, shapes);
      isRequired = false;
      continue;
    }
    const { properties } = seen.schema;
    if (seen.type !== 'object') {
      const advice = seen.type === 'array' ? `: write "${before}[0]"` : '';
      nowhere(event, text, `"${before}" is ${article(seen.type)}, which has no fields${advice}`);
    }
    // An object whose fields are not listed can have any.
    if (properties === undefined) {
      return { path, type: 'string', schema: {}, isRequired: false };
    }
    const next = properties[part];
    if (next === undefined || !Object.hasOwn(properties, part)) {
      const holder = before === '' ? '' : ` "${before}"`;
      nowhere(event, text, `the fields of${holder || ' the event'} are ${listed(Object.keys(properties))}`);
    }
    isRequired = (seen.schema.required ?? []).includes(part);
    seen = view(next, shapes);
  }
  return { path, type: seen.type, schema: seen.schema, isRequired };
}

function nowhere({ name }: CatalogueEvent, text: string, why: string): never {
  throw new BusbarError('invalid-option', `"${name}" has no field "${text}": ${why}.`);
}

/** `a string`, `an object` */
export function article(type: FieldType): string {
  const word = type === 'array' ? 'list' : type;
  return `${/^[aeio]/.test(word) ? 'an' : 'a'} ${word}`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 30).map((name) => `"${name}"`);
  return names.length > shown.length ? `${shown.join(', ')} and more` : shown.join(', ');
}
