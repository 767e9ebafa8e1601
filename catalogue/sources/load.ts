import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';
import { digest } from '../generated/events.js';
import { type Catalogue, openDefinitions, type Validator } from '../open.js';
import { readSources, requireKeys, withoutBuiltIn } from './read-sources.js';
import { openValidatorCache } from './validator-cache.js';

const requireModule = createRequire(import.meta.url);

/** Raise it when `validatorCode()` writes other code for the same schemas. */
const codeVersion = 1;

/** Opens a catalogue over schemas in files, with validators from the cache. @throws BusbarError */
export async function load(sources: readonly string[], directory: string): Promise<Catalogue> {
  const own = await withoutBuiltIn(readSources(sources, directory));
  const { version } = requireModule('ajv/package.json') as { version: string };
  const state = JSON.stringify([codeVersion, version, digest, own]);
  const cache = openValidatorCache(directory, JSON.stringify([directory, sources]), state);
  const stored = cache.read();
  if (stored !== undefined) return openDefinitions(own, validatorsIn(stored)).catalogue;
  const { catalogue, additions } = openDefinitions(own);
  requireKeys(own);
  const { validatorCode } = await import('./validator-code.js');
  const code = await validatorCode(additions, catalogue);
  cache.write(code);
  return openDefinitions(own, validatorsIn(code)).catalogue;
}

/** Runs the code of validators, which ajv has generated. */
function validatorsIn(code: string): Readonly<Record<string, Validator>> {
  const exports = {};
  const define = runInThisContext(`(function (exports, require) {${code}\n})`) as (
    ...names: readonly unknown[]
  ) => void;
  define(exports, requireModule);
  return exports;
}
