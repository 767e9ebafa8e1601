import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonSchema } from './schema.js';

export type { ErrorObject };

/** How far a compiled check goes: to the first error, or to all; `strict` minds unknown fields too. */
export type Depth = 'first' | 'all' | 'strict-first' | 'strict-all';

/** `true` when valid; otherwise `errors` holds what ajv found. */
export type Check = Pick<ValidateFunction, 'errors'> & ((payload: unknown) => boolean);

/** {@link compileNow} with ajv loaded by the first call: nobody pays for it who neither adds events nor meets an invalid payload. */
export async function compileCheck(name: string, schema: JsonSchema, depth: Depth): Promise<Check> {
  const { compileNow } = await import('./compile-now.js');
  return compileNow(name, schema, depth);
}
