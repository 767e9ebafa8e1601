import { loadCatalogue } from '../../catalogue/load-catalogue.js';
import { builtInCatalogue, type Catalogue } from '../../catalogue/catalogue.js';
import type { EnvelopeCodec } from '../envelope/envelope.js';
import { type EnvelopeSetting, openEnvelope } from '../envelope/open-envelope.js';

/** Opens the built-in catalogue with the events of the sources, which are relative to the directory. */
export async function openSources(sources: readonly string[], directory: string): Promise<Catalogue> {
  return sources.length === 0 ? builtInCatalogue() : loadCatalogue(sources, { directory });
}

/** Opens a wire format, or the default one. A module is relative to the directory. */
export function openWireFormat(
  setting: EnvelopeSetting | undefined,
  directory: string,
): Promise<EnvelopeCodec> {
  return openEnvelope(setting ?? 'busbar', { directory });
}
