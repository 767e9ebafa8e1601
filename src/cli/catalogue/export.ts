import { didYouMean, nearest } from '../../base/nearest.js';
import { type Catalogue, openCatalogue } from '../../../catalogue/open.js';
import { BusbarError } from '../../base/errors.js';
import type { TextOutput } from '../../base/output.js';

const formats: Readonly<Record<string, (catalogue: Catalogue) => Promise<object>>> = {
  'json-schema': async (catalogue) =>
    (await import('../../../catalogue/export/json-schema.js')).exportJsonSchema(catalogue),
  asyncapi: async (catalogue) =>
    (await import('../../../catalogue/export/asyncapi.js')).exportAsyncApi(catalogue),
  'openapi-webhooks': async (catalogue) =>
    (await import('../../../catalogue/export/openapi-webhooks.js')).exportOpenApiWebhooks(catalogue),
};

/** `busbar catalogue export`: prints the whole catalogue as one document. */
export async function exportCatalogue(
  { format = '' }: { format?: string | undefined },
  output: TextOutput,
): Promise<void> {
  const names = Object.keys(formats);
  const makeDocument = Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (makeDocument === undefined) {
    throw new BusbarError(
      'invalid-option',
      `Name a "--format" of ${names.join(', ')}${format === '' ? '' : `, not "${format}"`}.${didYouMean(nearest(format, names, 1))}`,
    );
  }
  output.write(`${JSON.stringify(await makeDocument(openCatalogue()), null, 2)}\n`);
}
