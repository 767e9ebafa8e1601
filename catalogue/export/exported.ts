import type { Catalogue } from '../open.js';

/** What an export needs of a catalogue. */
export type ExportedCatalogue = Pick<Catalogue, 'events' | 'documents'>;
