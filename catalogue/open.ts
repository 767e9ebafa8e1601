import { type Additions, type Definitions, readAdditions, rejectMixedKeys } from './additions.js';
import { anything, checkOptions, listOf, type OptionTable } from '../src/base/options.js';
import { builtInIndex, type Catalogue, openAdditions } from './catalogue.js';
import { shapes as builtInShapes } from './generated/events.js';
import type { JsonSchema } from './schema.js';

/** Options of {@link openCatalogue}. */
export interface CatalogueOptions {
  /**
   * Schemas of your own events, like those in `catalogue/events`. One with `x-busbar-override: true` replaces a
   * built-in event. `x-busbar-key` defaults to the key of the built-in versions of the type, else `account`.
   */
  readonly events?: readonly JsonSchema[];
  /** Schemas of your own shapes. One with `x-busbar-override: true` replaces a built-in shape in every event. */
  readonly shapes?: readonly JsonSchema[];
}

const schemas = { type: listOf(anything) } as const;

const catalogueOptions = { events: schemas, shapes: schemas } satisfies OptionTable<CatalogueOptions>;

/**
 * Opens the built-in catalogue, extended by your own events and shapes. Loads schemas and validators on demand.
 *
 * @throws BusbarError `invalid-schema`, `invalid-option`
 * @example
 * const catalogue = openCatalogue();
 * const event = catalogue.find('account.created', 'v1');
 */
export function openCatalogue(options: CatalogueOptions = {}): Catalogue {
  checkOptions<CatalogueOptions>('openCatalogue()', catalogueOptions, options);
  const placed = (list: 'events' | 'shapes') =>
    (options[list] ?? []).map((schema, index) => ({ schema, place: `${list}[${index}]` }));
  return openDefinitions({ events: placed('events'), shapes: placed('shapes') }).catalogue;
}

/** Opens the built-in catalogue, extended by definitions. @throws BusbarError `invalid-schema` */
export function openDefinitions(definitions: Definitions): {
  readonly catalogue: Catalogue;
  readonly additions: Additions;
} {
  const additions = additionsOf(definitions);
  // Throws now for a schema that cannot be used, not at the first event.
  additions.documents();
  const catalogue = openAdditions(additions);
  rejectMixedKeys(additions, catalogue);
  return { catalogue, additions };
}

/** Reads definitions next to the built-in catalogue. @throws BusbarError `invalid-schema` */
export function additionsOf(definitions: Definitions): Additions {
  return readAdditions(definitions, { shapes: builtInShapes, events: builtInIndex() });
}
