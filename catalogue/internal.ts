/** @internal Functions on schemas and events for Busbar's own packages. */
export { domainOf } from './event-index.js';
export { isKeyEntity, usualKey } from './key-entities.js';
export { shapeOf, standalone, withOwnFields } from './schema.js';
