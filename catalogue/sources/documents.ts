import type { Definitions } from '../additions.js';
import type { JsonSchema } from '../schema.js';

/** Reads a document that has several schemas; undefined for one schema. @throws BusbarError `invalid-schema` */
export function readDocument(_document: JsonSchema, _place: string): Partial<Definitions> | undefined {
  return undefined;
}
