import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BusbarError } from '../../src/base/errors.js';

/**
 * A module of the user's, by its path. Node reads TypeScript by itself from 22.18 on; before that, by way of tsx where
 * the user has it.
 * @throws BusbarError `scenario-failed` where nobody reads TypeScript, and what the module throws.
 */
export async function importModule(path: string): Promise<Record<string, unknown>> {
  const url = pathToFileURL(path).href;
  const readsTypes = (process.features as { typescript?: unknown }).typescript;
  if (!/\.[cm]?ts$/.test(path) || (readsTypes !== undefined && readsTypes !== false)) {
    return (await import(url)) as Record<string, unknown>;
  }
  const tsx = await loadTsx(path);
  return tsx.tsImport(url, import.meta.url);
}

interface Tsx {
  readonly tsImport: (specifier: string, parent: string) => Promise<Record<string, unknown>>;
}

/** tsx of the module's own project, as an ES module, which is how a module there would get it. */
async function loadTsx(path: string): Promise<Tsx> {
  try {
    const manifest = createRequire(path).resolve('tsx/package.json');
    const { exports } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      exports: { './esm/api': { import: { default: string } } };
    };
    const file = resolve(manifest, '..', exports['./esm/api'].import.default);
    return (await import(pathToFileURL(file).href)) as Tsx;
  } catch (error) {
    const hint =
      'Install tsx beside it (npm install --save-dev tsx), compile it, or take Node 22.18 or newer.';
    const message = `Node ${process.versions.node} does not read TypeScript. ${hint}`;
    throw new BusbarError('scenario-failed', message, { cause: error });
  }
}
