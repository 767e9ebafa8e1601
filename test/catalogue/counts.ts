import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const namesIn = (folder: string) =>
  readdirSync(fileURLToPath(new URL(`../../catalogue/${folder}`, import.meta.url)), {
    recursive: true,
    encoding: 'utf8',
  })
    .filter((path) => path.endsWith('.json'))
    .map((path) => path.replace(/^.*\/|\.json$/g, ''));

const versions = namesIn('events');

/** Numbers of event versions, event types and shapes, counted by the files of the catalogue. */
export const counts = {
  versions: versions.length,
  types: new Set(versions.map((name) => name.replace(/-[^-]+$/, ''))).size,
  shapes: namesIn('shapes').length,
};
