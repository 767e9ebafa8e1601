/** @internal Synchronous validation for samples. Loads every schema and ajv's compiler. */
import { events, shapes } from '#generated/schemas.js';
import { type Documents, withOwnFields } from './schema.js';

export { compileNow } from './compile-now.js';
export { violationsOf } from './violations.js';

/** Returns the schemas of the built-in events, each with the fields of its shapes. */
export function builtInDocuments(): Documents {
  const named = Object.entries(events).map(
    ([name, schema]) => [name, withOwnFields(schema, shapes)] as const,
  );
  return { shapes, events: Object.fromEntries(named) };
}
