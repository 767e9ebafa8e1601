import { dirname, extname, resolve } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { BusbarError, didYouMean, isObject, loadModule, nearest, quoted, readText } from 'busbar/base';
import schema from '../../contract.schema.json' with { type: 'json' };
import { eventTopic } from '../../run/sink.js';
import { seePage } from '../see-page.js';
import type { LoadedContract } from '../verify/load-contract.js';
import type {
  ConsumerContract,
  LoadedServiceContract,
  ReadServiceContract,
  ServiceContract,
} from './contract.js';
import { checkPlaceholders } from './placeholders.js';

/**
 * Loads a contract from a JSON file or a module.
 * @throws BusbarError `invalid-module`, `invalid-option`
 */
export async function loadServiceContract(file: string): Promise<LoadedServiceContract | LoadedContract> {
  const value = extname(file) === '.json' ? parse(file, await readText(file)) : await exported(file);
  if (isConsumerContract(value)) {
    const { consumer, ...contract } = value;
    return { consumer, contract };
  }
  return { contract: readContract(file, value), folder: dirname(resolve(file)) };
}

/** Validates a service's contract, and fills in defaults. @throws BusbarError `invalid-option` */
export function readContract(file: string, value: unknown): ReadServiceContract {
  if (!isObject(value)) throw objection(file, 'It must be an object.');
  const { projection, expected, ...data } = value;
  if (!validate(data)) throw objection(file, explain(validate.errors ?? []));
  for (const [name, own] of Object.entries({ projection, expected })) {
    if (own !== undefined && typeof own !== 'function')
      throw objection(file, `${quoted(name)} is not a function.`);
  }
  const { observe, ready = {} } = data;
  for (const [name, table] of Object.entries(observe)) {
    const given = sources.filter((each) => table[each] !== undefined);
    const where = `Table ${quoted(name)} of "observe"`;
    if (given.length !== 1)
      throw objection(file, `${where} needs exactly one of ${sources.map(quoted).join(', ')}.`);
    const needsQuery = table.sqlite !== undefined || table.postgres !== undefined;
    if (needsQuery && table.query === undefined) throw objection(file, `${where} needs a "query".`);
    if (!needsQuery && table.query !== undefined)
      throw objection(file, `${where} takes "query" only with "sqlite" or "postgres".`);
  }
  if ([ready.http, ready.tcp, ready.log].filter((each) => each !== undefined).length > 1) {
    throw objection(file, '"ready" takes one of "http", "tcp" and "log".');
  }
  if (!isPattern(ready.log ?? '')) throw objection(file, '"ready.log" is not a regular expression.');
  const problem = checkPlaceholders(data, Object.keys(data.proxies ?? {}));
  if (problem !== undefined) throw objection(file, problem);
  return { topics: [eventTopic], partitions: 6, ...value, ...data };
}

const sources = ['http', 'sqlite', 'postgres', 'command'] as const;

const validate = new Ajv2020({
  allErrors: true,
  allowUnionTypes: true,
  verbose: true,
}).compile<ServiceContract>(schema);

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw objection(file, 'It is not JSON.');
  }
}

async function exported(file: string): Promise<unknown> {
  const loaded = await loadModule(file);
  return loaded.default ?? loaded.contract;
}

function isConsumerContract(value: unknown): value is ConsumerContract {
  return typeof value === 'object' && value !== null && 'consumer' in value && !('start' in value);
}

/** Types of JSON Schema, in words. */
const kinds: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  object: 'an object',
  string: 'a string',
};

/** Returns the most useful error of a contract. */
function explain(errors: readonly ErrorObject[]): string {
  const unknown = errors.find(
    ({ keyword, schemaPath }) => keyword === 'additionalProperties' && !schemaPath.includes('oneOf'),
  );
  const {
    instancePath,
    keyword,
    message = '',
    params,
    parentSchema = {},
    schemaPath,
  } = unknown ?? errors[0] ?? ({} as ErrorObject);
  const place = instancePath === '' ? 'It' : quoted(instancePath.slice(1).replaceAll('/', '.'));
  if (keyword === 'additionalProperties') {
    const { additionalProperty: name } = params as { readonly additionalProperty: string };
    const path = schemaPath.split('/').slice(1, -1);
    const known = path.reduce<unknown>((part, step) => (part as Record<string, unknown>)[step], schema);
    const names = Object.keys((known as { readonly properties?: object }).properties ?? {});
    return `${place} has an unknown member ${quoted(name)}.${didYouMean(nearest(name, names, 1))}`;
  }
  if (instancePath.startsWith('/reset'))
    return '"reset" takes "fresh-dir", { "http": "…" } or { "command": ["…"] }.';
  if (keyword === 'required')
    return `${place} needs ${quoted((params as { readonly missingProperty: string }).missingProperty)}.`;
  if (keyword.startsWith('min') && keyword !== 'minimum') return `${place} must not be empty.`;
  if (keyword === 'type') {
    const types = [(params as { readonly type: string | readonly string[] }).type].flat();
    return `${place} must be ${types.map((type) => kinds[type] ?? type).join(' or ')}.`;
  }
  const values = (params as { readonly allowedValues?: readonly string[] } | undefined)?.allowedValues;
  const { description } = parentSchema as { readonly description?: string };
  const meaning = keyword === 'pattern' && description !== undefined ? ` ${description}` : '';
  return `${place} ${message}${values === undefined ? '' : `: ${values.join(', ')}`}.${meaning}`;
}

function objection(file: string, problem: string): BusbarError {
  const message = `Contract ${quoted(file)} is wrong. ${problem} ${seePage('Contract of a service')}`;
  return new BusbarError('invalid-option', message);
}
