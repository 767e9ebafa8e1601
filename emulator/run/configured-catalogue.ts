import type { Catalogue } from 'busbar/catalogue';
import { loadConfig } from 'busbar/config';

/** Opens the catalogue of the nearest configuration file, else the built-in catalogue. @throws BusbarError `invalid-module` */
export async function configuredCatalogue(): Promise<Catalogue> {
  return (await loadConfig()).openCatalogue();
}
