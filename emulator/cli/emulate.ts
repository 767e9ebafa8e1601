import { readFile } from 'node:fs/promises';
import type { InferredOptionTypes } from 'yargs';
import { BusbarError } from '../../src/base/errors.js';
import { stderrLogger } from '../../src/base/logger.js';
import { quoted } from '../../src/base/quoted.js';
import type { PlanOptions } from '../run/plan.js';
import { inputsIn } from '../run/recording/input-log.js';
import { readVariations } from '../run/vary/variations.js';
import { type Emulator, startEmulator } from '../start/start-emulator.js';
import { followRun, sendingOptions } from './follow-run.js';
import { given } from './given.js';
import { openSinks } from './open-sinks.js';
import { parseBranch, parseDuration, parseInstant, parseShard } from './parse-options.js';
import type { runOptions } from './run-options.js';

/** The options, as yargs hands them on. */
export type EmulateArguments = InferredOptionTypes<typeof runOptions>;

/** `emulate`: a run of scenarios, until it ends, or until it is interrupted where it has servers of its own. */
export async function emulate(args: EmulateArguments): Promise<void> {
  const { record, resume } = args;
  const plan = resume === undefined ? await planOf(args) : await planOfRecording(resume);
  const opened = await openSinks(args, resume !== undefined);
  let emulator: Emulator;
  try {
    emulator = await startEmulator({
      ...plan,
      ...sendingOptions(args, opened),
      ...given('record', record),
      ...given('resume', resume),
      ...given('faultLog', args['fault-log']),
      logger: stderrLogger,
    });
  } catch (error) {
    for (const sink of opened.sinks) await sink.close();
    throw error;
  }
  await followRun(emulator, args, opened);
}

async function planOfRecording(file: string): Promise<PlanOptions> {
  const { optionsOfRecording } = await import('../run/recording/same-run.js');
  return optionsOfRecording(file);
}

async function planOf(args: EmulateArguments): Promise<PlanOptions> {
  const isServing =
    args.to === undefined || args['http-port'] !== undefined || args['kafka-port'] !== undefined;
  if (args.scenario === undefined && args.inputs === undefined && !isServing) {
    throw new BusbarError('invalid-option', 'Say what should happen: --scenario house-move.');
  }
  const faults = args.faults?.startsWith('@') ? await faultsIn(args.faults.slice(1)) : args.faults;
  return {
    scenario: args.scenario,
    branches: Object.fromEntries((args.branch ?? []).map(parseBranch)),
    ...given('instances', args.instances),
    ...given('accounts', args.accounts),
    ...given('seed', args.seed),
    ...given('start', args.start, (text) => parseInstant('start', text)),
    ...given('until', args.until, (text) => parseInstant('until', text)),
    ...given('duration', args.duration, (text) => parseDuration('duration', text)),
    ...given('shard', args.shard, parseShard),
    ...given('versions', args.versions),
    ...given('runId', args['run-id']),
    ...given('faults', faults),
    ...(args.inputs !== undefined && { inputs: await inputsIn(args.inputs) }),
    ...given('vary', args.vary, (text) => [...readVariations(text.split(','))]),
  };
}

async function faultsIn(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const message = `File ${quoted(path)} with the faults cannot be read: ${code}. Check its path.`;
    throw new BusbarError('file-failed', message, { cause: error });
  }
}
