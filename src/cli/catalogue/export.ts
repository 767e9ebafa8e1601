import type { Catalogue } from '../../../catalogue/catalogue.js';
import { choice } from '../../base/options.js';
import { catalogueFlag, type Console, defineCommand } from '../command.js';

const formats = {
  'json-schema': async (catalogue: Catalogue) =>
    (await import('../../../catalogue/export/components.js')).exportJsonSchema(catalogue),
  asyncapi: async (catalogue: Catalogue) =>
    (await import('../../../catalogue/export/asyncapi.js')).exportAsyncApi(catalogue),
  'openapi-webhooks': async (catalogue: Catalogue) =>
    (await import('../../../catalogue/export/openapi-webhooks.js')).exportOpenApiWebhooks(catalogue),
};

const names = Object.keys(formats);

export const command = defineCommand({
  flags: {
    catalogue: catalogueFlag,
    format: { type: choice(...names), isRequired: true, value: '<name>', text: names.join(', ') },
  },
  examples: ['catalogue export --format asyncapi'],
  run: exportCatalogue,
});

/** `busbar catalogue export`: prints the whole catalogue as one document. */
async function exportCatalogue(
  { format }: { format: keyof typeof formats },
  output: Pick<Console, 'write' | 'catalogue'>,
): Promise<void> {
  output.write(`${JSON.stringify(await formats[format](await output.catalogue()), null, 2)}\n`);
}
