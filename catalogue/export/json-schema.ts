import type { ExportedCatalogue } from './exported.js';
import { dialect } from '../schema.js';

/** Returns one JSON Schema document, with the shapes in `$defs` and the events by catalogue name in `events`. */
export async function exportJsonSchema(catalogue: ExportedCatalogue): Promise<object> {
  const { shapes, events } = await catalogue.documents();
  return { $schema: dialect, $defs: shapes, events };
}
