import { BusbarError } from 'busbar/base';
import type { PlanOptions } from '../run/plan.js';
import { readText } from '../run/read-text.js';
import { inputsIn } from '../run/recording/open-recording.js';
import { optionsOfRecording } from '../run/recording/same-run.js';
import { startEmulator } from '../start/start-emulator.js';
import { type FlagValues, readFlags } from './flags.js';
import { play } from './follow-run.js';
import { keepFlags, type PlanFlags, planFlags, sendFlags, wayFlags } from './run-flags.js';

/** Runs `emulate`: plays scenarios until the run ends; with servers, until it is interrupted. */
export async function emulate(values: FlagValues): Promise<void> {
  const flags = readFlags(wayFlags, values);
  const files = readFlags(keepFlags, values);
  const send = readFlags(sendFlags, values);
  const { kafkaPort = false, httpPort = false } = send;
  const isServing = flags.to === undefined || kafkaPort !== false || httpPort !== false;
  const plan =
    files.resume === undefined
      ? await planOf(readFlags(planFlags, values), isServing)
      : await optionsOfRecording(files.resume);
  await play(flags, send, (options) => startEmulator({ ...plan, ...options }), files);
}

async function planOf(flags: PlanFlags, isServing: boolean): Promise<PlanOptions> {
  const { branch = [], faults, inputs, ...plan } = flags;
  if (plan.scenario === undefined && inputs === undefined && !isServing) {
    throw new BusbarError('invalid-option', 'The run has no scenario. Name one, e.g. --scenario house-move.');
  }
  return {
    ...plan,
    branches: Object.fromEntries(branch.map((each) => each.split(/=(.*)/s) as [string, string])),
    ...(faults !== undefined && {
      faults: faults.startsWith('@') ? await readText(faults.slice(1)) : faults,
    }),
    ...(inputs !== undefined && { inputs: await inputsIn(inputs) }),
  };
}
