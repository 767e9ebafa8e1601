import { createHash } from 'node:crypto';
import type { Catalogue } from '../../../catalogue/index.js';
import { BusbarError } from '../../../src/base/errors.js';
import { quoted } from '../../../src/base/quoted.js';
import type { Truth } from '../../invariants/truth.js';
import { worldTruth } from '../../invariants/world-truth.js';
import { loadScenarios, scenarioFiles } from '../load-scenario.js';
import { defaultStart, historyOf, type PlanOptions } from '../plan.js';
import type { RecordedOptions, RecordingHeader } from './format.js';
import { inputsIn } from './input-log.js';
import { brokenLine, openRecording } from './open-recording.js';

/** What a recording of a run of these options begins with. @throws BusbarError for a scenario file that is not there. */
export async function headerOf(options: PlanOptions, catalogue: Catalogue): Promise<RecordingHeader> {
  const documents = JSON.stringify(await catalogue.documents());
  const fingerprint = createHash('sha256').update(documents).digest('hex');
  return {
    'busbar-recording': 1,
    options: recordedOptions(options),
    catalogue: `sha256:${fingerprint}`,
    files: scenarioFiles(options.scenario ?? []),
  };
}

/** The options that a recording was made with, for a run that goes on with it. @throws BusbarError */
export async function optionsOfRecording(path: string): Promise<PlanOptions> {
  const { header, lines } = await openRecording(path);
  await lines.return();
  return optionsOf(path, header);
}

/**
 * What the world knows of a recorded run, which is played again for it.
 * @throws BusbarError where that cannot be: another catalogue, a scenario file that is not there any more or has changed.
 */
export async function truthOfRecording(
  path: string,
  header: RecordingHeader,
  catalogue: Catalogue,
): Promise<Truth> {
  const options = optionsOf(path, header);
  requireSame(path, header, await headerOf(options, catalogue));
  return truthOf({ ...options, inputs: await inputsIn(path) });
}

/**
 * What the world knows of a run of these options, for the invariants that need it: `startCheck({ truth })`. The run is
 * played again along with the stream that is checked, so each check takes a truth of its own.
 * @throws BusbarError for a scenario, branch or option that does not exist.
 * @example
 * const plan = { scenario: 'house-move', instances: 10 };
 * const check = startCheck({ truth: await truthOf(plan) });
 */
export async function truthOf(options: PlanOptions): Promise<Truth> {
  return worldTruth(historyOf({ ...options, scenario: await loadScenarios(options.scenario ?? []) }));
}

/** @throws BusbarError unless a run with our header has the bytes of the one in the recording. */
export function requireSame(path: string, theirs: RecordingHeader, ours: RecordingHeader): void {
  const names = new Set([...Object.keys(theirs.options), ...Object.keys(ours.options)]);
  for (const name of names) {
    if (JSON.stringify(theirs.options[name]) === JSON.stringify(ours.options[name])) continue;
    const message = `The run in ${quoted(path)} has another ${quoted(name)}. Resume it with the options in its first line.`;
    throw new BusbarError('invalid-option', message);
  }
  requireSameFiles(path, theirs, ours.files);
  if (theirs.catalogue === ours.catalogue) return;
  const message = `The run in ${quoted(path)} was recorded with another catalogue. Resume it with that one.`;
  throw new BusbarError('invalid-recording', message);
}

/** @throws BusbarError unless the recording was made with these scenario files. Ask before loading one of them. */
export function requireSameFiles(
  path: string,
  { files }: RecordingHeader,
  present: RecordingHeader['files'],
): void {
  for (const [file, fingerprint] of Object.entries(present)) {
    if (files[file] === fingerprint) continue;
    const message = `Scenario file ${quoted(file)} has changed since the run in ${quoted(path)} was recorded. Bring back what it was then.`;
    throw new BusbarError('invalid-recording', message);
  }
}

function optionsOf(path: string, header: RecordingHeader): PlanOptions {
  const options = planOf({ header });
  if (options !== undefined) return options;
  const reason = new Error('its options name no scenario');
  throw brokenLine(path, 1, reason, 'Recordings are made with: emulate --record FILE.');
}

/** What a recorded run was planned with; undefined where the recording does not say. */
export function planOf({ header }: { readonly header: RecordingHeader }): PlanOptions | undefined {
  const { scenario = [] } = header.options;
  const isNamed = Array.isArray(scenario) && scenario.every((each) => typeof each === 'string');
  return isNamed ? { ...header.options, scenario } : undefined;
}

/**
 * Everything that the bytes of a run depend on but its inputs, which have lines of their own; the compiler sees to it
 * that none is forgotten.
 */
const recorded: Readonly<Record<Exclude<keyof PlanOptions, 'maskFaults' | 'inputs'>, true>> = {
  scenario: true,
  seed: true,
  instances: true,
  accounts: true,
  start: true,
  until: true,
  duration: true,
  branches: true,
  runId: true,
  shard: true,
  versions: true,
  faults: true,
  vary: true,
};

function recordedOptions(options: PlanOptions): RecordedOptions {
  const scenario = [options.scenario ?? []]
    .flat()
    .map((each) => (typeof each === 'string' ? each : each.name));
  const all: PlanOptions = { seed: 1, instances: 1, start: defaultStart, ...options, scenario };
  const names = Object.keys(recorded) as (keyof typeof recorded)[];
  return Object.fromEntries(names.filter((name) => all[name] !== undefined).map((name) => [name, all[name]]));
}
