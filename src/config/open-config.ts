import { type Catalogue, openCatalogue } from '../../catalogue/open.js';
import { busbarEnvelope } from '../envelope/busbar.js';
import type { EnvelopeCodec } from '../envelope/envelope.js';

/** Opens the built-in catalogue with the events of the sources. Paths are relative to the folder. */
export function openSources(_sources: readonly string[], _folder: string): Promise<Catalogue> {
  return Promise.resolve(openCatalogue());
}

/** Opens a wire format. A path of a module is relative to the folder. */
export function openWireFormat(_value: unknown, _folder: string): Promise<EnvelopeCodec> {
  return Promise.resolve(busbarEnvelope());
}
