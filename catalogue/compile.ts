import type { Check, Depth } from './compile-now.js';
import type { JsonSchema } from './schema.js';

/** {@link compileNow}, which loads ajv at the first call: consumers of built-in, valid events do not need it. */
export async function compileCheck(name: string, schema: JsonSchema, depth: Depth): Promise<Check> {
  const { compileNow } = await import('./compile-now.js');
  return compileNow(name, schema, depth);
}
