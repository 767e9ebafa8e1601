import { fileURLToPath } from 'node:url';
import type * as sources from './measured.js';

/**
 * The built `measured.ts`: the compiler of the benchmarks would change its functions. For the same reason, benchmarks
 * import the package by its name.
 */
export const measured = (await import(
  new URL('../emulator/dist/bench/measured.js', import.meta.url).href
)) as typeof sources;

/** The built program `emulate`. */
export const emulate = fileURLToPath(new URL('../emulator/bin/emulate.js', import.meta.url));

/** The built program `busbar`. */
export const busbar = fileURLToPath(new URL('../src/cli/bin/busbar.js', import.meta.url));
