import type { Catalogue } from '../../catalogue/index.js';
import { BusbarError } from '../../src/base/errors.js';
import type { Idle, Occurred } from '../engine/simulation.js';
import type { PlatformScenario } from '../scenarios/define.js';
import { keepToCell } from '../scenarios/keep-to-cell.js';
import { encoder } from './encode.js';
import { injectFaults } from './faults/inject.js';
import { fileLedger } from './faults/ledger.js';
import { readFaults } from './faults/settings.js';
import { openLineWriter } from './line-writer.js';
import { faultsIn, noFaults } from './inputs.js';
import { loadScenarios } from './load-scenario.js';
import { type OpenPlan, type PlanOptions, planOpenRun, planRun } from './plan.js';
import { inputsIn } from './recording/input-log.js';
import { openRecording } from './recording/open-recording.js';
import { type Recorder, recorder } from './recording/recorder.js';
import { resumeAfter } from './recording/resume.js';
import { headerOf, requireSame } from './recording/same-run.js';
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
  /** The scenarios of the run, those of files loaded. */
  readonly scenario: readonly (string | PlatformScenario)[];
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
  if (resume !== undefined) return resumed(resume, options, catalogue, isOpen);
  const begun = await content(options, catalogue, isOpen);
  if (record === undefined) return { ...begun, recorder: undefined };
  return orClose(begun.source, async () => {
    const kept = await recorder(record, await headerOf(options, catalogue));
    for (const input of options.inputs ?? []) kept.note(input);
    return { ...begun, recorder: kept };
  });
}

async function content(
  options: PlanOptions & KeepOptions,
  catalogue: Catalogue,
  isOpen: boolean,
): Promise<Omit<Begun, 'recorder'>> {
  const { seed = 1, faults, maskFaults, faultLog } = options;
  const settings = faults === undefined ? noFaults : readFaults(faults);
  const loaded = await loadScenarios(options.scenario ?? []);
  const scenario = loaded.map((each) => (typeof each === 'string' ? each : keepToCell(each, catalogue)));
  const plan = { ...options, scenario };
  const open = isOpen ? planOpenRun(plan) : undefined;
  const { occurrences, ordering, branches } = open ?? planRun(plan);
  const switched = open?.inputs.faults ?? faultsIn(options.inputs ?? []);
  const told = await variedly(occurrences, options, catalogue);
  const encode = encoder(catalogue, ordering, options.versions ?? 'all');
  const source = occurring(told, encode, branches, open?.inputs);
  const opened = { scenario: loaded, open };
  if (faults === undefined && open === undefined && switched.length === 0) return { ...opened, source };
  const faulty = injectFaults(source, {
    seed,
    settings,
    switched,
    catalogue,
    ...(maskFaults && { mask: maskFaults }),
    ...(faultLog !== undefined && { ledger: fileLedger(await openLineWriter(faultLog)) }),
  });
  return { ...opened, source: faulty };
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
  path: string,
  options: PlanOptions & KeepOptions,
  catalogue: Catalogue,
  isOpen: boolean,
): Promise<Begun> {
  const recording = await openRecording(path);
  try {
    const header = await headerOf(options, catalogue);
    requireSame(path, recording.header, header);
    const inputs = await inputsIn(path);
    const begun = await content({ ...options, inputs }, catalogue, isOpen);
    return await orClose(begun.source, async () => {
      const { source, keep } = await resumeAfter(begun.source, recording);
      return { ...begun, source, recorder: await recorder(path, header, keep) };
    });
  } finally {
    await recording.lines.return();
  }
}

async function orClose<T>(source: Source, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await source.close();
    throw error;
  }
}
