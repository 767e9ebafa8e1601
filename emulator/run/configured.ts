import { relative } from 'node:path';
import type { EnvelopeCodec } from 'busbar';
import { quoted, reworded } from 'busbar/base';
import type { Catalogue } from 'busbar/catalogue';
import { loadConfig } from 'busbar/config';
import type { PlatformScenario } from '../scenarios/define.js';
import { withScenarios } from './load-scenario.js';
import type { PlanOptions } from './plan.js';

/** Opens the catalogue of the nearest configuration file, else the built-in catalogue. @throws BusbarError `invalid-module` */
export async function configuredCatalogue(): Promise<Catalogue> {
  return (await loadConfig()).openCatalogue();
}

/** Opens the wire format of the nearest configuration file; undefined for Busbar's own. @throws BusbarError `invalid-module` */
export async function configuredEnvelope(): Promise<EnvelopeCodec | undefined> {
  const config = await loadConfig();
  return config.envelope === undefined ? undefined : config.openEnvelope();
}

/** Returns the scenario files of the nearest configuration file, as an option. @throws BusbarError `invalid-module` */
export async function configuredFiles(): Promise<Pick<PlanOptions, 'scenarios'>> {
  const { scenarios } = await loadConfig();
  return scenarios === undefined ? {} : { scenarios };
}

/** Loads the scenarios of {@link configuredFiles}. @throws BusbarError `unknown-scenario`, `scenario-failed` */
export async function configuredScenarios(): Promise<readonly PlatformScenario[]> {
  const { file, scenarios = [] } = await loadConfig();
  try {
    return (await withScenarios({ scenarios })).scenarios;
  } catch (error) {
    const name = quoted(relative('', file ?? ''));
    throw reworded(error, (message) => `Configuration file ${name}: "scenarios": ${message}`);
  }
}
