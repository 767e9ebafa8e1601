import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { BusbarError, quoted } from 'busbar/base';
import { importModule } from '../../run/import-module.js';
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
  const path = resolve(file);
  if (!existsSync(path))
    throw new BusbarError('invalid-module', `File ${quoted(file)} does not exist. Check its path.`);
  const loaded = await load(path, file);
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

async function load(path: string, file: string): Promise<Record<string, unknown>> {
  try {
    return await importModule(path);
  } catch (cause) {
    if (cause instanceof BusbarError) {
      const message = `Module ${quoted(file)} cannot be read: ${cause.message}`;
      throw new BusbarError('invalid-module', message, { cause });
    }
    // The developer's own module, before any payload: its message has no payload values.
    const reason =
      cause instanceof Error ? `${cause.name}: ${cause.message.split('\n')[0] ?? ''}` : String(cause);
    throw new BusbarError('invalid-module', `Module ${quoted(file)} throws when it is imported: ${reason}`, {
      cause,
    });
  }
}

function isSource(value: unknown): value is ConsumerSource {
  if (typeof value === 'function') return true;
  return typeof value === 'object' && value !== null && 'run' in value && typeof value.run === 'function';
}
