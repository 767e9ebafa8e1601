import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { root } from './read-sources.js';

const manifest = readFileSync(join(root, 'node_modules/@electric-sql/pglite/package.json'), 'utf8');
const { version } = JSON.parse(manifest) as { version: string };
const template = join(root, '.cache', `pglite-${version}.tar`);

/**
 * Starts PostgreSQL in WebAssembly with an empty database, from a copy of the first one in `.cache`: to initialize a
 * database takes most of the start.
 */
export async function openPglite(): Promise<PGlite> {
  if (existsSync(template)) return PGlite.create({ loadDataDir: new Blob([readFileSync(template)]) });
  const database = await PGlite.create();
  const copy = await database.dumpDataDir('none');
  mkdirSync(join(root, '.cache'), { recursive: true });
  const scratch = `${template}.${process.pid}`;
  writeFileSync(scratch, Buffer.from(await copy.arrayBuffer()));
  renameSync(scratch, template);
  return database;
}
