import { checkOptions, listOf, nonEmptyText, type OptionTable } from '../../src/base/options.js';
import { builtInCatalogue, type Catalogue, openAdditions, type Validator } from '../catalogue.js';
import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import { BusbarError } from '../../src/base/errors.js';
import type { Additions, Definitions } from '../additions.js';
import { makeEvent } from '../event-index.js';
import { digest } from '../generated/events.js';
import { additionsOf } from '../open.js';
import type { Names } from './compile-sources.js';
import { filesOf, stampsOf } from './files.js';
import { openValidatorCache } from './validator-cache.js';

/** The version of ajv, and a number. Raise it when `compileSources()` writes another text. */
export const codeVersion = 'ajv 8.20.0, 11';

/** Options of {@link loadCatalogue}. */
export interface LoadOptions {
  /** Folder that the sources are relative to. Default: the working directory. */
  readonly directory?: string;
}

const loadOptions = { directory: { type: nonEmptyText } } satisfies OptionTable<LoadOptions>;
const sourceList = { sources: { type: listOf(nonEmptyText), isRequired: true } } as const;

/**
 * Opens the built-in catalogue, extended by schemas in files. Validates the schemas and compiles them once, then loads
 * the validators from `node_modules/.cache/busbar` or the cache folder of the system.
 *
 * @param sources Files, and folders with JSON files. A schema without `x-event-type` is a shape.
 * @throws BusbarError `invalid-schema`, `invalid-option`
 * @example
 * const catalogue = await loadCatalogue(['catalogue']);
 */
export async function loadCatalogue(
  sources: readonly string[],
  options: LoadOptions = {},
): Promise<Catalogue> {
  checkOptions('loadCatalogue()', sourceList, { sources });
  checkOptions<LoadOptions>('loadCatalogue()', loadOptions, options);
  if (sources.length === 0) return builtInCatalogue();
  const { directory = process.cwd() } = options;
  const cache = openValidatorCache(directory, JSON.stringify([directory, sources]));
  const files = filesOf(sources, directory);
  const stamps = stampsOf(files);
  const unread = stamps && keyOf(stamps);
  const known = unread && cache.read(unread);
  if (known !== undefined) return openCompiled(known);
  const { readSources, withoutBuiltIn } = await import('./read-sources.js');
  const own = await withoutBuiltIn(readSources([...files.keys()], directory));
  const read = keyOf(own);
  const stored = cache.read(read);
  const text = stored ?? (await compiled(own));
  if (stored === undefined || unread !== undefined) cache.write([read, ...(unread ? [unread] : [])], text);
  return openCompiled(text);
}

/** Reads the schemas of files and folders. @throws BusbarError `invalid-option`, `invalid-schema` */
export async function readSchemas(sources: readonly string[], directory: string): Promise<Definitions> {
  const { readSources } = await import('./read-sources.js');
  return readSources([...filesOf(sources, directory).keys()], directory);
}

/** @throws BusbarError `invalid-option` if Node may not run code of ajv, `invalid-schema` */
async function compiled(own: Definitions): Promise<string> {
  const { compileSources } = await import('./compile-sources.js');
  return compileSources(own).catch((cause: unknown) => {
    if (!(cause instanceof EvalError)) throw cause;
    const message =
      'Node may not compile the catalogue with --disallow-code-generation-from-strings. Start the program once without it';
    throw new BusbarError('invalid-option', `${message}: Busbar keeps the compiled schemas.`, { cause });
  });
}

function keyOf(state: unknown): string {
  return hash('sha256', JSON.stringify([codeVersion, digest, state]));
}

function openCompiled(text: string): Catalogue {
  const first = text.indexOf('\n');
  const second = text.indexOf('\n', first + 1);
  const [events, shapes, compiled] = JSON.parse(text.slice(0, first)) as Names;
  const additions: Additions = {
    events: new Map(events.map((each) => makeEvent(...each)).map((event) => [event.name, event])),
    shapes: new Set(shapes),
    sources: new Map(),
    // A consumer of valid events needs no schema.
    documents: () => additionsOf(JSON.parse(text.slice(first, second)) as Definitions).documents(),
  };
  return openAdditions(additions, validatorsIn(text.slice(second), compiled));
}

/** Returns the validators of events. The first payload runs their code, because a consumer starts sooner without it. */
function validatorsIn(code: string, events: readonly string[]): Readonly<Record<string, Validator>> {
  let all: Readonly<Record<string, Validator>> | undefined;
  const lazily = (event: string): Validator => {
    let validate: Validator | undefined;
    return (payload) => (validate ??= (all ??= run(code))[event] as Validator)(payload);
  };
  return Object.fromEntries(events.map((event) => [event, lazily(event)]));
}

/** Runs the code of validators, which ajv has generated. */
function run(code: string): Readonly<Record<string, Validator>> {
  const exports = {};
  const { runInThisContext } = process.getBuiltinModule('node:vm');
  const define = runInThisContext(`(function (exports, require) {${code}\n})`) as (
    ...names: readonly unknown[]
  ) => void;
  define(exports, createRequire(import.meta.url));
  return exports;
}
