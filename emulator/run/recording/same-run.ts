import { createHash } from 'node:crypto';
import { BusbarError, quoted } from 'busbar/base';
import type { Catalogue } from 'busbar/catalogue';
import type { Truth } from '../../invariants/truth.js';
import { type Moment, worldTruth } from '../../invariants/world-truth.js';
import { worldVersion } from '../../world/version.js';
import { scenarioFiles, withScenarios } from '../load-scenario.js';
import { defaultStart } from '../../engine/calendar.js';
import { planOptions } from '../options.js';
import { Plan, type PlanOptions } from '../plan.js';
import type { RecordedOptions, RecordingHeader } from './format.js';
import { brokenLine, inputsIn, openRecording } from './open-recording.js';

/** Returns the header of a recording of a run. @throws BusbarError for a missing scenario file */
export async function headerOf(options: PlanOptions, catalogue: Catalogue): Promise<RecordingHeader> {
  const documents = JSON.stringify(await catalogue.documents());
  const fingerprint = createHash('sha256').update(documents).digest('hex');
  return {
    'busbar-recording': 1,
    worldVersion,
    options: recordedOptions(options),
    catalogue: `sha256:${fingerprint}`,
    files: scenarioFiles(options),
  };
}

/** Returns the options of a recorded run, to resume it. @throws BusbarError for an invalid recording */
export async function optionsOfRecording(path: string): Promise<PlanOptions> {
  const { header, lines } = await openRecording(path);
  await lines.return();
  return optionsOf(path, header);
}

/**
 * Returns the options of a recorded run and its inputs, to play it again.
 * @throws BusbarError for another catalogue, and for a missing or changed scenario file.
 */
export async function planOfRecording(
  path: string,
  header: RecordingHeader,
  catalogue: Catalogue,
): Promise<PlanOptions> {
  const options = optionsOf(path, header);
  requireSame(path, header, await headerOf(options, catalogue));
  return { ...options, inputs: await inputsIn(path) };
}

/**
 * Returns the ground truth of a run, for the invariants that need it: `startCheck({ truth })`. The run is replayed along with
 * the checked stream, so that each check needs its own ground truth.
 * @throws BusbarError for an unknown scenario, branch or option.
 * @example
 * const plan = { scenario: 'house-move', instances: 10 };
 * const check = startCheck({ truth: await groundTruthOf(plan) });
 */
export async function groundTruthOf(options: PlanOptions): Promise<Truth> {
  return worldTruth(momentsOf(new Plan(await withScenarios(options))));
}

function* momentsOf(plan: Plan): Generator<Moment, void, void> {
  for (const { at, occurrence, state } of plan.play()) yield { at, occurrence, cell: state };
}

/** Checks that a run with our header has the bytes of the recorded run. @throws BusbarError otherwise */
export function requireSame(path: string, theirs: RecordingHeader, ours: RecordingHeader): void {
  const names = new Set([...Object.keys(theirs.options), ...Object.keys(ours.options)]);
  for (const name of names) {
    if (JSON.stringify(theirs.options[name]) === JSON.stringify(ours.options[name])) continue;
    const message = `The run in ${quoted(path)} has another ${quoted(name)}. Resume it with the options in its first line.`;
    throw new BusbarError('invalid-option', message);
  }
  requireSameFiles(path, theirs, ours.files);
  if (theirs.catalogue === ours.catalogue) return;
  const message = `The run in ${quoted(path)} was recorded with another catalogue. Resume it with that catalogue.`;
  throw new BusbarError('invalid-recording', message);
}

/** Checks the scenario files of a recording, before one of them is loaded. @throws BusbarError if one has changed */
export function requireSameFiles(
  path: string,
  { files }: RecordingHeader,
  present: RecordingHeader['files'],
): void {
  for (const [file, fingerprint] of Object.entries(present)) {
    if (files[file] === fingerprint) continue;
    const message = `Scenario file ${quoted(file)} has changed since the run in ${quoted(path)} was recorded. Restore the recorded version.`;
    throw new BusbarError('invalid-recording', message);
  }
}

function optionsOf(path: string, header: RecordingHeader): PlanOptions {
  const options = planOf({ header });
  if (options !== undefined) return options;
  const reason = new Error('its options name no scenario');
  throw brokenLine(path, 1, reason, 'Make a recording with: npx emulate --record FILE.');
}

/** Returns the plan of a recorded run, or undefined if the recording does not have it. */
export function planOf({ header }: { readonly header: RecordingHeader }): PlanOptions | undefined {
  const { scenario = [] } = header.options;
  const isNamed = Array.isArray(scenario) && scenario.every((each) => typeof each === 'string');
  return isNamed ? { ...header.options, scenario } : undefined;
}

/** Options that decide the bytes of a run, without its inputs, which have their own lines. */
const { maskFaults: _mask, inputs: _inputs, ...recorded } = planOptions;

function recordedOptions(options: PlanOptions): RecordedOptions {
  const namesOf = (named: NonNullable<PlanOptions['scenario']>) =>
    [named].flat().map((each) => (typeof each === 'string' ? each : each.name));
  const { scenario = [], scenarios } = options;
  const named = { scenario: namesOf(scenario), ...(scenarios && { scenarios: namesOf(scenarios) }) };
  const all: PlanOptions = { seed: 1, instances: 1, start: defaultStart, ...options, ...named };
  const names = Object.keys(recorded) as (keyof typeof recorded)[];
  return Object.fromEntries(names.filter((name) => all[name] !== undefined).map((name) => [name, all[name]]));
}
