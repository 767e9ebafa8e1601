import type { ExportedCatalogue } from './exported.js';
import { dialect } from '../schema.js';

/** One JSON Schema document: the shapes in `$defs`, the events by catalogue name in `events`. */
export async function exportJsonSchema(catalogue: ExportedCatalogue): Promise<object> {
  const { shapes, events } = await catalogue.documents();
  return { $schema: dialect, $defs: shapes, events };
}
