import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BusbarError, quoted } from './errors.js';
import { nearestUp } from './folders-up.js';

/**
 * Imports a module of the user by its path. tsx of the user's project reads TypeScript. Without tsx, Node from version 22.18
 * on reads most of it.
 * @throws BusbarError `invalid-module` if neither can read it or its syntax is wrong, and any error of the module.
 */
export async function importModule(path: string): Promise<Record<string, unknown>> {
  return importAs(path, pathToFileURL(path).href).catch((cause: unknown) => {
    const problem = syntaxProblem(cause, path);
    throw problem === undefined ? cause : new BusbarError('invalid-module', problem, { cause });
  });
}

async function importAs(path: string, url: string): Promise<Record<string, unknown>> {
  if (!/\.[cm]?ts$/.test(path)) return (await import(url)) as Record<string, unknown>;
  // As ES modules, tsx cannot read those of CommonJS of which one exports all of another.
  const kind = isCommonJs(path) ? 'cjs' : 'esm';
  const tsx = await loadTsx(path, kind);
  if (tsx === undefined) return await importWithoutTsx(url);
  if (kind === 'esm') return await tsx.tsImport(url, import.meta.url);
  const exported = tsx.require(path, import.meta.url);
  return exported['__esModule'] === true ? exported : { ...exported, default: exported };
}

/**
 * Imports a module of the user, named relative to a directory.
 * @throws BusbarError `invalid-module` for a missing file, and for a module that throws when it is imported
 */
export async function loadModule(file: string, directory = process.cwd()): Promise<Record<string, unknown>> {
  const path = resolve(directory, file);
  if (!existsSync(path) || !statSync(path).isFile())
    throw new BusbarError('invalid-module', `File ${quoted(file)} does not exist. Check its path.`);
  try {
    return await importModule(path);
  } catch (cause) {
    if (cause instanceof BusbarError) {
      const message = `Module ${quoted(file)} cannot be read: ${cause.message}`;
      throw new BusbarError('invalid-module', message, { cause });
    }
    // The developer's own module, before any payload: its message has no payload values.
    const reason = cause instanceof Error ? `${cause.name}: ${firstLine(cause)}` : String(cause);
    throw new BusbarError('invalid-module', `Module ${quoted(file)} throws when it is imported: ${reason}`, {
      cause,
    });
  }
}

/** Returns the first line of an error's message. */
export function firstLine({ message }: Error): string {
  return message.split('\n', 1)[0] ?? '';
}

/** Returns the line of a module at which its syntax is wrong; undefined for another error. */
function syntaxProblem(error: unknown, path: string): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const [, file = '', line, reason] = /^(.+):(\d+):\d+: ERROR: (.*)/m.exec(error.message) ?? [];
  if (line !== undefined) {
    // tsx reports .mts and .cts as .ts.
    const isOther = resolve(file) !== path.replace(/\.[cm]ts$/, '.ts');
    const inside = isOther ? ` of ${quoted(relative('', file))}` : '';
    return `Line ${line}${inside} is not TypeScript: ${reason}.`;
  }
  if (!(error instanceof SyntaxError)) return undefined;
  // The error itself does not name the line.
  const { stderr } = spawnSync(process.execPath, ['--check', path], { encoding: 'utf8' });
  const place = /:(\d+)$/m.exec(stderr)?.[1];
  return place && `Line ${place} is not JavaScript: ${firstLine(error)}.`;
}

interface Tsx {
  readonly require: (path: string, parent: string) => Record<string, unknown>;
  readonly tsImport: (specifier: string, parent: string) => Promise<Record<string, unknown>>;
}

/** Loads an API of tsx of the module's project, if the project has it. */
async function loadTsx(path: string, kind: 'cjs' | 'esm'): Promise<Tsx | undefined> {
  let manifest: string;
  try {
    manifest = createRequire(path).resolve('tsx/package.json');
  } catch {
    return undefined;
  }
  const { exports } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    exports: Record<`./${'cjs' | 'esm'}/api`, { readonly import: { readonly default: string } }>;
  };
  const file = resolve(manifest, '..', exports[`./${kind}/api`].import.default);
  return (await import(pathToFileURL(file).href)) as Tsx;
}

/** Whether Node reads a module as CommonJS: by its ending, or else by the package.json above it. */
function isCommonJs(path: string): boolean {
  if (!path.endsWith('.ts')) return path.endsWith('.cts');
  const manifest = nearestUp(dirname(path), 'package.json');
  if (manifest === undefined) return true;
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly type?: unknown }).type !== 'module';
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
    const error = cause as NodeJS.ErrnoException;
    if (!(cause instanceof SyntaxError) && error.code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const problem = `${node} it: ${firstLine(error)}. Correct it, or install ${tsx}.`;
    throw new BusbarError('invalid-module', problem, { cause });
  }
}
