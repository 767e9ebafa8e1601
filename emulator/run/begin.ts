import type { Catalogue } from '../../catalogue/index.js';
import { BusbarError } from '../../src/errors.js';
import { quoted } from '../../src/quoted.js';
import type { Occurred } from '../engine/simulation.js';
import type { Sink } from '../sinks/sink.js';
import { encoder } from './encode.js';
import { injectFaults } from './faults/inject.js';
import { fileLedger } from './faults/ledger.js';
import { readFaults } from './faults/settings.js';
import { openLineWriter } from './line-writer.js';
import { defaultStart, type PlanOptions, planRun } from './plan.js';
import type { RecordedOptions, RecordingHeader } from './recording/format.js';
import { brokenLine, openRecording } from './recording/open-recording.js';
import { recorder, recordingHeader } from './recording/recorder.js';
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
  readonly recorder: Sink | undefined;
}

/**
 * Everything between the plan of a run and its sinks: variations, encoding, faults, recording.
 * @throws BusbarError for options that cannot be, and for a recording that cannot be resumed.
 */
export async function beginRun(options: PlanOptions & KeepOptions, catalogue: Catalogue): Promise<Begun> {
  const { record, resume, faultLog } = options;
  if (record !== undefined && resume !== undefined) {
    const message = 'Options "record" and "resume" do not go together: a resumed run goes on recording.';
    throw new BusbarError('invalid-option', message);
  }
  if (faultLog !== undefined && options.faults === undefined) {
    throw new BusbarError('invalid-option', 'Option "faultLog" keeps what "faults" do: name some.');
  }
  const source = await content(options, catalogue);
  try {
    if (resume !== undefined) return await resumed(source, resume, options, catalogue);
    if (record === undefined) return { source, recorder: undefined };
    const header = await recordingHeader(recordedOptions(options), catalogue);
    return { source, recorder: await recorder(record, header) };
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** The options that a recording was made with, for a run that goes on with it. @throws BusbarError */
export async function optionsOfRecording(path: string): Promise<PlanOptions> {
  const recording = await openRecording(path);
  await recording.lines.return();
  const options = planOf(recording);
  if (options !== undefined) return options;
  const reason = new Error('its options name no scenario');
  throw brokenLine(path, 1, reason, 'Recordings are made with: emulate --record FILE.');
}

/** What a recorded run was planned with; undefined where the recording does not say. */
export function planOf({ header }: { readonly header: RecordingHeader }): PlanOptions | undefined {
  const { scenario } = header.options;
  const isNamed = Array.isArray(scenario) && scenario.every((each) => typeof each === 'string');
  return isNamed ? { ...header.options, scenario } : undefined;
}

async function content(options: PlanOptions & KeepOptions, catalogue: Catalogue): Promise<Source> {
  const { seed = 1, faults, maskFaults, faultLog } = options;
  const settings = faults === undefined ? undefined : readFaults(faults);
  const { occurrences, ordering, branches } = planRun(options);
  const told = await variedly(occurrences, options, catalogue);
  const source = occurring(told, encoder(catalogue, ordering), branches);
  if (settings === undefined) return source;
  return injectFaults(source, {
    seed,
    settings,
    catalogue,
    ...(maskFaults && { mask: maskFaults }),
    ...(faultLog !== undefined && { ledger: fileLedger(await openLineWriter(faultLog)) }),
  });
}

async function variedly(
  occurrences: Iterable<Occurred>,
  { seed = 1, vary: names = [] }: PlanOptions,
  catalogue: Catalogue,
): Promise<Iterable<Occurred>> {
  const variations = readVariations(names);
  if (variations.size === 0) return occurrences;
  return vary(occurrences, { seed, variations, catalogue, documents: await catalogue.documents() });
}

async function resumed(
  source: Source,
  path: string,
  options: PlanOptions,
  catalogue: Catalogue,
): Promise<Begun> {
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

/** Everything that the bytes of a run depend on; the compiler sees to it that none is forgotten. */
const recorded: Readonly<Record<Exclude<keyof PlanOptions, 'maskFaults'>, true>> = {
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
  const scenario = [options.scenario].flat().map((each) => (typeof each === 'string' ? each : each.name));
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
