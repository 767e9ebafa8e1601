import { open } from 'node:fs/promises';
import { BusbarError, isGzip, quoted } from 'busbar/base';
import type { Catalogue } from 'busbar/catalogue';
import type { Idle, TimedOccurrence } from '../engine/simulation.js';
import type { PlatformScenario } from '../scenarios/define.js';
import { enforceCellIsolation } from '../scenarios/cell-isolation.js';
import { scenarios as builtIn } from '../scenarios/index.js';
import { encoder } from './encode.js';
import { injectFaults } from './faults/inject.js';
import { fileFaultLog } from './faults/fault-log.js';
import { readFaults } from './faults/settings.js';
import { openLineWriter } from './line-writer.js';
import { withScenarios } from './load-scenario.js';
import type { KeepOptions } from './options.js';
import { Plan, type PlanOptions } from './plan.js';
import { inputLine } from './recording/format.js';
import { inputsIn, openRecording } from './recording/open-recording.js';
import { type Recorder, recorder, resumeAfter } from './recording/recorder.js';
import { headerOf, requireSame } from './recording/same-run.js';
import { occurring, type Source } from './source.js';
import { readVariations } from './vary/variations.js';
import { vary } from './vary/vary.js';

/** A run before its start. */
export interface PreparedRun {
  readonly source: Source;
  /** Sink that records the run. Must be the last of the sinks. */
  readonly recorder: Recorder | undefined;
  /** Scenarios of the run, those of files loaded. */
  readonly scenario: readonly (string | PlatformScenario)[];
  readonly scenarios: readonly PlatformScenario[];
  readonly plan: Plan;
}

/**
 * Prepares everything between the plan of a run and its sinks: variations, encoding, faults, recording.
 * @param isOpen Whether the run accepts inputs. It then idles instead of ending.
 * @throws BusbarError for invalid options, and for a recording that cannot be resumed.
 */
export async function prepareRun(
  options: PlanOptions & KeepOptions,
  catalogue: Catalogue,
  isOpen = false,
): Promise<PreparedRun> {
  const { record, resume, faultLog } = options;
  if (record !== undefined && resume !== undefined) {
    const message = 'A resumed run continues its own recording. Set either "record" or "resume".';
    throw new BusbarError('invalid-option', message, { options: ['record', 'resume'] });
  }
  if (faultLog !== undefined && options.faults === undefined) {
    const message = 'A fault log needs faults. Set "faults".';
    throw new BusbarError('invalid-option', message, { options: ['faults'] });
  }
  if (!isOpen && [options.scenario ?? []].flat().length === 0 && (options.inputs ?? []).length === 0) {
    const message = 'A run needs at least one scenario. Set "scenario".';
    throw new BusbarError('invalid-option', message, { options: ['scenario'] });
  }
  if (resume !== undefined) return resumeRun(resume, options, catalogue, isOpen);
  const prepared = await content(options, catalogue, isOpen);
  if (record === undefined) return { ...prepared, recorder: undefined };
  return orClose(prepared.source, async () => {
    const header = `${JSON.stringify(await headerOf(options, catalogue))}\n`;
    const lines = [header, ...(options.inputs ?? []).map(inputLine)].join('');
    return { ...prepared, recorder: await recorder(record, lines) };
  });
}

async function content(
  options: PlanOptions & KeepOptions,
  catalogue: Catalogue,
  isOpen: boolean,
): Promise<Omit<PreparedRun, 'recorder'>> {
  const { seed = 1, faults, maskFaults, faultLog } = options;
  const settings = readFaults(faults ?? {});
  const loaded = await withScenarios(options);
  const isolated = <S extends string | PlatformScenario>(each: S) =>
    typeof each === 'string' || builtIn.includes(each) ? each : enforceCellIsolation(each, catalogue);
  const { scenario, scenarios } = loaded;
  const plan = new Plan({
    ...options,
    scenario: scenario.map(isolated),
    scenarios: scenarios.map(isolated),
  });
  const { ordering, branches, inputs } = plan;
  const occurrences = await withVariations(isOpen ? plan.playOpen() : plan.play(), options, catalogue);
  const encode = encoder(catalogue, ordering, options.versions ?? 'all');
  const source = occurring(occurrences, encode, branches, inputs);
  const prepared = { scenario, scenarios, plan };
  if (faults === undefined && !isOpen && inputs.faults.length === 0) return { ...prepared, source };
  const faulty = injectFaults(source, {
    seed,
    settings,
    laterSettings: inputs.faults,
    catalogue,
    ...(maskFaults && { mask: maskFaults }),
    ...(faultLog !== undefined && { log: fileFaultLog(await openLineWriter(faultLog)) }),
  });
  return { ...prepared, source: faulty };
}

async function withVariations(
  occurrences: Iterable<TimedOccurrence | Idle>,
  { seed = 1, vary: names = [] }: PlanOptions,
  catalogue: Catalogue,
): Promise<Iterable<TimedOccurrence | Idle>> {
  const variations = readVariations(names);
  if (variations.size === 0) return occurrences;
  return vary(occurrences, { seed, variations, catalogue, documents: await catalogue.documents() });
}

async function resumeRun(
  path: string,
  options: PlanOptions & KeepOptions,
  catalogue: Catalogue,
  isOpen: boolean,
): Promise<PreparedRun> {
  const recording = await openRecording(path);
  try {
    await requirePlain(path);
    const header = await headerOf(options, catalogue);
    requireSame(path, recording.header, header);
    const inputs = await inputsIn(path);
    const prepared = await content({ ...options, inputs }, catalogue, isOpen);
    return await orClose(prepared.source, async () => {
      const { source, keep } = await resumeAfter(prepared.source, recording);
      return { ...prepared, source, recorder: await recorder(path, '', keep) };
    });
  } finally {
    await recording.lines.return();
  }
}

/** @throws BusbarError `invalid-recording` for gzip data, which cannot be continued */
async function requirePlain(path: string): Promise<void> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    if (!isGzip(buffer)) return;
  } finally {
    await file.close();
  }
  const message = `File ${quoted(path)} is in gzip and cannot be continued. Decompress it first.`;
  throw new BusbarError('invalid-recording', message);
}

async function orClose<T>(source: Source, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await source.close();
    throw error;
  }
}
