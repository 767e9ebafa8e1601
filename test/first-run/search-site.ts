import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Search {
  search(text: string, options: object): readonly { readonly id: string }[];
}

/** Returns the pages that the search box of the built site lists, best first. */
export async function searchSite(site: string, text: string): Promise<string[]> {
  const chunks = join(site, 'assets/chunks');
  const [file = ''] = readdirSync(chunks).filter((name) => name.startsWith('@localSearchIndex'));
  const index = (await import(pathToFileURL(join(chunks, file)).href)) as { default: string };
  const { default: MiniSearch } = (await import(
    createRequire(join(site, '../../package.json')).resolve('minisearch')
  )) as { default: { loadJSON(index: string, options: object): Search } };
  // As the search box of VitePress does.
  const fields = { fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'] };
  const options = { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } };
  return MiniSearch.loadJSON(index.default, fields)
    .search(text, options)
    .map(({ id }) => id);
}
