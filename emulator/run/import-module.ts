import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BusbarError } from 'busbar/base';

/**
 * Imports a module of the user by its path. Node reads TypeScript from version 22.18 on. Before, tsx of the user's project
 * reads it.
 * @throws BusbarError `scenario-failed` if neither can read TypeScript, and any error of the module.
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

/** Loads tsx of the module's project, as an ES module. */
async function loadTsx(path: string): Promise<Tsx> {
  try {
    const manifest = createRequire(path).resolve('tsx/package.json');
    const { exports } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      exports: { './esm/api': { import: { default: string } } };
    };
    const file = resolve(manifest, '..', exports['./esm/api'].import.default);
    return (await import(pathToFileURL(file).href)) as Tsx;
  } catch (error) {
    const hint = 'Install tsx (npm install --save-dev tsx), compile the file, or use Node 22.18 or later.';
    const message = `Node ${process.versions.node} does not read TypeScript. ${hint}`;
    throw new BusbarError('scenario-failed', message, { cause: error });
  }
}
