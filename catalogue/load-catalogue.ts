import { checkOptions, listOf, nonEmptyText, type OptionTable } from '../src/base/options.js';
import type { Catalogue } from './catalogue.js';
import { load } from './sources/load.js';

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
  return load(sources, options.directory ?? process.cwd());
}
