/**
 * @internal Shared code of Busbar's packages. May change in any release; `busbar` exports the public part.
 */
export * from './byte-order-mark.js';
export * from './clock.js';
export * from './defined.js';
export * from './duration.js';
export * from './errors.js';
export * from './field-name.js';
export * from './grouped.js';
export * from './gunzipped.js';
export * from './header-reader.js';
export * from './heap.js';
export * from './import-module.js';
export * from './is-deeper.js';
export * from './json-pointer.js';
export * from './listen.js';
export * from './logger.js';
export * from './matcher.js';
export * from './nearest.js';
export * from './newest.js';
export * from './once.js';
export * from './one-at-a-time.js';
export * from './options.js';
export * from './outage-log.js';
export * from './output.js';
export * from './read-text.js';
export * from './user-frame.js';
