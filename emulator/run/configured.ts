import type { EnvelopeCodec } from 'busbar';
import type { Catalogue } from 'busbar/catalogue';
import { loadConfig } from 'busbar/config';

/** Opens the catalogue of the nearest configuration file, else the built-in catalogue. @throws BusbarError `invalid-module` */
export async function configuredCatalogue(): Promise<Catalogue> {
  return (await loadConfig()).openCatalogue();
}

/** Opens the wire format of the nearest configuration file; undefined for Busbar's own. @throws BusbarError `invalid-module` */
export async function configuredEnvelope(): Promise<EnvelopeCodec | undefined> {
  const config = await loadConfig();
  return config.envelope === undefined ? undefined : config.openEnvelope();
}
