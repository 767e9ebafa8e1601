import {
  componentReference,
  componentSchemas,
  documentInfo,
  type ExportedCatalogue,
  payloadName,
} from './components.js';

/** Returns an OpenAPI 3.1 document with one webhook per event version, whose body is the payload. */
export async function exportOpenApiWebhooks(catalogue: ExportedCatalogue): Promise<object> {
  const documents = await catalogue.documents();
  const webhooks: Record<string, object> = {};
  for (const { name, type, version, group, key } of catalogue.events) {
    const payload = payloadName(name, documents);
    webhooks[name] = {
      post: {
        operationId: payload,
        summary: documents.events[name]?.description ?? '',
        tags: [group],
        'x-event-type': type,
        'x-event-version': version,
        'x-busbar-key': key,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: componentReference(payload) } },
        },
        responses: {
          '2XX': { description: 'The event was accepted.' },
          '4XX': { description: 'The event was rejected.' },
        },
      },
    };
  }
  const groups = [...new Set(catalogue.events.map(({ group }) => group))].sort();
  return {
    openapi: '3.1.0',
    info: documentInfo(),
    // Tools require a server, although webhooks go to any subscriber.
    servers: [{ url: '/', description: 'The receiver of the webhooks.' }],
    // The specification does not describe authentication of webhooks.
    security: [],
    tags: groups.map((name) => ({ name, description: `Events of the group ${name}.` })),
    webhooks,
    components: { schemas: componentSchemas(documents) },
  };
}
