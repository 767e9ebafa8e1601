import { memoized } from 'busbar/base';
import {
  type Catalogue,
  type CatalogueEvent,
  type Documents,
  openCatalogue,
  type Violation,
} from 'busbar/catalogue';
import { standalone } from 'busbar/internal/catalogue';
import { builtInDocuments, compileNow, violationsOf } from 'busbar/internal/sync-catalogue';

/** A catalogue with its schemas in memory, so that samples need no promise. */
export interface Schemas {
  readonly catalogue: Catalogue;
  readonly documents: Documents;
  explain(event: CatalogueEvent, payload: unknown): readonly Violation[];
}

let builtIn: Schemas | undefined;

export function builtInSchemas(): Schemas {
  return (builtIn ??= schemasOver(openCatalogue(), builtInDocuments()));
}

export async function schemasOf(catalogue: Catalogue): Promise<Schemas> {
  return schemasOver(catalogue, await catalogue.documents());
}

function schemasOver(catalogue: Catalogue, documents: Documents): Schemas {
  const checkOf = memoized((name: string) =>
    compileNow(name, standalone(name, documents.events[name] ?? {}, documents.shapes), 'all'),
  );
  return {
    catalogue,
    documents,
    explain: ({ name }, payload) => violationsOf(checkOf(name), payload),
  };
}
