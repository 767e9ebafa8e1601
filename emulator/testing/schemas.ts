import { events, shapes } from '#generated/schemas.js';
import { compileNow } from '../../catalogue/compile-now.js';
import {
  type Catalogue,
  type CatalogueEvent,
  type Documents,
  openCatalogue,
  type Violation,
} from '../../catalogue/index.js';
import { standalone, withOwnFields } from '../../catalogue/schema.js';
import { violationsOf } from '../../catalogue/violations.js';

/** A catalogue whose schemas are at hand, so that nobody has to wait for a sample. */
export interface Schemas {
  readonly catalogue: Catalogue;
  readonly documents: Documents;
  /** What is wrong with a payload. */
  explain(event: CatalogueEvent, payload: unknown): readonly Violation[];
}

let builtIn: Schemas | undefined;

/** Those of the built-in catalogue. */
export function builtInSchemas(): Schemas {
  if (builtIn !== undefined) return builtIn;
  const named = Object.entries(events).map(([name, schema]) => [name, withOwnFields(schema, shapes)]);
  const documents = { shapes, events: Object.fromEntries(named) as Documents['events'] };
  return (builtIn = schemasOver(openCatalogue(), documents));
}

/** Those of another catalogue. */
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
