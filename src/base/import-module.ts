import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BusbarError, quoted } from './errors.js';

/**
 * Imports a module of the user by its path. tsx of the user's project reads TypeScript. Without tsx, Node from version 22.18
 * on reads most of it.
 * @throws BusbarError `invalid-module` if neither can read it, and any error of the module.
 */
export async function importModule(path: string): Promise<Record<string, unknown>> {
  const url = pathToFileURL(path).href;
  if (!/\.[cm]?ts$/.test(path)) return (await import(url)) as Record<string, unknown>;
  const tsx = await loadTsx(path);
  if (tsx === undefined) return await importWithoutTsx(url);
  const loaded = await tsx.tsImport(url, import.meta.url);
  // In a project of CommonJS modules.
  const exported = loaded['default'] as Record<string, unknown> | undefined;
  return exported?.['__esModule'] === true ? exported : loaded;
}

/**
 * Imports a module of the user, named relative to a directory.
 * @throws BusbarError `invalid-module` for a missing file, and for a module that throws when it is imported
 */
export async function loadModule(file: string, directory = process.cwd()): Promise<Record<string, unknown>> {
  const path = resolve(directory, file);
  if (!existsSync(path))
    throw new BusbarError('invalid-module', `File ${quoted(file)} does not exist. Check its path.`);
  try {
    return await importModule(path);
  } catch (cause) {
    if (cause instanceof BusbarError) {
      const message = `Module ${quoted(file)} cannot be read: ${cause.message}`;
      throw new BusbarError('invalid-module', message, { cause });
    }
    // The developer's own module, before any payload: its message has no payload values.
    const reason =
      cause instanceof Error ? `${cause.name}: ${cause.message.split('\n')[0] ?? ''}` : String(cause);
    throw new BusbarError('invalid-module', `Module ${quoted(file)} throws when it is imported: ${reason}`, {
      cause,
    });
  }
}

interface Tsx {
  readonly tsImport: (specifier: string, parent: string) => Promise<Record<string, unknown>>;
}

/** Loads tsx of the module's project, as an ES module, if the project has it. */
async function loadTsx(path: string): Promise<Tsx | undefined> {
  let manifest: string;
  try {
    manifest = createRequire(path).resolve('tsx/package.json');
  } catch {
    return undefined;
  }
  const { exports } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    exports: { './esm/api': { import: { default: string } } };
  };
  const file = resolve(manifest, '..', exports['./esm/api'].import.default);
  return (await import(pathToFileURL(file).href)) as Tsx;
}

async function importWithoutTsx(url: string): Promise<Record<string, unknown>> {
  const { features, versions } = process;
  const reads = (features as { typescript?: unknown }).typescript;
  const node = `Node ${versions.node} does not read`;
  const tsx = 'tsx (npm install --save-dev tsx)';
  if (reads === undefined || reads === false) {
    const hint = `Install ${tsx}, compile the file, or use Node 22.18 or later.`;
    throw new BusbarError('invalid-module', `${node} TypeScript. ${hint}`);
  }
  try {
    return (await import(url)) as Record<string, unknown>;
  } catch (cause) {
    // It removes types, and does nothing else: no file of another ending, no enum, no import in a CommonJS module.
    const { code, message } = cause as NodeJS.ErrnoException;
    if (!(cause instanceof SyntaxError) && code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const [problem = ''] = message.split('\n');
    throw new BusbarError('invalid-module', `${node} it: ${problem}. Correct it, or install ${tsx}.`, {
      cause,
    });
  }
}
