import type { Check, Depth } from './compile-now.js';
import type { JsonSchema } from './schema.js';

/** {@link compileNow} with ajv loaded by the first call: nobody pays for it who neither adds events nor meets an invalid payload. */
export async function compileCheck(name: string, schema: JsonSchema, depth: Depth): Promise<Check> {
  const { compileNow } = await import('./compile-now.js');
  return compileNow(name, schema, depth);
}
