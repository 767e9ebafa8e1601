import { existsSync } from 'node:fs';
import type * as library from '../src/index.js';

/** Where `npm run build` has put a module of the sources. */
export function builtUrl(path: string): URL {
  return new URL(`../dist/${path}.js`, import.meta.url);
}

export function isBuilt(path: string): boolean {
  return existsSync(builtUrl(path));
}

/** A module of the sources as its users load it; `path` is that of the file without its ending. */
export async function built<Module>(path: string): Promise<Module> {
  return (await import(builtUrl(path).href)) as Module;
}

/** The library as its users load it: what compiles the benchmarks themselves changes functions on the way. */
export async function builtLibrary(): Promise<typeof library> {
  return (await import(builtUrl('src/index').href)) as typeof library;
}
