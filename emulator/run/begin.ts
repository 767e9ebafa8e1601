import type { Catalogue } from '../../catalogue/index.js';
import { BusbarError } from '../../src/errors.js';
import { quoted } from '../../src/quoted.js';
import type { Occurred } from '../engine/simulation.js';
import { keepToCell } from '../scenarios/keep-to-cell.js';
import type { Sink } from '../sinks/sink.js';
import { encoder, type SentVersions } from './encode.js';
import { injectFaults } from './faults/inject.js';
import { fileLedger } from './faults/ledger.js';
import { readFaults } from './faults/settings.js';
import { openLineWriter } from './line-writer.js';
import { loadScenarios } from './load-scenario.js';
import { type PlanOptions, planRun } from './plan.js';
import { openRecording } from './recording/open-recording.js';
import { recorder } from './recording/recorder.js';
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
  if (resume !== undefined) return resumed(resume, options, catalogue);
  const source = await content(options, catalogue);
  if (record === undefined) return { source, recorder: undefined };
  return orClose(source, async () => ({
    source,
    recorder: await recorder(record, await headerOf(options, catalogue)),
  }));
}

async function content(options: PlanOptions & KeepOptions, catalogue: Catalogue): Promise<Source> {
  const { seed = 1, faults, maskFaults, faultLog } = options;
  const settings = faults === undefined ? undefined : readFaults(faults);
  const loaded = await loadScenarios(options.scenario);
  const scenario = loaded.map((each) => (typeof each === 'string' ? each : keepToCell(each, catalogue)));
  const { occurrences, ordering, branches } = planRun({ ...options, scenario });
  const told = await variedly(occurrences, options, catalogue);
  const source = occurring(told, encoder(catalogue, ordering, sentVersions(options)), branches);
  if (settings === undefined) return source;
  return injectFaults(source, {
    seed,
    settings,
    catalogue,
    ...(maskFaults && { mask: maskFaults }),
    ...(faultLog !== undefined && { ledger: fileLedger(await openLineWriter(faultLog)) }),
  });
}

function sentVersions({ versions = 'all' }: PlanOptions): SentVersions {
  if (['all', 'latest'].includes(versions)) return versions;
  throw new BusbarError('invalid-option', `Option "versions" is "all" or "latest", not ${quoted(versions)}.`);
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

async function resumed(path: string, options: PlanOptions, catalogue: Catalogue): Promise<Begun> {
  const recording = await openRecording(path);
  try {
    const header = await headerOf(options, catalogue);
    requireSame(path, recording.header, header);
    const source = await content(options, catalogue);
    return await orClose(source, async () => {
      const rest = await resumeAfter(source, recording);
      return { source: rest.source, recorder: await recorder(path, header, rest.keep) };
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
