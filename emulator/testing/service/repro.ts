import { createHash } from 'node:crypto';
import { BusbarError, defined, quoted } from 'busbar/base';
import type { Repro } from '../verify/causes.js';
import { deliveryOf, lineOf, type RecordLine } from '../verify/repro.js';
import type { ServiceContract } from './contract.js';
import { describeFault, type Experiment } from './experiment.js';
import { describeDelivery } from '../verify/delivery.js';

/** A failure of a service in a file: the experiment, and the contract that it was shown with. */
export interface SavedExperiment {
  readonly check: string;
  readonly experiment: Experiment;
  /** Hash of the contract's data. */
  readonly contract: string;
  readonly seed: number;
}

/** Returns an experiment as JSON. The id of its cause names the file. */
export function writeServiceRepro(
  cause: string,
  {
    check,
    experiment,
    contract,
    seed,
  }: Omit<SavedExperiment, 'contract'> & { readonly contract: ServiceContract },
  rate: { readonly shown: number; readonly of: number },
): Repro {
  const { deliveries, ...rest } = experiment;
  const saved = {
    repro: format,
    cause,
    check,
    seed,
    contract: hashOf(contract),
    rate,
    ...rest,
    records: deliveries.map(lineOf),
  };
  return {
    file: `repro-${cause}.json`,
    content: `${JSON.stringify(saved, null, 2)}\n`,
    deliveries: [...deliveries.map(describeDelivery), ...describeFault(experiment.fault)],
  };
}

/** Parses a failure file. @throws BusbarError `invalid-recording` for any other text */
export function readServiceRepro(file: string, content: string): SavedExperiment {
  try {
    const { repro, check, seed, contract, label, about, fault, wrongIf, records } = JSON.parse(
      content,
    ) as SavedExperiment &
      Experiment & {
        readonly repro: string;
        readonly contract: string;
        readonly records: readonly RecordLine[];
      };
    if (repro !== format) throw new Error('It has another format.');
    const deliveries = records.map(deliveryOf);
    return {
      check,
      seed,
      contract,
      experiment: { label, about, deliveries, ...defined({ fault, wrongIf }) },
    };
  } catch (cause) {
    const message = `File ${quoted(file)} is not a failure file of a service. Run "emulate verify" again.`;
    throw new BusbarError('invalid-recording', message, { cause });
  }
}

/** Returns a hash of a contract's data. */
export function hashOf(contract: ServiceContract): string {
  return createHash('sha256')
    .update(JSON.stringify({ ...contract, seed: undefined }))
    .digest('hex')
    .slice(0, 12);
}

const format = 'service-1';
