import type { Catalogue } from '../catalogue.js';

/** The part of a catalogue that exports use. */
export type ExportedCatalogue = Pick<Catalogue, 'events' | 'documents'>;
