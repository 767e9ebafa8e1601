import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { BusbarError } from '../../../src/base/errors.js';
import { quoted } from '../../../src/base/quoted.js';
import { importModule } from '../../run/import-module.js';
import type { ConsumerSource, ContractOptions } from './contract.js';

export interface LoadedContract {
  readonly consumer: ConsumerSource;
  readonly contract: ContractOptions;
}

/**
 * What a module gives to be verified: `consumer` or its default export, and `contract` where it has one. TypeScript is
 * read as scenario files are.
 * @throws BusbarError `invalid-module`
 */
export async function loadContract(file: string): Promise<LoadedContract> {
  const path = resolve(file);
  if (!existsSync(path))
    throw new BusbarError('invalid-module', `There is no file ${quoted(file)}. Check its path.`);
  const loaded = await load(path, file);
  const consumer = loaded.consumer ?? loaded.default;
  if (!isSource(consumer)) {
    const hint =
      'Export what createConsumer() has made, or a function that makes it, as "consumer" or default.';
    throw new BusbarError('invalid-module', `Module ${quoted(file)} exports no consumer. ${hint}`);
  }
  const { contract = {} } = loaded;
  if (typeof contract === 'object' && contract !== null) return { consumer, contract };
  throw new BusbarError(
    'invalid-module',
    `Module ${quoted(file)} exports a "contract" that is no object of options.`,
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
    // The developer's own module, before it has seen a payload: what it says may be repeated.
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
