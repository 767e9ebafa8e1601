import { fileURLToPath } from 'node:url';
import type * as sources from './measured.js';

/**
 * What `npm run build` makes of `measured.ts`: what compiles the benchmarks themselves changes functions on the way. For
 * the same reason they import what the package has by its name.
 */
export const measured = (await import(
  new URL('../dist/bench/measured.js', import.meta.url).href
)) as typeof sources;

/** The built program `emulate`. */
export const emulate = fileURLToPath(new URL('../dist/emulator/cli/main.js', import.meta.url));
