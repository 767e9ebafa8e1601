import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { BusbarError, firstLine, importModule, quoted, reworded } from 'busbar/base';
import type { PlatformScenario } from '../scenarios/define.js';
import type { PlanOptions } from './plan.js';

type Named = string | PlatformScenario;

/** Replaces each path of a file by the scenarios that it exports. @throws BusbarError as {@link loadScenario} does */
export async function loadScenarios(named: Named | readonly Named[]): Promise<Named[]> {
  return (await Promise.all([named].flat().map(loadScenario))).flat();
}

/** Returns options with their scenarios loaded. A name of `scenario` may be one of `scenarios`. @throws BusbarError as {@link loadScenario} does */
export async function withScenarios<O extends Pick<PlanOptions, 'scenario' | 'scenarios'>>(options: O) {
  const scenarios = (await loadScenarios(options.scenarios ?? [])).filter((each) => typeof each !== 'string');
  const scenario = await loadScenarios(options.scenario ?? []);
  const known = (each: Named) => scenarios.find(({ name }) => name === each) ?? each;
  return { ...options, scenario: scenario.map(known), scenarios };
}

/** Returns the path of the file that a scenario was loaded from, or undefined for any other scenario. */
export function fileOf(scenario: PlatformScenario): string | undefined {
  return files.get(scenario);
}

const files = new WeakMap<PlatformScenario, string>();

/** Returns the SHA-256 of each file among the scenarios, by its path. @throws BusbarError `unknown-scenario` */
export function scenarioFiles({ scenario = [], scenarios = [] }: PlanOptions): Record<string, string> {
  const named = [...[scenario].flat(), ...scenarios];
  const paths = named.filter((each) => typeof each === 'string' && isFile(each)) as string[];
  return Object.fromEntries(
    paths.map((name) => {
      const [file = ''] = name.split('#');
      const content = readFileSync(requireFile(file));
      return [file, `sha256:${createHash('sha256').update(content).digest('hex')}`];
    }),
  );
}

/**
 * Loads the scenarios that a file (`./my-scenario.ts`, `./my-scenario.js`) exports, or one of them
 * (`./my-scenario.ts#name`). Any other name stays as it is.
 * @throws BusbarError `unknown-scenario` for a missing file or one without scenarios, and `scenario-failed` for one that
 *   cannot be loaded.
 */
async function loadScenario(name: Named): Promise<Named[]> {
  if (typeof name !== 'string' || !isFile(name)) return [name];
  const [file = '', only] = name.split('#');
  if (!isProgram.test(name)) {
    const hint = 'Name one that ends in .ts or .js.';
    throw new BusbarError('unknown-scenario', `File ${quoted(file)} is not a program. ${hint}`);
  }
  const exported = Object.values(await load(requireFile(file), file)).filter(isScenario);
  const scenarios = exported.filter((each) => only === undefined || each.name === only);
  for (const each of scenarios) files.set(each, file);
  if (scenarios.length > 0) return scenarios;
  const hint = 'Export what "defineScenario" of "busbar-emulator" returns.';
  throw new BusbarError('unknown-scenario', `File ${quoted(name)} exports no scenario. ${hint}`);
}

function isFile(name: string): boolean {
  return /^\.{0,2}\//.test(name) || isProgram.test(name);
}

const isProgram = /\.[cm]?[jt]s(#|$)/;

function requireFile(file: string): string {
  const path = resolve(file);
  if (existsSync(path)) return path;
  throw new BusbarError('unknown-scenario', `There is no file ${quoted(file)}. Check its path.`);
}

async function load(path: string, name: string): Promise<Record<string, unknown>> {
  try {
    return await importModule(path);
  } catch (error) {
    const about = (reason: string) => `File ${quoted(name)} cannot be loaded: ${reason}`;
    if (error instanceof BusbarError) throw error.code === 'invalid-module' ? reworded(error, about) : error;
    const reason = error instanceof Error ? firstLine(error) : String(error);
    throw new BusbarError('scenario-failed', about(reason), { cause: error });
  }
}

function isScenario(value: unknown): value is PlatformScenario {
  if (typeof value !== 'object' || value === null) return false;
  const { name, branches, run } = value as Partial<PlatformScenario>;
  return typeof name === 'string' && typeof branches === 'object' && typeof run === 'function';
}
