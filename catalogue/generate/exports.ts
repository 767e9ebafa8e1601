import { makeEvent } from '../event-index.js';
import { exportAsyncApi } from '../export/asyncapi.js';
import { exportJsonSchema } from '../export/components.js';
import { exportOpenApiWebhooks } from '../export/openapi-webhooks.js';
import type { Documents } from '../schema.js';
import type { Outputs } from './outputs.js';

/** Generates the catalogue in the formats of `busbar catalogue export`. */
export async function generateExports(documents: Documents): Promise<Outputs> {
  const catalogue = {
    events: Object.values(documents.events).map((event) =>
      makeEvent(
        String(event['x-event-type']),
        String(event['x-event-version']),
        String(event['x-group']),
        String(event['x-busbar-key']),
      ),
    ),
    documents: () => Promise.resolve(documents),
  };
  const formats = {
    'asyncapi.json': await exportAsyncApi(catalogue),
    'json-schema.json': await exportJsonSchema(catalogue),
    'openapi-webhooks.json': await exportOpenApiWebhooks(catalogue),
  };
  return new Map(
    Object.entries(formats).map(([name, document]) => [
      `catalogue/generated/${name}`,
      `${JSON.stringify(document, null, 1)}\n`,
    ]),
  );
}
