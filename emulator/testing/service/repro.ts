import { createHash } from 'node:crypto';
import { quoted } from 'busbar/base';
import type { Experiment } from './experiment.js';
import type { Finding, Repro } from '../verify/causes.js';
import { reproOf, savedIn } from '../verify/repro.js';
import type { ServiceContract } from './contract.js';

/** A failure of a service in a file: the experiment, and the contract that it was shown with. */
export interface SavedExperiment extends Experiment {
  readonly check: string;
  /** Hash of the contract's data. */
  readonly contract: string;
  readonly seed: number;
  readonly rate?: Finding['rate'];
}

/** Returns an experiment as JSON. The id of its cause names the file. */
export function writeServiceRepro(
  cause: string,
  { contract, ...saved }: Omit<SavedExperiment, 'contract'> & { readonly contract: ServiceContract },
): Repro {
  const rules = saved.fault === undefined ? [] : [saved.label];
  return reproOf(format, cause, { contract: hashOf(contract), ...saved }, rules);
}

/** Parses a failure file. @throws BusbarError `invalid-recording` for any other text */
export function readServiceRepro(file: string, content: string): SavedExperiment {
  const problem = `File ${quoted(file)} is not a failure file of a service.`;
  return savedIn(format, content, problem) as unknown as SavedExperiment;
}

export function hashOf(contract: ServiceContract): string {
  return createHash('sha256')
    .update(JSON.stringify({ ...contract, seed: undefined }))
    .digest('hex')
    .slice(0, 12);
}

const format = 'service-2';
