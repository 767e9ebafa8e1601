import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BusbarError } from '../../src/errors.js';
import { quoted } from '../../src/quoted.js';
import type { PlatformScenario } from '../scenarios/define.js';

/**
 * What `--scenario` names: a file (`./my-scenario.ts`, `./my-scenario.js`) gives every scenario that it exports,
 * anything else is the name of a built-in one.
 * @throws BusbarError `unknown-scenario` for a file that is not there or exports none; `scenario-failed` for one that
 *   cannot be loaded.
 */
export async function loadScenario(name: string): Promise<(string | PlatformScenario)[]> {
  if (!/^\.{0,2}\/|\.[cm]?[jt]s$/.test(name)) return [name];
  const path = resolve(name);
  if (!existsSync(path)) {
    throw new BusbarError('unknown-scenario', `There is no file ${quoted(name)}. Check its path.`);
  }
  const found = Object.values(await load(path, name)).filter(isScenario);
  if (found.length > 0) return found;
  const hint = 'Export what "defineScenario" of "busbar/emulator" returns.';
  throw new BusbarError('unknown-scenario', `File ${quoted(name)} exports no scenario. ${hint}`);
}

async function load(path: string, name: string): Promise<Record<string, unknown>> {
  try {
    return await importModule(path);
  } catch (error) {
    if (error instanceof BusbarError) throw error;
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new BusbarError('scenario-failed', `File ${quoted(name)} cannot be loaded: ${reason}`, {
      cause: error,
    });
  }
}

/** Node reads TypeScript by itself from 22.18 on; before that, by way of tsx where the user has it. */
async function importModule(path: string): Promise<Record<string, unknown>> {
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

/** tsx of the scenario's own project, as an ES module, which is how a module there would get it. */
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

function isScenario(value: unknown): value is PlatformScenario {
  if (typeof value !== 'object' || value === null) return false;
  const { name, branches, run } = value as Partial<PlatformScenario>;
  return typeof name === 'string' && typeof branches === 'object' && typeof run === 'function';
}
