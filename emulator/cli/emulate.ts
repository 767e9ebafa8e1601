import { BusbarError, quoted, readText, reworded } from 'busbar/base';
import { type Command, type Console, type FlagValues, readFlags } from 'busbar/internal/command-line';
import type { Faults } from '../run/faults/settings.js';
import type { PlanOptions } from '../run/plan.js';
import {
  apiParameters,
  keepFlags,
  type PlanFlags,
  planFlags,
  runFlags,
  runGroups,
  wayFlags,
} from './run-flags.js';
import { sinkParameters } from './open-sinks.js';

export const command: Command = {
  flags: runFlags,
  groups: runGroups,
  parameters: {
    'Parameters of --to file:<path>?…': sinkParameters.file,
    'Parameters of --to https://…?…': sinkParameters.webhook,
    'Parameters of --to kafka://…?…': sinkParameters.kafka,
    'Parameters of --api': apiParameters,
  },
  examples: [
    '--scenario house-move',
    '--scenario house-move --instances 3 --instant --to stdout',
    '--scenario everyday --faults duplicate=1% --to file:run.ndjson',
  ],
  run: emulate,
};

/** Runs `emulate`: plays scenarios until the run ends; with servers, until it is interrupted. */
async function emulate(values: FlagValues, console: Console): Promise<void> {
  const flags = readFlags(wayFlags, values);
  const files = readFlags(keepFlags, values);
  const { to, kafkaPort = false, httpPort = false } = flags;
  const isServing = to === undefined || kafkaPort !== false || httpPort !== false;
  const planned = readFlags(planFlags, values);
  await refuseUnplayed(planned, console);
  const plan =
    files.resume === undefined
      ? { ...worldOf(console), ...(await planOf(planned, isServing)) }
      : await (await import('../run/recording/same-run.js')).optionsOfRecording(files.resume);
  const { play } = await import('./follow-run.js');
  const { startEmulator } = await import('../start/start-emulator.js');
  const catalogue = await console.catalogue();
  await play(flags, (options) => startEmulator({ ...plan, ...options, catalogue }), console, files);
}

/** Returns the options of the configured world that have no flag. */
export function worldOf({
  config: { world = {} },
}: Pick<Console, 'config'>): Pick<PlanOptions, 'mix' | 'rates'> {
  const { mix, rates } = world;
  return { ...(mix && { mix }), ...(rates && { rates }) };
}

/** @throws BusbarError `invalid-option` for a typed number of accounts or instances that the scenarios do not use */
async function refuseUnplayed({ scenario = [] }: PlanFlags, console: Console): Promise<void> {
  const { everyday } = await import('../scenarios/find.js');
  const named = [scenario].flat();
  const refuse = (flag: string, need: string) => {
    if (console.isTyped(flag)) throw new BusbarError('invalid-option', `"--${flag}" needs ${need}.`);
  };
  if (!named.includes(everyday)) refuse('accounts', '--scenario everyday');
  if (named.every((each) => each === everyday)) refuse('instances', 'a --scenario other than everyday');
}

/** Returns the faults of the flag, or of the file that it names, validated before sinks are opened. @throws BusbarError `invalid-option` */
async function faultsOf(named: Faults): Promise<Faults> {
  const file = typeof named === 'string' && named.startsWith('@') ? named.slice(1) : undefined;
  const faults = file === undefined ? named : await readText(file);
  const { readFaults } = await import('../run/faults/settings.js');
  try {
    readFaults(faults);
  } catch (error) {
    throw file === undefined ? error : reworded(error, (message) => `File ${quoted(file)}: ${message}`);
  }
  return faults;
}

async function planOf(flags: PlanFlags, isServing: boolean): Promise<PlanOptions> {
  const { branch = [], faults, inputs, ...plan } = flags;
  if (plan.scenario === undefined && inputs === undefined && !isServing) {
    throw new BusbarError('invalid-option', 'The run has no scenario. Name one, e.g. --scenario house-move.');
  }
  const options = {
    ...plan,
    branches: Array.isArray(branch)
      ? Object.fromEntries(branch.map((each) => each.split(/=(.*)/s) as [string, string]))
      : branch,
    ...(faults !== undefined && { faults: await faultsOf(faults) }),
    ...(inputs !== undefined && {
      inputs: await (await import('../run/recording/open-recording.js')).inputsIn(inputs),
    }),
  };
  await refuseUnknown(options);
  return options;
}

/** @throws BusbarError for a scenario or an outcome that does not exist, before a sink connects */
async function refuseUnknown(options: PlanOptions): Promise<void> {
  const { configuredFiles } = await import('../run/configured.js');
  const { withScenarios } = await import('../run/load-scenario.js');
  const { Plan } = await import('../run/plan.js');
  new Plan(await withScenarios({ ...(await configuredFiles()), ...options }));
}
