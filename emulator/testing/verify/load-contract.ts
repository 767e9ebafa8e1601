import { BusbarError, loadModule, quoted } from 'busbar/base';
import type { ConsumerSource, ContractOptions } from './contract.js';

/** The exports of a module for `emulate verify`. */
export interface LoadedContract {
  readonly consumer: ConsumerSource;
  readonly contract: ContractOptions;
}

/**
 * Imports a module with a consumer to verify, as export `consumer` or default, and an optional `contract`. TypeScript
 * is loaded as scenario files are.
 * @throws BusbarError `invalid-module`
 */
export async function loadContract(file: string): Promise<LoadedContract> {
  const loaded = await loadModule(file);
  const consumer = loaded.consumer ?? loaded.default;
  if (!isSource(consumer)) {
    const hint =
      'Export the result of createConsumer(), or a function that returns it, as "consumer" or default.';
    throw new BusbarError('invalid-module', `Module ${quoted(file)} exports no consumer. ${hint}`);
  }
  const { contract = {} } = loaded;
  if (typeof contract === 'object' && contract !== null) return { consumer, contract };
  throw new BusbarError(
    'invalid-module',
    `Module ${quoted(file)} exports a "contract" that is not an object. Export an object of options.`,
  );
}

function isSource(value: unknown): value is ConsumerSource {
  if (typeof value === 'function') return true;
  return typeof value === 'object' && value !== null && 'run' in value && typeof value.run === 'function';
}
