import type { Catalogue } from '../../catalogue/index.js';
import { BusbarError } from '../../src/errors.js';
import { quoted } from '../../src/quoted.js';
import type { Idle, Occurred } from '../engine/simulation.js';
import { encoder } from './encode.js';
import { injectFaults } from './faults/inject.js';
import { fileLedger } from './faults/ledger.js';
import { readFaults } from './faults/settings.js';
import { openLineWriter } from './line-writer.js';
import { faultsIn, noFaults } from './inputs.js';
import { defaultStart, type OpenPlan, type PlanOptions, planOpenRun, planRun } from './plan.js';
import type { RecordedOptions, RecordingHeader } from './recording/format.js';
import { brokenLine, openRecording } from './recording/open-recording.js';
import { inputsIn } from './recording/input-log.js';
import { type Recorder, recorder, recordingHeader } from './recording/recorder.js';
import { resumeAfter } from './recording/resume.js';
import { occurring, type Source } from './source.js';
import { readVariations } from './vary/variations.js';
import { vary } from './vary/vary.js';

/** Files that a run leaves behind. */
export interface KeepOptions {
  /** Record the run in this file, so that it can be replayed and resumed. Default not. */
  readonly record?: string;
  /** Go on with the interrupted run in this recording, of the same options, and record there. Default not. */
  readonly resume?: string;
  /** Keep a ledger of the faults in this file, one JSON object per line. Default not. */
  readonly faultLog?: string;
}

/** A run that is ready to be sent. */
export interface Begun {
  readonly source: Source;
  /** Where it is recorded: the last of the run's sinks. */
  readonly recorder: Recorder | undefined;
  /** Where things come in from outside, and where in the world they go; undefined for a run that is closed to that. */
  readonly open: Pick<OpenPlan, 'inputs' | 'cells'> | undefined;
}

/**
 * Everything between the plan of a run and its sinks: variations, encoding, faults, recording.
 * @param isOpen Whether things may come into the run from outside; then it idles instead of ending.
 * @throws BusbarError for options that cannot be, and for a recording that cannot be resumed.
 */
export async function beginRun(
  options: PlanOptions & KeepOptions,
  catalogue: Catalogue,
  isOpen = false,
): Promise<Begun> {
  const { record, resume, faultLog } = options;
  if (record !== undefined && resume !== undefined) {
    const message = 'Options "record" and "resume" do not go together: a resumed run goes on recording.';
    throw new BusbarError('invalid-option', message);
  }
  if (faultLog !== undefined && options.faults === undefined) {
    throw new BusbarError('invalid-option', 'Option "faultLog" keeps what "faults" do: name some.');
  }
  if (!isOpen && [options.scenario ?? []].flat().length === 0 && (options.inputs ?? []).length === 0) {
    throw new BusbarError('invalid-option', 'A run needs at least one scenario.');
  }
  const inputs = resume === undefined ? options.inputs : await inputsIn(resume);
  const { source, open } = await content({ ...options, inputs: inputs ?? [] }, catalogue, isOpen);
  try {
    if (resume !== undefined) return { ...(await resumed(source, resume, options, catalogue)), open };
    if (record === undefined) return { source, recorder: undefined, open };
    const header = await recordingHeader(recordedOptions(options), catalogue);
    const kept = await recorder(record, header);
    for (const input of inputs ?? []) kept.note(input);
    return { source, recorder: kept, open };
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** The options that a recording was made with, for a run that goes on with it. @throws BusbarError */
export async function optionsOfRecording(path: string): Promise<PlanOptions> {
  const { header, lines } = await openRecording(path);
  await lines.return();
  const { scenario = [] } = header.options;
  if (Array.isArray(scenario) && scenario.every((each) => typeof each === 'string')) {
    return { ...header.options, scenario };
  }
  const reason = new Error('its options name no scenario');
  throw brokenLine(path, 1, reason, 'Recordings are made with: emulate --record FILE.');
}

async function content(
  options: PlanOptions & KeepOptions,
  catalogue: Catalogue,
  isOpen: boolean,
): Promise<{ readonly source: Source; readonly open: Begun['open'] }> {
  const { seed = 1, faults, maskFaults, faultLog } = options;
  const settings = faults === undefined ? noFaults : readFaults(faults);
  const open = isOpen ? planOpenRun(options) : undefined;
  const { occurrences, ordering, branches } = open ?? planRun(options);
  const switched = open?.inputs.faults ?? faultsIn(options.inputs ?? []);
  const told = await variedly(occurrences, options, catalogue);
  const source = occurring(told, encoder(catalogue, ordering), branches, open?.inputs);
  if (faults === undefined && open === undefined && switched.length === 0) return { source, open };
  const faulty = injectFaults(source, {
    seed,
    settings,
    switched,
    catalogue,
    ...(maskFaults && { mask: maskFaults }),
    ...(faultLog !== undefined && { ledger: fileLedger(await openLineWriter(faultLog)) }),
  });
  return { source: faulty, open };
}

async function variedly(
  occurrences: Iterable<Occurred | Idle>,
  { seed = 1, vary: names = [] }: PlanOptions,
  catalogue: Catalogue,
): Promise<Iterable<Occurred | Idle>> {
  const variations = readVariations(names);
  if (variations.size === 0) return occurrences;
  return vary(occurrences, { seed, variations, catalogue, documents: await catalogue.documents() });
}

async function resumed(
  source: Source,
  path: string,
  options: PlanOptions,
  catalogue: Catalogue,
): Promise<Omit<Begun, 'open'>> {
  const recording = await openRecording(path);
  try {
    const header = await recordingHeader(recordedOptions(options), catalogue);
    requireSame(path, recording.header, header);
    const rest = await resumeAfter(source, recording);
    return { source: rest.source, recorder: await recorder(path, header, rest.keep) };
  } finally {
    await recording.lines.return();
  }
}

/** Everything that the bytes of a run depend on but its inputs, which have lines of their own; none is forgotten. */
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

function requireSame(path: string, theirs: RecordingHeader, ours: RecordingHeader): void {
  const names = new Set([...Object.keys(theirs.options), ...Object.keys(ours.options)]);
  for (const name of names) {
    if (JSON.stringify(theirs.options[name]) === JSON.stringify(ours.options[name])) continue;
    const message = `The run in ${quoted(path)} has another ${quoted(name)}. Resume it with the options in its first line.`;
    throw new BusbarError('invalid-option', message);
  }
  if (theirs.catalogue === ours.catalogue) return;
  const message = `The run in ${quoted(path)} was recorded with another catalogue. Resume it with that one.`;
  throw new BusbarError('invalid-recording', message);
}
