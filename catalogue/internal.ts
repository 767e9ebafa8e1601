/** @internal Functions on schemas and events for Busbar's own packages. */
export { alternativesOf } from './diff/alternatives.js';
export type { FieldReads } from './diff/field-reads.js';
export { domainOf } from './event-index.js';
export { eventNamed } from './event-named.js';
export { keyFields } from './key-entities.js';
export { shapeOf, standalone, withOwnFields } from './schema.js';
export { brokenLine } from './sources/broken-line.js';
