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
  if (builtIn !== undefined) return builtIn;
  return (builtIn = schemasOver(openCatalogue(), builtInDocuments()));
}

/** Loads the schemas of another catalogue. */
export async function schemasOf(catalogue: Catalogue): Promise<Schemas> {
  return schemasOver(catalogue, await catalogue.documents());
}

function schemasOver(catalogue: Catalogue, documents: Documents): Schemas {
  const checks = new Map<string, ReturnType<typeof compileNow>>();
  return {
    catalogue,
    documents,
    explain({ name }, payload) {
      let check = checks.get(name);
      if (check === undefined) {
        const schema = standalone(name, documents.events[name] ?? {}, documents.shapes);
        check = compileNow(name, schema, 'all');
        checks.set(name, check);
      }
      return violationsOf(check, payload);
    },
  };
}
