import { describeKey } from '../key-entities.js';
import {
  componentName,
  componentReference,
  componentSchemas,
  documentInfo,
  type ExportedCatalogue,
  payloadName,
} from './components.js';

/** Returns an AsyncAPI 3.1.0 document with one channel and one message per event version. */
export async function exportAsyncApi(catalogue: ExportedCatalogue): Promise<object> {
  const documents = await catalogue.documents();
  const { license, ...info } = documentInfo();
  const messages: Record<string, object> = {};
  for (const { name, type, version, group, key } of catalogue.events) {
    const payload = payloadName(name, documents);
    messages[componentName(name)] = {
      name,
      title: payload,
      summary: documents.events[name]?.description ?? '',
      tags: [{ name: group }],
      contentType: 'application/json',
      payload: componentReference(payload),
      bindings: {
        kafka: { key: { type: 'string', description: describeKey(key) }, bindingVersion: '0.5.0' },
      },
      'x-event-type': type,
      'x-event-version': version,
      'x-busbar-key': key,
    };
  }
  return {
    asyncapi: '3.1.0',
    info: { ...info, license: { name: (license as { name: string }).name } },
    defaultContentType: 'application/json',
    channels: {
      events: {
        // The topic is the platform operator's choice.
        address: null,
        description: 'Everything that happens on the platform.',
        messages: Object.fromEntries(
          Object.keys(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
      },
    },
    operations: {
      receiveEvents: {
        action: 'receive',
        channel: { $ref: '#/channels/events' },
        summary: 'Receive the events of the platform.',
      },
    },
    components: { messages, schemas: componentSchemas(documents) },
  };
}
