import { createRequire } from 'node:module';
import type { Program } from './command.js';

const { version } = createRequire(import.meta.url)('busbar/package.json') as { version: string };

/** The program `busbar`, without running it. */
export const program: Program = {
  program: 'busbar',
  version,
  commands: {
    init: ['Create a service with a consumer and its test', () => import('./init/init.js')],
    'catalogue list': ['List event versions', () => import('./catalogue/list.js')],
    'catalogue show': ['Describe one event version', () => import('./catalogue/show.js')],
    'catalogue new': ['Write the schema of a new event', () => import('./catalogue/new.js')],
    'catalogue types': ['Write the types of your own events', () => import('./catalogue/types.js')],
    'catalogue check': ['Compare records with the catalogue', () => import('./catalogue/check.js')],
    'catalogue export': ['Print all events as one document', () => import('./catalogue/export.js')],
    'catalogue diff': ['Compare two catalogues', () => import('./catalogue/diff.js')],
    'dead-letters list': ['List dead letters without payloads', () => import('./dead-letters/list.js')],
    'dead-letters show': ['Show one dead letter with its headers', () => import('./dead-letters/show.js')],
    'dead-letters replay': [
      'Replay dead letters, each once, in order',
      () => import('./dead-letters/replay.js'),
    ],
    'dead-letters discard': [
      'Mark dead letters so that no replay sends them',
      () => import('./dead-letters/discard.js'),
    ],
    'offsets reset': ['Move a consumer group to another offset', () => import('./offsets/reset.js')],
  },
};
