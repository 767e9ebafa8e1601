import type { Api } from '../api.js';
import * as served from './index.js';

/** All APIs that the broker serves, by key and in its order. */
export const apis: ReadonlyMap<number, Api> = new Map(
  Object.values(served)
    .sort((one, other) => one.key - other.key)
    .map((api) => [api.key, api]),
);
